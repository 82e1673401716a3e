import { compareText, editList, editsFor } from '../../../../src/core/base/list-edits';
import { linkTextOf, noteMentions } from '../../../../src/core/mentions/note';
import { tagMentions } from '../../../../src/core/mentions/tag';
import { cacheList } from '../../../../src/core/mentions/vault-list';
import type { FileEntry, Vault } from '../../../../src/core/ports/vault';
import { fakeVault } from '../../../support/fake-vault';

function* namesOf(vault: Vault): Generator<void, string[]> {
  const names: string[] = [];
  for (const { path } of vault.files()) {
    names.push(path);
    yield;
  }
  return names;
}

describe('a list over the vault', () => {
  it('is made at once in a small vault, and again only after a change', () => {
    let passes = 0;
    const list = cacheList({
      *make(vault: Vault) {
        passes += 1;
        return yield* namesOf(vault);
      },
      nothing: [],
      smallVault: 10,
    });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    expect(list.current(vault)).toBe(list.current(vault));
    expect(list.prepare(vault)).toBe(false);
    expect(passes).toBe(1);
    vault.put('C.md', '');
    expect(list.current(vault)).toHaveLength(3);
    expect(passes).toBe(2);
  });

  it('is made in slices in a large vault, and is the old one until a pass is finished', () => {
    const list = cacheList({ make: namesOf, nothing: ['nothing'], smallVault: 1 });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    expect(list.current(vault)).toEqual(['nothing']);
    expect([list.prepare(vault), list.prepare(vault), list.prepare(vault)]).toEqual([true, true, false]);
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    vault.put('C.md', '');
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    while (list.prepare(vault));
    expect(list.current(vault)).toEqual(['A.md', 'B.md', 'C.md']);
  });

  it('finishes a pass during which the vault changes, and knows that another is due', () => {
    const list = cacheList({ make: namesOf, nothing: [], smallVault: 1 });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    list.prepare(vault);
    vault.put('C.md', '');
    let steps = 0;
    while (list.prepare(vault) && steps < 10) steps += 1;
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    while (list.prepare(vault));
    expect(list.current(vault)).toEqual(['A.md', 'B.md', 'C.md']);
  });

  it.each([
    ['at once, for a few', 5, 10_000, true],
    ['when it is prepared, for many', 1_000, 10_000, false],
    ['at once, for many in a small vault', 1_000, 20_000, true],
  ])('follows the edits of the vault %s', (_, touched, smallVault, isAtOnce) => {
    const entry = (at: number, size = 1): FileEntry => ({
      ...{ path: `${String(at).padStart(5, '0')}.md`, kind: 'note', size, modified: 1 },
    });
    let files: readonly FileEntry[] = Array.from({ length: 15_000 }, (__, at) => entry(at));
    const vault: Vault = { ...fakeVault({}), files: () => files };
    let passes = 0;
    const list = cacheList<ReadonlyMap<string, number>>({
      *make() {
        passes += 1;
        yield;
        return new Map(files.map(({ path, size }) => [path, size]));
      },
      follow: (value, edits) =>
        new Map([...value, ...edits.flatMap(({ added }) => added).map(({ path, size }) => [path, size] as const)]),
      nothing: new Map(),
      smallVault,
    });
    while (list.prepare(vault));
    const added = Array.from({ length: touched }, (__, at) => entry(at * 7, 2));
    const removed = added.map(({ path }) => files.find((each) => each.path === path) as FileEntry);
    const byPath = (a: FileEntry, b: FileEntry): number => compareText(a.path, b.path);
    files = editList(files, editsFor(files, removed, added, byPath));
    expect(list.current(vault).get('00007.md')).toBe(isAtOnce ? 2 : 1);
    expect(list.prepare(vault)).toBe(false);
    expect(list.current(vault)).toEqual(new Map(files.map(({ path, size }) => [path, size])));
    expect(passes).toBe(1);
  });
});

