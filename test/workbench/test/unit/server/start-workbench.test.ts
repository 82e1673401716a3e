import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startWorkbench, type Workbench } from '../../../src/server';
import { temporaryFolder, writeTree } from '../../../src/testing/folders';
import { decodeMessages, encodeMessages } from '../../../src/vault-messages';
import { connectTo, openServer, type OpenedServer } from './open-server';

let server: OpenedServer | undefined;
afterEach(async () => {
  await server?.tearDown();
  server = undefined;
});

const getJson = async (opened: Workbench, target: string): Promise<unknown> =>
  (await fetch(new URL(target, opened.url))).json();

it('fills its token into the page and hands out the page’s files', async () => {
  server = await openServer();
  const page = await fetch(server.url);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await page.text()).toContain(`<meta name="workbench-token" content="${server.token}" />`);
  expect(await (await fetch(new URL('/workbench.js', server.url))).text()).toBe('js');
  expect((await fetch(new URL('/fonts/a.woff2', server.url))).headers.get('content-type')).toBe('font/woff2');
});

it('has another token each time', async () => {
  server = await openServer();
  const other = await openServer();
  expect(other.token).not.toBe(server.token);
  await other.tearDown();
});

it('tells the page its options', async () => {
  server = await openServer({}, { options: { chaosSeed: 7, phone: true, theme: 'light' } });
  expect(await getJson(server, '/api/options')).toEqual({
    chaosSeed: 7,
    phone: true,
    desktop: false,
    theme: 'light',
    vaultName: 'vault',
    readOnly: false,
    deviceValues: {},
    secrets: {},
  });
});

it('hands out plugins, and says which one cannot be read', async () => {
  const plugin = temporaryFolder();
  writeTree(plugin, { 'manifest.json': '{"id":"one"}', 'main.js': 'code', 'styles.css': 'style' });
  server = await openServer({}, { plugins: [plugin] });
  const listed = async (css: string): Promise<string> => {
    const [one] = (await getJson(server!, '/api/plugins')) as { main: string }[];
    expect(one).toEqual({ manifest: { id: 'one' }, main: expect.stringMatching(/^\/api\/plugin-code\?/), css });
    return one!.main;
  };
  const first = await listed('style');
  const answer = await fetch(new URL(first, server.url));
  const code = await answer.text();
  expect(answer.headers.get('cache-control')).toContain('immutable');
  const page = { workbenchBody: undefined as unknown };
  new Function('window', code)(page);
  expect([typeof page.workbenchBody, String(page.workbenchBody)]).toEqual([
    'function',
    expect.stringMatching(/^function \(require, module, exports\) \{code\s*\}$/),
  ]);
  expect(code).toMatch(/sourceURL=plugin:one\n$/);
  writeTree(plugin, { 'main.js': 'other code' });
  expect(await listed('style')).not.toBe(first);
  expect((await fetch(new URL('/api/plugin-code?index=7', server.url))).status).toBe(404);
  rmSync(path.join(plugin, 'styles.css'));
  await listed('');
  rmSync(path.join(plugin, 'main.js'));
  expect(await getJson(server, '/api/plugins')).toEqual({ error: expect.stringContaining(plugin) });
  rmSync(plugin, { recursive: true });
});

it('lets a test stand between a page and its vault', async () => {
  server = await openServer();
  const seen: unknown[] = [];
  server.intercept(async ({ method, route, path: file, body }) => {
    seen.push([method, route, file, body.toString()]);
    if (file === 'Silent.md') return 'silence';
    return file === 'Full.md' ? { status: 507, bytes: Buffer.from('{"error":"full"}') } : null;
  });
  const socket = connectTo(server);
  const heads: object[] = [];
  const answered = new Promise((resolve) =>
    socket.on('message', (data: Buffer) => {
      heads.push(...decodeMessages(data).map(({ head }) => head));
      if (heads.length === 2) resolve(null);
    }),
  );
  await new Promise((resolve) => socket.on('open', resolve));
  const [silent, ...others] = ['Silent.md', 'Full.md', 'New.md'].map((name, id) => ({
    head: { id, method: 'PUT', target: `/api/file?path=${name}` },
    body: Buffer.from('text'),
  }));
  socket.send(encodeMessages([silent!]));
  socket.send(encodeMessages(others));
  await answered;
  expect(seen).toEqual(['Silent.md', 'Full.md', 'New.md'].map((name) => ['PUT', '/api/file', name, 'text']));
  expect(heads).toEqual([
    { id: 1, status: 507, size: expect.any(Number) },
    { id: 2, status: 200, size: expect.any(Number) },
  ]);
  expect(existsSync(path.join(server.vaultFolder, 'Silent.md'))).toBe(false);
  expect(readFileSync(path.join(server.vaultFolder, 'New.md'), 'utf8')).toBe('text');
});

it.each([
  ['without the end of its line', '{"id":1,"size":0}'],
  ['that is no JSON', 'text\n'],
  ['without a size', '{"id":1}\ntext'],
  ['longer than the frame', '{"id":1,"size":9}\ntext'],
  ['without an id', '{"size":0}\n'],
])('closes a socket on a message %s', async (_name, frame) => {
  server = await openServer();
  const socket = connectTo(server);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(frame);
  await closed;
});

