/** @jest-environment node */
/** The vault's git repository, as git reports it: read, never changed, and without what is hidden from the agent. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Repository } from '../../../src/core/ports/device';
import { openRepository } from '../../../src/desktop/git-repository';

/** Runs instead of git when set, for instance a program that does not exist. */
let mockProgram: string | null = null;
jest.mock('node:child_process', () => {
  const actual = jest.requireActual<typeof import('node:child_process')>('node:child_process');
  const execFile = (file: string, ...rest: [never, never, never]) => actual.execFile(mockProgram ?? file, ...rest);
  return { ...actual, execFile };
});

let folder = '';
const git = (...parameters: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const write = async (name: string, text: string): Promise<void> => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};
function open(): Repository {
  const isHidden = (each: string): boolean => each.startsWith('Private/');
  const isHiddenText = (text: string): boolean => /^docent: false$/m.test(text);
  const computer = { vaultRoot: folder };
  const repository = openRepository({ Platform: { isDesktop: true }, computer, isHidden, isHiddenText });
  if (repository === null) throw new Error('There is no repository.');
  return repository;
}
async function look() {
  const changes = await open().changes(new AbortController().signal);
  if (!changes.ok) throw new Error(changes.failure.words);
  return changes.value;
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-repository-'));
  git('init', '-q');
  await write('Boat.md', 'The keel is sound.\n');
  await write('Old name.md', 'One line.\nAnother line.\nA third line.\n');
  await write('Private/Diary.md', 'Nobody reads this.\n');
  git('add', '.');
  git('commit', '-q', '-m', 'x');
});
afterEach(() => rm(folder, { recursive: true }));

it('is none on a phone, and where the folder is not known', () => {
  const isHidden = (): boolean => false;
  const rules = { isHidden, isHiddenText: isHidden };
  expect(openRepository({ Platform: { isDesktop: false }, computer: { vaultRoot: folder }, ...rules })).toBeNull();
  expect(openRepository({ Platform: { isDesktop: true }, computer: null, ...rules })).toBeNull();
});

it('R232 tells what is staged, file by file, and nothing else', async () => {
  await write('Boat.md', 'The keel is bent.\n');
  await write('Späti & co.md', 'new — “note”\ndiff --git a/x b/x\n');
  git('mv', 'Old name.md', 'New name.md');
  git('add', '.');
  await write('Boat.md', 'Not staged.\n');
  const { staged, files, diffs, leftOut } = await look();
  expect({ staged, leftOut }).toEqual({ staged: true, leftOut: 0 });
  expect(files).toEqual([
    { path: 'Boat.md', how: 'changed' },
    { path: 'New name.md', how: 'moved', from: 'Old name.md' },
    { path: 'Späti & co.md', how: 'added' },
  ]);
  expect(diffs).toHaveLength(3);
  expect(diffs[0]).toContain('-The keel is sound.\n+The keel is bent.\n');
  expect(diffs[2]).toContain('+new — “note”\n+diff --git a/x b/x\n');
  expect(diffs.join('')).not.toContain('Not staged.');
});

it('R232 tells all changes of known files where nothing is staged, and says so', async () => {
  await write('Boat.md', 'The keel is bent.\n');
  await write('Unknown.md', 'x');
  const { staged, files } = await look();
  expect({ staged, files }).toEqual({ staged: false, files: [{ path: 'Boat.md', how: 'changed' }] });
  git('checkout', '-q', 'Boat.md');
  expect((await look()).files).toEqual([]);
});

it('R232 tells nothing of what is kept from the agent, gone or not, and counts it', async () => {
  await write('Private/Diary.md', 'Nor this.\n');
  await write('.obsidian/plugins/x/data.json', '{"key":"secret"}');
  git('add', '.');
  expect(await look()).toEqual({ staged: true, files: [], diffs: [], leftOut: 2 });
  git('rm', '-q', '-f', 'Private/Diary.md');
  await write('Boat.md', 'The keel is bent.\n');
  git('add', '.');
  const all = JSON.stringify(await look());
  expect(all).toContain('bent');
  expect(all).not.toMatch(/Diary|secret|Nobody/);
});

