/** @jest-environment jsdom */
/** The computer around the vault: its environment and its files, and nothing of either on a phone. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { words } from '../../../src/text';
import { openComputer } from '../../../src/desktop/open';

const desktop = { Platform: { isDesktop: true }, vaultRoot: '/vault' };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-computer-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('R029 K9 is none on a phone', () => {
  expect(openComputer({ Platform: { isDesktop: false }, vaultRoot: null })).toBeNull();
});

it('R027 R030 knows its variables as they are now, and its home folder', () => {
  const computer = openComputer(desktop);
  process.env['DOCENT_SYSTEM_MD'] = 'a.md';
  expect(computer?.variable('DOCENT_SYSTEM_MD')).toBe('a.md');
  delete process.env['DOCENT_SYSTEM_MD'];
  expect(computer?.variable('DOCENT_SYSTEM_MD')).toBeUndefined();
  expect(computer?.home).toBe(process.env['HOME'] ?? null);
  expect(computer?.vaultRoot).toBe('/vault');
});

it('R027 has its home folder where Windows says, and none without either', () => {
  const { HOME, USERPROFILE } = process.env;
  try {
    delete process.env['HOME'];
    process.env['USERPROFILE'] = 'C:\\Users\\a';
    expect(openComputer(desktop)?.home).toBe('C:\\Users\\a');
    delete process.env['USERPROFILE'];
    expect(openComputer(desktop)?.home).toBeNull();
  } finally {
    for (const [name, value] of Object.entries({ HOME, USERPROFILE })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

it('R029 makes no folder for a file at the root of the disk', async () => {
  const root = `/${folder.split(path.sep)[1]}`;
  expect(await openComputer(desktop)?.write(root, 'text')).toMatchObject({
    ok: false,
    failure: { kind: 'storage', words: expect.stringContaining('EISDIR') as string },
  });
});

it('R029 R045 reads and writes files, and makes the folders above them', async () => {
  const computer = openComputer(desktop);
  const file = path.join(folder, 'a/b/c.md');
  expect(await computer?.exists(file)).toBe(false);
  expect(await computer?.write(file, 'text')).toEqual({ ok: true, value: undefined });
  expect(await readFile(file, 'utf8')).toBe('text');
  expect(await computer?.exists(file)).toBe(true);
  await writeFile(file, '\ufeffwith a mark');
  expect(await computer?.read(file)).toEqual({ ok: true, value: 'with a mark' });
});

it('R032 says what is missing, unreadable or too large, and never throws', async () => {
  const computer = openComputer(desktop);
  const { noteMissing, noteUnreadable, noteUnreadableRemedy: remedy } = words.failures;
  const missing = path.join(folder, 'gone.md');
  const failure = { kind: 'not-found', words: noteMissing(missing), remedy };
  expect(await computer?.read(missing)).toEqual({ ok: false, failure });
  const unread = await computer?.read(folder);
  expect(unread).toMatchObject({ failure: { kind: 'unreadable', remedy } });
  const said = unread?.ok === false ? unread.failure.words : '';
  expect([said.split(' (')[0], said.includes('EISDIR')]).toEqual([noteUnreadable(folder), true]);
  const large = path.join(folder, 'large.md');
  await writeFile(large, 'x'.repeat(1_000_001));
  expect(await computer?.read(large)).toMatchObject({ failure: { kind: 'too-large' } });
  expect(await computer?.write(path.join(large, 'x.md'), '')).toMatchObject({ failure: { kind: 'storage' } });
});

it('R134 lists the folders in a folder, without hidden ones, and none of one that is missing', async () => {
  const computer = openComputer(desktop);
  for (const name of ['b/SKILL.md', 'a/SKILL.md', '.hidden/SKILL.md', 'loose.md']) {
    await computer?.write(path.join(folder, name), 'text');
  }
  expect(await computer?.folders(folder)).toEqual(['a', 'b']);
  expect(await computer?.folders(path.join(folder, 'gone'))).toEqual([]);
});
