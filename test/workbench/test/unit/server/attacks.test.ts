import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { askRaw, connectTo, openServer, type OpenedServer } from './open-server';

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer({ 'Folder/Inner.md': 'inner', 'Link target.md': 'target' });
  symlinkSync(path.join(server.outside, 'secret.txt'), path.join(server.vaultFolder, 'file-link.md'));
  symlinkSync(server.outside, path.join(server.vaultFolder, 'folder-link'));
  symlinkSync(path.join(server.outside, 'not-yet.txt'), path.join(server.vaultFolder, 'dangling.md'));
  symlinkSync('Link target.md', path.join(server.vaultFolder, 'inner-link.md'));
});
afterAll(() => server.tearDown());

const expectOutsideUntouched = (): void => {
  expect(readdirSync(server.outside)).toEqual(['secret.txt']);
  expect(readFileSync(path.join(server.outside, 'secret.txt'), 'utf8')).toBe('secret');
};

describe('who may ask', () => {
  const own = () => `127.0.0.1:${server.port}`;

  it.each<[string, () => Record<string, string>]>([
    ['a re-bound name as Host', () => ({ host: 'evil.example' })],
    ['a re-bound name with our port', () => ({ host: `evil.example:${server.port}` })],
    ['our address with another port', () => ({ host: '127.0.0.1:1' })],
    ['our address without a port', () => ({ host: '127.0.0.1' })],
    ['another origin', () => ({ host: own(), origin: 'http://evil.example' })],
    ['another port of this machine', () => ({ host: own(), origin: 'http://127.0.0.1:1' })],
    ['our address over https', () => ({ host: own(), origin: `https://${own()}` })],
    ['a page without origin', () => ({ host: own(), origin: 'null' })],
    ['a script tag on another site', () => ({ host: own(), 'sec-fetch-site': 'cross-site' })],
    ['a page on another port', () => ({ host: own(), 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })],
    [
      'a link that opens a file as a page',
      () => ({ host: own(), 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    ],
  ])('refuses to read for %s', async (_name, headers) => {
    const answer = await askRaw(server.port, { target: '/api/file?path=Note.md', headers: headers() });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('# Note');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('reads for its own page, by either of its names', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const host = `${name}:${server.port}`;
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      const answer = await askRaw(server.port, { target: '/api/file?path=Note.md', headers });
      expect([answer.status, answer.body]).toEqual([200, '# Note\n']);
    }
  });

  it('lets a link on another site open the page itself', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await askRaw(server.port, { target: '/', headers })).status).toBe(200);
  });

  it.each([
    ['PUT', '/api/file?path=New.md'],
    ['DELETE', '/api/file?path=Note.md'],
    ['POST', '/api/append?path=Note.md'],
    ['POST', '/api/trash?path=Note.md&mode=local'],
    ['POST', '/api/folder?path=New'],
    ['POST', '/api/rename?from=Note.md&to=New.md'],
    ['POST', '/api/copy?from=Note.md&to=New.md'],
    ['POST', '/api/proxy'],
  ])('refuses %s %s without the token or with a wrong one', async (method, target) => {
    for (const headers of [{}, { 'x-workbench': 'wrong' }, { 'x-workbench': '' }] as Record<string, string>[]) {
      const answer = await askRaw(server.port, { method, target, headers, body: 'x' });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/token/) });
    }
    expect(readFileSync(path.join(server.vaultFolder, 'Note.md'), 'utf8')).toBe('# Note\n');
    expect(readdirSync(server.vaultFolder).filter((name) => name.startsWith('New'))).toEqual([]);
  });

  it.each<[string, () => Parameters<typeof connectTo>[1]]>([
    ['without the token', () => ({ target: '/api/socket' })],
    ['with a wrong token', () => ({ target: '/api/socket?token=wrong' })],
    ['for another page', () => ({ origin: 'http://evil.example' })],
    ['for another port of this machine', () => ({ origin: 'http://127.0.0.1:1' })],
    ['for a re-bound name', () => ({ headers: { host: `evil.example:${server.port}` } })],
    ['at another address', () => ({ target: `/api/file?path=Note.md&token=${server.token}` })],
  ])('opens no socket %s', async (_name, options) => {
    const socket = connectTo(server, options());
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (request, response) => {
        request.destroy();
        resolve(response.statusCode);
      });
      socket.on('open', () => resolve('open'));
      socket.on('error', () => {});
    });
    expect([403, 404]).toContain(status);
  });

  it.each(['OPTIONS', 'PATCH', 'TRACE'])('does not serve %s', async (method) => {
    const headers = { 'x-workbench': server.token };
    expect((await askRaw(server.port, { method, target: '/api/list', headers })).status).toBe(405);
  });
});