describe('a note that its own text keeps from the agent', () => {
  const hiddenNote = (text: string): string => `---\ndocent: false\n---\n${text}\n`;
  const secret = hiddenNote('The marmalade cupboard.');
  const commit = (): string => git('commit', '-q', '-m', 'y');
  async function expectUntold(leftOut: number): Promise<void> {
    await write('Boat.md', 'The keel is bent.\n');
    git('add', 'Boat.md');
    const found = await look();
    expect(found.leftOut).toBe(leftOut);
    expect(found.files).toEqual([{ path: 'Boat.md', how: 'changed' }]);
    expect(JSON.stringify(found)).not.toMatch(/marmalade|Attic|Cellar/);
    expect(found.diffs.join('')).toContain('+The keel is bent.');
  }

  it('R232 is told nothing of where it is new', async () => {
    await write('Attic.md', secret);
    git('add', '.');
    await expectUntold(1);
  });

  it('R232 is told nothing of where it was deleted, so that no index knows it', async () => {
    await write('Attic.md', secret);
    git('add', '.');
    commit();
    git('rm', '-q', 'Attic.md');
    await expectUntold(1);
  });

  it('R232 is told nothing of where only one of both sides says so', async () => {
    await write('Attic.md', secret);
    await write('Cellar.md', 'The marmalade shelf.\n');
    git('add', '.');
    commit();
    await write('Attic.md', 'The marmalade cupboard.\n');
    await write('Cellar.md', hiddenNote('The marmalade shelf.'));
    git('add', '.');
    await expectUntold(2);
  });

  it('R232 is told nothing of where it was moved as it is', async () => {
    await write('Attic.md', secret);
    git('add', '.');
    commit();
    git('mv', 'Attic.md', 'Cellar.md');
    await expectUntold(1);
  });

  it('R232 is told nothing of where nothing is staged', async () => {
    await write('Attic.md', secret);
    git('add', '.');
    commit();
    await write('Attic.md', hiddenNote('The marmalade cellar.'));
    const found = await look();
    expect(found).toEqual({ staged: false, files: [], diffs: [], leftOut: 1 });
  });

  it('R232 is told nothing of where lines of the note look like those of git', async () => {
    await write('Attic.md', `---\n---\n++ b/Boat.md\n-- a/Boat.md\ndiff --git a/x b/x\n@@ -1 +1 @@\nmarmalade\n`);
    git('add', '.');
    commit();
    await write('Attic.md', `---\ndocent: false\n---\n++ b/Boat.md\n-- a/Boat.md\nmarmalade\n`);
    git('add', '.');
    await expectUntold(1);
  });
});

it('R232 tells of a deleted note its name alone, since its marks may have been newer than what git has of it', async () => {
  git('rm', '-q', 'Boat.md');
  const found = await look();
  expect(found.files).toEqual([{ path: 'Boat.md', how: 'deleted' }]);
  expect(found.diffs.join('')).toContain('deleted file');
  expect(found.diffs.join('')).not.toContain('keel');
});

it('R232 starts nothing that the repository names, and takes no lock', async () => {
  const mark = path.join(folder, 'started');
  await write('run.sh', `#!/bin/sh\ntouch "${mark}"\n`);
  const program = `sh ${path.join(folder, 'run.sh')}`;
  for (const key of ['diff.external', 'diff.x.textconv', 'diff.x.command', 'core.fsmonitor', 'core.pager']) {
    git('config', key, program);
  }
  for (const key of ['filter.x.clean', 'filter.y.process']) git('config', key, program);
  for (const name of ['x', 'y']) git('config', `filter.${name}.required`, 'true');
  await write('.gitattributes', '*.md diff=x filter=x\nOld*.md filter=y\n');
  await write('Boat.md', 'The keel is bent.\n');
  await write('Old name.md', 'One line.\n');
  const index = await readFile(path.join(folder, '.git/index'));
  expect((await look()).diffs.join('')).toContain('+The keel is bent.');
  expect(existsSync(mark)).toBe(false);
  expect((await readFile(path.join(folder, '.git/index'))).equals(index)).toBe(true);
  // Such a name cannot be switched off.
  git('config', 'filter.a=b.clean', program);
  await write('.gitattributes', '*.md filter=a=b\n');
  const refused = await open().changes(new AbortController().signal);
  expect(refused.ok ? 'ok' : refused.failure.words).toContain('filter.a=b');
  expect(existsSync(mark)).toBe(false);
});

it('says in words that there is no repository, or no git, and stops when asked', async () => {
  const kind = async (signal = new AbortController().signal) => {
    const changes = await open().changes(signal);
    return changes.ok ? 'ok' : [changes.failure.kind, changes.failure.words];
  };
  expect(await kind(AbortSignal.abort())).toEqual(['aborted', expect.any(String)]);
  await rm(path.join(folder, '.git'), { recursive: true });
  await write('.git', 'gitdir: /nowhere/at/all');
  expect(await kind()).toEqual(['unreadable', expect.stringMatching(/^git did not answer: not a git repository/)]);
  mockProgram = 'no-such-program-as-git';
  expect(await kind()).toEqual(['not-found', 'The git program was not found.']);
  mockProgram = null;
});
