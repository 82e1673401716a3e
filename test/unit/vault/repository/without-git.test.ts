/** @jest-environment node */
/** The reader over repositories that are made without git, so that it is tested on every machine. */
import { rmSync, utimesSync } from 'node:fs';
import { words } from '../../../../src/text';
import { describeWithGit, TestRepository } from './test-repository';

const committed = {
  'Boat.md': 'The keel is sound.\n',
  'Notes/Deep/Rope.md': 'Rope.\n',
  'Notes.md': 'Sorted before its folder.\n',
  'Old name.md': 'One line.\nAnother line.\nA third line.\n',
  'Private/Diary.md': 'Nobody reads this.\n',
  'Späti.md': 'Open late.\n',
};

let repository: TestRepository;
const write = (files: Readonly<Record<string, string>>): void =>
  Object.entries(files).forEach(([name, text]) => repository.write(name, text));

beforeEach(() => {
  repository = new TestRepository();
  write(committed);
});
afterEach(() => repository.remove());

it('finds nothing where all is as in the last commit', async () => {
  repository.make(committed);
  expect(await repository.look()).toEqual({ staged: false, files: [], diffs: [], leftOut: 0 });
});

it.each([
  ['later than the index has it, but before the index was written', 1_700_000_010, true],
  ['in the same second as the index has it', 1_700_000_000, false],
])('compares a file of the same size that changed %s: seen at second %i', async (_, second, isSeen) => {
  repository.make(committed, committed, 1_700_000_000);
  write({ 'Boat.md': 'The keel is split.\n' });
  for (const name of Object.keys(committed)) utimesSync(repository.at(name), second, second);
  utimesSync(repository.at('.git/index'), 1_700_000_020, 1_700_000_020);
  expect((await repository.look()).files.map(({ path }) => path)).toEqual(isSeen ? ['Boat.md'] : []);
});

it('tells what is staged, file by file, and nothing else', async () => {
  const { 'Old name.md': moved, 'Notes/Deep/Rope.md': _deleted, ...others } = committed;
  repository.make(committed, {
    ...others,
    'Boat.md': 'The keel is bent.\n',
    'New name.md': moved,
    'Notes/New.md': 'Fresh.\n',
  });
  write({ 'Boat.md': 'Not staged.\n' });
  const { staged, files, diffs, leftOut } = await repository.look();
  expect({ staged, leftOut }).toEqual({ staged: true, leftOut: 0 });
  expect(files).toEqual([
    { path: 'Boat.md', how: 'changed' },
    { path: 'New name.md', how: 'moved', from: 'Old name.md' },
    { path: 'Notes/Deep/Rope.md', how: 'deleted' },
    { path: 'Notes/New.md', how: 'added' },
  ]);
  expect(diffs[0]).toContain('-The keel is sound.\n+The keel is bent.\n');
  expect(diffs.join('')).not.toContain('Not staged.');
});

it('tells the changes of known files where nothing is staged, and counts what is hidden', async () => {
  repository.make(committed);
  write({ 'Notes/Deep/Rope.md': 'Chain.\n', 'Private/Diary.md': 'Nor this.\n', 'Unknown.md': 'x' });
  rmSync(repository.at('Späti.md'));
  const found = await repository.look();
  expect(found).toMatchObject({ staged: false, leftOut: 1 });
  expect(found.files).toEqual([
    { path: 'Notes/Deep/Rope.md', how: 'changed' },
    { path: 'Späti.md', how: 'deleted' },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/Diary|Nobody|Nor this|Unknown/);
});

it('says what is wrong with an object that is missing or cut, and with an index that is', async () => {
  repository.make(committed, { ...committed, 'Boat.md': 'The keel is bent.\n' });
  const index = repository.bytes('.git/index');
  repository.write('.git/index', index.slice(0, index.length >> 1));
  expect((await repository.refusal()).words).toContain('.git/index');
  repository.write('.git/index', index);
  rmSync(repository.at('.git/objects'), { recursive: true });
  expect(await repository.refusal()).toMatchObject({ kind: expect.stringMatching(/unreadable|not-found/) as string });
});

it('compares line ends as git does where it decides itself: not of a file with a NUL or a lone carriage return', async () => {
  const files = { 'Plain.md': 'One\ntwo\n', 'Lone.md': 'One\rtwo\nthree\n', 'Nul.bin': 'a\0\nb\n', 'End.md': 'a\nb\r' };
  repository.make(files);
  write({ 'Plain.md': 'One\r\ntwo\r\n', 'Lone.md': 'One\rtwo\r\nthree\r\n', 'Nul.bin': 'a\0\r\nb\r\n' });
  write({ 'End.md': 'a\r\nb\r' });
  const changed = async (convertsLineEnds: boolean): Promise<unknown> => {
    const { files: found, leftOut } = await repository.look({ convertsLineEnds });
    return [found.map(({ path }) => path), leftOut];
  };
  // What changed in a file that is no text is counted, not shown.
  expect(await changed(true)).toEqual([['End.md', 'Lone.md'], 1]);
  expect(await changed(false)).toEqual([['End.md', 'Lone.md', 'Plain.md'], 1]);
});

it('shows nothing of a file whose real place is unknown, and counts it', async () => {
  repository.make(committed);
  write({ 'Boat.md': 'The keel is split.\n', 'Notes.md': 'Changed.\n' });
  const realPath = (name: string): Promise<string | null> =>
    Promise.resolve(name === 'Boat.md' ? null : repository.at(name).replace(/\/$/, ''));
  const { files, leftOut, diffs } = await repository.look({ realPaths: { realPath } });
  expect([files, leftOut]).toEqual([[{ path: 'Notes.md', how: 'changed' }], 1]);
  expect(diffs.join('')).not.toContain('keel');
});

it('says that the repository cannot be read when what it asks breaks', async () => {
  repository.make(committed);
  write({ 'Boat.md': 'The keel is split.\n' });
  const isHidden = (): boolean => {
    throw new Error('Torn.');
  };
  expect(await repository.refusal({ isHidden })).toEqual({
    ...{ kind: 'unreadable', words: words.commit.repository.unreadable('.git', 'Torn.') },
    remedy: words.commit.repository.unreadableRemedy,
  });
});

describeWithGit('what git alone stages', () => {
  it('is told as git prints it: the mode of a file, and the commit of a repository in the vault', async () => {
    repository.make(committed);
    repository.git('update-index', '--chmod=+x', 'Boat.md');
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},Sub`);
    const { files, diffs } = await repository.look();
    expect(files).toEqual([
      { path: 'Boat.md', how: 'changed' },
      { path: 'Sub', how: 'added' },
    ]);
    expect(diffs[0]).toBe('diff --git a/Boat.md b/Boat.md\nold mode 100644\nnew mode 100755\n');
    expect(diffs[1]).toContain(`new file mode 160000\n--- /dev/null\n+++ b/Sub\n`);
    expect(diffs[1]).toContain(`+Subproject commit ${'1'.repeat(40)}\n`);
  });
});

describeWithGit('a repository made without git', () => {
  it('is one for git', () => {
    repository.make(committed, { ...committed, 'Boat.md': 'The keel is bent.\n' });
    expect(repository.git('fsck', '--strict')).toBe('');
    expect(repository.git('diff', '--cached', '--name-only').trim()).toBe('Boat.md');
  });
});