describe('paths that leave the vault', () => {
  const spellings = [
    '..%2Foutside%2Fsecret.txt',
    '../outside/secret.txt',
    '%2e%2e/outside/secret.txt',
    'Folder/../../outside/secret.txt',
    'Folder/%2e%2e/%2e%2e/outside/secret.txt',
    '..%5Coutside%5Csecret.txt',
    'Folder%5C..%5C..%5Coutside%5Csecret.txt',
    '/etc/passwd',
    '%2Fetc%2Fpasswd',
    '//etc/passwd',
    'C:/Windows/win.ini',
    'C%3A%5CWindows%5Cwin.ini',
    'Note.md%00.txt',
    '%00',
    '.',
    './Note.md',
    'Folder//Inner.md',
    'Folder/',
    '..',
    'file-link.md',
    'folder-link/secret.txt',
    'folder-link',
    'folder-link/new.txt',
    'dangling.md',
  ];
  const requests: [string, (path: string) => string][] = [
    ['GET', (spelled) => `/api/file?path=${spelled}`],
    ['GET', (spelled) => `/api/stat?path=${spelled}`],
    ['GET', (spelled) => `/api/list?path=${spelled}`],
    ['PUT', (spelled) => `/api/file?path=${spelled}`],
    ['DELETE', (spelled) => `/api/file?path=${spelled}&recursive=true`],
    ['POST', (spelled) => `/api/append?path=${spelled}`],
    ['POST', (spelled) => `/api/folder?path=${spelled}`],
    ['POST', (spelled) => `/api/trash?path=${spelled}&mode=system`],
    ['POST', (spelled) => `/api/rename?from=${spelled}&to=Taken.md`],
    ['POST', (spelled) => `/api/rename?from=Note.md&to=${spelled}`],
    ['POST', (spelled) => `/api/copy?from=${spelled}&to=Taken.md`],
    ['POST', (spelled) => `/api/copy?from=Note.md&to=${spelled}`],
  ];

  it.each(spellings)('are refused by every route: %s', async (spelled) => {
    for (const [method, target] of requests) {
      const headers = { 'x-workbench': server.token };
      const answer = await askRaw(server.port, {
        method,
        target: target(spelled),
        headers,
        body: method === 'PUT' ? 'x' : '',
      });
      expect([method, target(spelled), answer.status]).toEqual([method, target(spelled), expect.any(Number)]);
      expect([400, 403]).toContain(answer.status);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
      expect(answer.body).not.toContain(server.outside);
    }
    expectOutsideUntouched();
    expect(existsSync(path.join(server.vaultFolder, 'Note.md'))).toBe(true);
    expect(existsSync(path.join(server.vaultFolder, 'Taken.md'))).toBe(false);
  });

  it.each(['%252e%252e%252foutside%252fnew.txt', '....//outside', '..%c0%afoutside', '%e2%80%a5'])(
    'stay names of files inside when they are spelled oddly: %s',
    async (spelled) => {
      const headers = { 'x-workbench': server.token };
      await askRaw(server.port, { method: 'PUT', target: `/api/file?path=${spelled}`, headers, body: 'x' });
      expectOutsideUntouched();
    },
  );

  it.each([
    '/../outside/secret.txt',
    '/%2e%2e/outside/secret.txt',
    '/fonts/..%2fhidden.txt',
    '/fonts/../hidden.txt',
    '/hidden.txt',
    '/index.html/../../package.json',
  ])('are not served as an asset: %s', async (target) => {
    const answer = await askRaw(server.port, { target });
    expect(answer.status).toBe(404);
  });

  it('are left out of the list, while links inside the vault are in it', async () => {
    const listed = (await (await server.ask('GET', '/api/list')).json()) as { path: string }[];
    const paths = listed.map((entry) => entry.path);
    expect(paths).toEqual(expect.arrayContaining(['Note.md', 'Folder', 'Folder/Inner.md', 'inner-link.md']));
    expect(paths.filter((listedPath) => /file-link|folder-link|dangling|secret/.test(listedPath))).toEqual([]);
    expect(await (await server.ask('GET', '/api/file?path=inner-link.md')).text()).toBe('target');
  });

  it('cannot name the vault folder itself for a change', async () => {
    for (const [method, target] of [
      ['DELETE', '/api/file?path=&recursive=true'],
      ['POST', '/api/trash?path=&mode=system'],
      ['POST', '/api/rename?from=&to=X'],
    ] as const) {
      expect((await server.ask(method, target)).status).toBe(400);
    }
    expect(existsSync(server.vaultFolder)).toBe(true);
  });
});

it('serves notes and HTML files so that the browser cannot run them', async () => {
  await server.ask('PUT', '/api/file?path=page.html', '<script>alert(1)</script>');
  const html = await server.ask('GET', '/api/file?path=page.html');
  expect(html.headers.get('content-type')).toBe('application/octet-stream');
  await server.ask('PUT', '/api/file?path=image.svg', '<svg/>');
  const svg = await server.ask('GET', '/api/file?path=image.svg');
  expect(svg.headers.get('content-type')).toBe('image/svg+xml');
  for (const answer of [html, svg]) {
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

it('listens on the loopback address only', async () => {
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
  const { networkInterfaces } = await import('node:os');
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of addresses.filter(({ internal, family }) => !internal && family === 'IPv4')) {
    await expect(fetch(`http://${address}:${server.port}/`, { signal: AbortSignal.timeout(2000) })).rejects.toThrow();
  }
});