it('works on a copy unless told otherwise, and removes the copy at the end', async () => {
  const original = temporaryFolder();
  const outside = temporaryFolder();
  writeTree(original, { 'Note.md': 'original', '.obsidian/app.json': '{}', '.git/HEAD': 'ref' });
  writeTree(outside, { 'secret.txt': 'secret' });
  symlinkSync(path.join(outside, 'secret.txt'), path.join(original, 'link.md'));
  const workbench = await startWorkbench({ vault: original });
  expect(workbench.vaultFolder).not.toBe(original);
  expect(existsSync(path.join(workbench.vaultFolder, '.obsidian/app.json'))).toBe(true);
  expect(existsSync(path.join(workbench.vaultFolder, '.git'))).toBe(false);
  const put = await fetch(new URL('/api/file?path=Note.md', workbench.url), {
    method: 'PUT',
    headers: { 'x-workbench': workbench.token },
    body: 'changed',
  });
  expect(put.status).toBe(200);
  expect((await fetch(new URL('/api/file?path=link.md', workbench.url))).status).toBe(403);
  expect(readFileSync(path.join(original, 'Note.md'), 'utf8')).toBe('original');
  await workbench.close();
  expect(existsSync(workbench.vaultFolder)).toBe(false);
  expect(existsSync(workbench.systemTrash)).toBe(false);
  rmSync(original, { recursive: true });
  rmSync(outside, { recursive: true });
});

it('rejects a port in use, and leaves no copy behind', async () => {
  server = await openServer();
  const { readdirSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const copies = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('obsidian-workbench-'));
  const marker = temporaryFolder();
  writeTree(marker, { 'Only here.md': '' });
  await expect(startWorkbench({ vault: marker, port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const left = copies().filter((name) => existsSync(path.join(tmpdir(), name, path.basename(marker))));
  expect(left).toEqual([]);
  rmSync(marker, { recursive: true });
});

it('changes nothing when it is open for reading only', async () => {
  server = await openServer({}, { options: { readOnly: true } });
  expect((await server.ask('PUT', '/api/file?path=Note.md', 'x')).status).toBe(403);
  expect((await server.ask('DELETE', '/api/file?path=Note.md')).status).toBe(403);
  expect(await (await server.ask('GET', '/api/file?path=Note.md')).text()).toBe('# Note\n');
  expect((await server.ask('POST', '/api/files', '["Note.md"]')).status).toBe(200);
});

it('shows another folder at the same address, as a server of its own would', async () => {
  server = await openServer({}, { options: { readOnly: true, secrets: { key: 'one' } }, plugins: ['/nowhere'] });
  const other = path.join(server.outside, 'Other vault');
  writeTree(other, { 'Other.md': 'other' });
  await server.serve(other, { options: { phone: true } });
  expect(await (await server.ask('GET', '/api/file?path=Other.md')).text()).toBe('other');
  expect((await server.ask('GET', '/api/file?path=Note.md')).status).toBe(404);
  expect((await server.ask('PUT', '/api/file?path=Note.md', 'x')).status).toBe(200);
  expect(existsSync(path.join(other, 'Note.md'))).toBe(true);
  expect(await getJson(server, '/api/plugins')).toEqual([]);
  expect(await getJson(server, '/api/options')).toMatchObject({
    phone: true,
    readOnly: false,
    secrets: {},
    vaultName: 'Other vault',
  });
});

describe('watching', () => {
  const openStream = async (opened: OpenedServer) => {
    const abort = new AbortController();
    const response = await fetch(new URL('/api/watch', opened.url), { signal: abort.signal });
    const seen: string[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        for (const [, data] of decoder.decode(chunk).matchAll(/^data: (.*)$/gm)) {
          seen.push((JSON.parse(data ?? '') as { path: string }).path);
        }
      }
    })().catch(() => {});
    const stop = async (): Promise<void> => {
      abort.abort();
      await reading;
    };
    const until = async (...paths: string[]): Promise<void> => {
      for (let waited = 0; waited < 4000 && !paths.every((wanted) => seen.includes(wanted)); waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(seen).toEqual(expect.arrayContaining(paths));
    };
    return { seen, until, stop };
  };

  it('tells of files written, deleted, moved, and of new folders with all they hold', async () => {
    server = await openServer({ 'Folder/Inner.md': 'inner', '.git/HEAD': 'ref', 'Doomed.md': '' });
    const stream = await openStream(server);
    const onDisk = (name: string): string => path.join(server!.vaultFolder, name);
    writeFileSync(onDisk('Note.md'), 'changed');
    writeFileSync(onDisk('Folder/Inner.md'), 'changed');
    writeFileSync(onDisk('.git/HEAD'), 'changed');
    rmSync(onDisk('Doomed.md'));
    mkdirSync(onDisk('New/Deep'), { recursive: true });
    writeFileSync(onDisk('New/Deep/First.md'), '');
    await stream.until('Note.md', 'Folder/Inner.md', 'Doomed.md', 'New', 'New/Deep', 'New/Deep/First.md');
    await server.ask('POST', '/api/rename?from=New&to=Renamed');
    await stream.until('Renamed/Deep/First.md');
    writeFileSync(onDisk('Renamed/Deep/Later.md'), '');
    await stream.until('Renamed/Deep/Later.md');
    expect(stream.seen.filter((seen) => seen.startsWith('.git/'))).toEqual([]);
    await stream.stop();
  });

  it('tells a page that listens late what changed since it listed the vault', async () => {
    server = await openServer();
    await getJson(server, '/api/list');
    writeFileSync(path.join(server.vaultFolder, 'Between.md'), '');
    await new Promise((resolve) => setTimeout(resolve, 150));
    const stream = await openStream(server);
    await stream.until('Between.md');
    await stream.stop();
  });

  it('tells of many quick changes of one file once in a window', async () => {
    server = await openServer();
    const stream = await openStream(server);
    for (let round = 0; round < 50; round++) writeFileSync(path.join(server.vaultFolder, 'Note.md'), String(round));
    await stream.until('Note.md');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(stream.seen.length).toBeLessThan(5);
    await stream.stop();
  });
});
