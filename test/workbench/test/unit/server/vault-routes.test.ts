import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openServer, type OpenedServer } from './open-server';

let server: OpenedServer;
beforeEach(async () => {
  server = await openServer({
    'Folder/Inner.md': 'inner',
    '.obsidian/app.json': '{}',
    '.git/HEAD': 'ref',
    'node_modules/a.js': '',
  });
});
afterEach(() => server.tearDown());

const onDisk = (name: string): string => path.join(server.vaultFolder, name);
const readDisk = (name: string): string => readFileSync(onDisk(name), 'utf8');
const status = async (method: string, target: string, body?: string): Promise<number> =>
  (await server.ask(method, target, body)).status;

it('lists files and folders with their stats, without .git and node_modules', async () => {
  const listed = (await (await server.ask('GET', '/api/list')).json()) as Record<string, unknown>[];
  expect(listed.map((entry) => entry.path).sort()).toEqual([
    '.obsidian',
    '.obsidian/app.json',
    'Folder',
    'Folder/Inner.md',
    'Note.md',
  ]);
  const note = listed.find((entry) => entry.path === 'Folder/Inner.md');
  expect(note).toEqual({
    path: 'Folder/Inner.md',
    type: 'file',
    size: 5,
    ctime: expect.any(Number),
    mtime: expect.any(Number),
  });
  expect(Number.isInteger(note?.mtime)).toBe(true);
  const below = (await (await server.ask('GET', '/api/list?path=Folder')).json()) as Record<string, unknown>[];
  expect(below.map((entry) => entry.path)).toEqual(['Folder/Inner.md']);
  const children = (await (await server.ask('GET', '/api/list?children=only')).json()) as Record<string, unknown>[];
  expect(children.map((entry) => entry.path).sort()).toEqual(['.obsidian', 'Folder', 'Note.md']);
  const named = (await (await server.ask('GET', '/api/list?path=.git')).json()) as Record<string, unknown>[];
  expect(named.map((entry) => entry.path)).toEqual(['.git/HEAD']);
});

it('ends on a folder that links to the folder above it', async () => {
  symlinkSync('..', onDisk('Folder/up'));
  const listed = (await (await server.ask('GET', '/api/list')).json()) as { path: string }[];
  expect(listed.length).toBe(5);
});

it('reads and writes bytes as they are', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
  const stat = await (await server.ask('PUT', '/api/file?path=data.bin', bytes)).json();
  expect(stat).toMatchObject({ type: 'file', size: 7 });
  const read = Buffer.from(await (await server.ask('GET', '/api/file?path=data.bin')).arrayBuffer());
  expect(read.equals(bytes)).toBe(true);
  expect(readFileSync(onDisk('data.bin')).equals(bytes)).toBe(true);
});

describe('several files at once', () => {
  const readAll = async (paths: unknown): Promise<{ head: unknown; bytes: Buffer }> => {
    const answer = await server.ask('POST', '/api/files', JSON.stringify(paths));
    const whole = Buffer.from(await answer.arrayBuffer());
    const end = whole.indexOf('\n');
    return { head: JSON.parse(whole.subarray(0, end).toString()), bytes: whole.subarray(end + 1) };
  };

  it('come in the order asked for, each with its size or the reason why there is none', async () => {
    const odd = Buffer.from([0, 255, 10, 13, 0xef]);
    await server.ask('PUT', '/api/file?path=data.bin', odd);
    const { head, bytes } = await readAll(['data.bin', 'Nothing.md', 'Note.md', 'Folder']);
    expect(head).toEqual([
      { size: 5 },
      { status: 404, error: expect.stringMatching(/no such file/) },
      { size: 7 },
      { status: 409, error: expect.stringMatching(/^[A-Z].*\.$/) },
    ]);
    expect(bytes.equals(Buffer.concat([odd, Buffer.from('# Note\n')]))).toBe(true);
  });

  it('stay inside the vault, as one does', async () => {
    symlinkSync(path.join(server.outside, 'secret.txt'), onDisk('link.md'));
    const { head, bytes } = await readAll(['../outside/secret.txt', 'link.md', '/etc/hostname']);
    expect(head).toEqual(Array.from({ length: 3 }, () => ({ status: expect.any(Number), error: expect.any(String) })));
    expect(bytes).toHaveLength(0);
  });

  it.each(['', 'no JSON', '{"path":"Note.md"}', '["Note.md",7]'])('are refused in words for %j', async (body) => {
    const answer = await server.ask('POST', '/api/files', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: 'The body is to be a list of paths.' });
  });
});

it('takes the modification time it is given', async () => {
  const stat = await (await server.ask('PUT', '/api/file?path=Note.md&mtime=1700000000000', 'x')).json();
  expect(stat).toMatchObject({ mtime: 1_700_000_000_000 });
});

it('appends', async () => {
  await server.ask('POST', '/api/append?path=Note.md', 'more');
  expect(readDisk('Note.md')).toBe('# Note\nmore');
});