it('links to a note by its path as soon as another has its name, however many notes came at once', () => {
  const entry = (path: string): FileEntry => ({ path, kind: 'note', size: 1, modified: 1 });
  const byPath = (a: FileEntry, b: FileEntry): number => compareText(a.path, b.path);
  let files: readonly FileEntry[] = Array.from({ length: 6_000 }, (_, at) => entry(`a/${at}.md`)).sort(byPath);
  const vault: Vault = { ...fakeVault({}), files: () => files };
  const context = { vault, agentFolder: 'Docent', tools: [], prompts: [], commands: [], skills: [], activeNote: null };
  while (noteMentions.prepare?.(context, '') === true);
  expect(linkTextOf(vault, 'a/7.md')).toBe('7');
  const added = Array.from({ length: 1_000 }, (_, at) => entry(`b/${at}.md`));
  files = editList(files, editsFor(files, [], added, byPath));
  expect(linkTextOf(vault, 'a/7.md')).toBe('a/7');
});

/** A vault whose files change one by one, as the app reports them. */
function editedVault(paths: readonly string[], tags = new Map<string, readonly string[]>()) {
  let modified = 1;
  const entry = (path: string): FileEntry => ({ path, kind: 'note', size: 1, modified: (modified += 1) });
  const byPath = (a: FileEntry, b: FileEntry): number => compareText(a.path, b.path);
  let files: readonly FileEntry[] = paths.map(entry).sort(byPath);
  const vault: Vault = { ...fakeVault({}), files: () => files, tags: (path) => tags.get(path) ?? [] };
  const edit = (path: string, isThere: boolean): void => {
    const before = files.filter((each) => each.path === path);
    files = editList(files, editsFor(files, before, isThere ? [entry(path)] : [], byPath));
  };
  const context = { vault, agentFolder: 'Docent', tools: [], prompts: [], commands: [], skills: [], activeNote: null };
  return { vault, context, put: (path: string) => edit(path, true), remove: (path: string) => edit(path, false) };
}

it('links to a note by its name again once no other has it', () => {
  const { vault, context, put, remove } = editedVault(['a/Heron.md', 'b/Heron.md', 'c/heron.md', 'Tern.md']);
  const labels = (): string[] =>
    (noteMentions.offer(context, '')?.candidates ?? [])
      .flatMap((each) => ('mention' in each ? each.mention.label : []))
      .sort();
  expect(labels()).toEqual(['Tern', 'a/Heron', 'b/Heron', 'c/heron']);
  remove('b/Heron.md');
  expect([labels(), linkTextOf(vault, 'a/Heron.md')]).toEqual([['Tern', 'a/Heron', 'c/heron'], 'a/Heron']);
  remove('c/heron.md');
  expect([labels(), linkTextOf(vault, 'a/Heron.md')]).toEqual([['Heron', 'Tern'], 'Heron']);
  put('d/Heron.md');
  expect(labels()).toEqual(['Tern', 'a/Heron', 'd/Heron']);
  remove('a/Heron.md');
  expect([labels(), linkTextOf(vault, 'd/Heron.md')]).toEqual([['Heron', 'Tern'], 'Heron']);
});

it('counts tags and chooses their spelling from edit to edit', () => {
  const tags = new Map<string, readonly string[]>([
    ['A.md', ['#boat']],
    ['B.md', ['#Boat', '#rope']],
  ]);
  const { context, put, remove } = editedVault(['A.md', 'B.md', 'C.md'], tags);
  const counts = (): string[] =>
    (tagMentions.offer(context, 'x')?.candidates ?? []).map((each) =>
      'mention' in each ? `${each.mention.label} ${each.notes}` : '',
    );
  const touch = (path: string, own: readonly string[]): void => {
    tags.set(path, own);
    put(path);
  };
  // As many notes write it in either way: the first in the order of characters.
  expect(counts()).toEqual(['#Boat 2', '#rope 1']);
  touch('C.md', ['#boat']);
  expect(counts()).toEqual(['#boat 3', '#rope 1']);
  touch('A.md', []);
  expect(counts()).toEqual(['#Boat 2', '#rope 1']);
  // Touched again without tags, it counts for nothing.
  touch('A.md', []);
  expect(counts()).toEqual(['#Boat 2', '#rope 1']);
  touch('B.md', ['#rope']);
  expect(counts()).toEqual(['#boat 1', '#rope 1']);
  remove('C.md');
  expect(counts()).toEqual(['#rope 1']);
  touch('D.md', ['#BOAT']);
  expect(counts()).toEqual(['#BOAT 1', '#rope 1']);
});