it('answers a stat, or null for what is missing', async () => {
  expect(await (await server.ask('GET', '/api/stat?path=Folder')).json()).toMatchObject({ type: 'folder' });
  expect(await (await server.ask('GET', '/api/stat?path=Nothing.md')).json()).toBeNull();
  expect(await (await server.ask('GET', '/api/stat?path=Note.md/inner')).json()).toBeNull();
});

it('keeps names with spaces, emoji and other scripts', async () => {
  const name = 'Ordner/日本 ✓ a+b%20#1?.md';
  await server.ask('POST', '/api/folder?path=Ordner');
  await server.ask('PUT', `/api/file?path=${encodeURIComponent(name)}`, 'x');
  expect(readdirSync(onDisk('Ordner'))).toEqual([path.basename(name)]);
});

it.each([
  ['GET', '/api/file?path=Nothing.md', 404],
  ['PUT', '/api/file?path=No folder/Note.md', 404],
  ['PUT', '/api/file?path=Folder', 409],
  ['PUT', '/api/file?path=Note.md/inner.md', 409],
  ['DELETE', '/api/file?path=Nothing.md', 404],
  ['DELETE', '/api/file?path=Folder', 409],
  ['POST', '/api/rename?from=Nothing.md&to=X.md', 404],
  ['POST', '/api/rename?from=Note.md&to=Folder/Inner.md', 409],
  ['POST', '/api/rename?from=Note.md&to=No folder/Note.md', 404],
  ['POST', '/api/rename?from=Folder&to=Folder/Deeper', 409],
  ['POST', '/api/copy?from=Note.md&to=Folder/Inner.md', 409],
  ['POST', '/api/copy?from=Note.md&to=No folder/Note.md', 404],
  ['POST', '/api/trash?path=Nothing.md&mode=local', 404],
  ['POST', '/api/trash?path=Note.md&mode=nowhere', 400],
  ['POST', '/api/file?path=Note.md', 404],
  ['GET', '/api/unknown', 404],
  ['PUT', `/api/file?path=${'n'.repeat(300)}`, 400],
])('answers %s %s with %i, in words, and changes nothing', async (method, target, expected) => {
  const answer = await server.ask(method, target, method === 'GET' ? undefined : 'x');
  expect(answer.status).toBe(expected);
  expect(await answer.json()).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(readDisk('Note.md')).toBe('# Note\n');
  expect(readDisk('Folder/Inner.md')).toBe('inner');
});

it('renames and copies files and folders', async () => {
  expect(await status('POST', '/api/rename?from=Note.md&to=Folder/Moved.md')).toBe(200);
  expect(await status('POST', '/api/rename?from=Folder&to=Renamed')).toBe(200);
  expect(await status('POST', '/api/copy?from=Renamed&to=Copied')).toBe(200);
  expect(readdirSync(onDisk('Renamed')).sort()).toEqual(['Inner.md', 'Moved.md']);
  expect(readdirSync(onDisk('Copied')).sort()).toEqual(['Inner.md', 'Moved.md']);
  expect(existsSync(onDisk('Note.md'))).toBe(false);
});

it('deletes a file, an empty folder, and a full one when told', async () => {
  expect(await status('DELETE', '/api/file?path=Note.md')).toBe(200);
  expect(await status('DELETE', '/api/file?path=Folder&recursive=true')).toBe(200);
  mkdirSync(onDisk('Empty'));
  expect(await status('DELETE', '/api/file?path=Empty')).toBe(200);
  expect(readdirSync(server.vaultFolder).filter((name) => !/^\.|node_modules/.test(name))).toEqual([]);
});

it('moves to the trash of the vault or of the system, never over what is there', async () => {
  for (const text of ['first', 'second']) {
    writeFileSync(onDisk('Note.md'), text);
    expect(await status('POST', '/api/trash?path=Note.md&mode=local')).toBe(200);
    writeFileSync(onDisk('Note.md'), text);
    expect(await status('POST', '/api/trash?path=Note.md&mode=system')).toBe(200);
    expect(existsSync(onDisk('Note.md'))).toBe(false);
  }
  expect(await status('POST', '/api/trash?path=Folder&mode=system')).toBe(200);
  expect([readDisk('.trash/Note.md'), readDisk('.trash/Note 2.md')]).toEqual(['first', 'second']);
  expect(readdirSync(server.systemTrash).sort()).toEqual(['Folder', 'Note 2.md', 'Note.md']);
  expect(server.systemTrash.startsWith(server.vaultFolder)).toBe(false);
});

it('refuses a trash folder that leads out of the vault', async () => {
  rmSync(onDisk('.trash'), { recursive: true, force: true });
  symlinkSync(server.outside, onDisk('.trash'));
  expect(await status('POST', '/api/trash?path=Note.md&mode=local')).toBe(403);
  expect(readdirSync(server.outside)).toEqual(['secret.txt']);
});
