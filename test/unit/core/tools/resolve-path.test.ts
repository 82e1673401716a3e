/** What a path that a model wrote leads to, and which names are reported if there is no such note. */
import { words } from '../../../../src/text';
import { cleanPath, hasTag, isInside, resolveFile, resolveFolder } from '../../../../src/core/tools/resolve-path';
import { fakeVault } from '../../../support/fake-vault';

const { signal } = new AbortController();
const vault = fakeVault({
  ...{ 'Boats/Whimbrel refit.md': '', 'Boats/Whimbrel refits.md': '', 'Boats/Old/Whimbrel.md': '' },
  ...{ 'Garden/Pruning.md': '', 'Garden/Tools.md': '', 'House/Tools.md': '', 'House/Old/Bills.md': '' },
});
const found = async (written: string): Promise<string> => {
  const file = await resolveFile(vault, written, signal);
  return file.ok ? file.value.path : `${file.failure.words} ${file.failure.remedy}`;
};
const folder = (written: string): string => {
  const resolved = resolveFolder(vault, written);
  return resolved.ok ? resolved.value : `${resolved.failure.words} ${resolved.failure.remedy}`;
};

it('takes a path out of what models put around it', () => {
  for (const written of ['A/B.md', ' A/B.md ', '/A/B.md', './A/B.md', '[[A/B.md]]', '![[A/B.md#Part|text]]', 'A/B.md/'])
    expect(cleanPath(written)).toBe('A/B.md');
});

it('finds a note without its ending and as a link would', async () => {
  expect(await found('Garden/Pruning')).toBe('Garden/Pruning.md');
  expect(await found('[[Pruning]]')).toBe('Garden/Pruning.md');
});

it('takes a sign in the name of a note for none before a heading, as in a name that came by sync', async () => {
  const synced = fakeVault({
    ...{ 'C.md': '', 'Code/C# notes.md': '', 'Code/x^2.md': '', 'x.md': '' },
    ...{ 'D.md': '', 'Code/D#.md': '', 'Music/D#.md': '' },
  });
  const pathOf = async (written: string) => {
    const file = await resolveFile(synced, written, signal);
    return file.ok ? file.value.path : file.failure.remedy;
  };
  expect(await pathOf('C# notes')).toBe('Code/C# notes.md');
  expect(await pathOf('c# notes.md')).toBe('Code/C# notes.md');
  expect(await pathOf('x^2')).toBe('Code/x^2.md');
  expect(await pathOf('D#')).toBe(words.tools.nearest(['Code/D#.md', 'Music/D#.md']));
  expect(await pathOf('C#Steps')).toBe('C.md');
});

it('names the nearest notes, the nearest one first, and none that are far', async () => {
  const { nearest } = words.tools;
  const missing = words.failures.noteMissing('Boats/Whimbrel refitt.md');
  const near = ['Boats/Whimbrel refit.md', 'Boats/Whimbrel refits.md', 'Boats/Old/Whimbrel.md'];
  expect(await found('Boats/Whimbrel refitt.md')).toBe(`${missing} ${nearest(near)}`);
  expect(await found('Sailing.md')).toBe(
    `${words.failures.noteMissing('Sailing.md')} ${words.failures.noteMissingRemedy}`,
  );
  const many = fakeVault(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`Keel bolt ${at}.md`, ''])));
  const file = await resolveFile(many, 'Keel bolts', signal);
  expect(!file.ok && file.failure.remedy.match(/Keel bolt \d/g)).toEqual(
    [0, 1, 2, 3, 4].map((at) => `Keel bolt ${at}`),
  );
});

it('says that a folder is no note', async () => {
  expect(await found('Garden/')).toContain(words.tools.pathIsFolder('Garden'));
  expect(await found('/')).toContain(words.tools.pathIsFolder('/'));
});

it('finds a folder by its path, in another case, or by its last name if there is one such folder', () => {
  expect([folder('/'), folder('.'), folder('garden/'), folder('House/Old')]).toEqual(['', '', 'Garden', 'House/Old']);
  expect(folder('Old')).toContain(words.tools.nearest(['Boats/Old', 'House/Old']));
  expect(folder('Gard')).toContain(words.tools.nearest(['Garden']));
  expect(folder('Attic')).toContain(words.tools.folderMissingRemedy);
  const many = fakeVault(Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`Shelf ${at}/A.md`, ''])));
  const shelf = resolveFolder(many, 'Shelf');
  expect(!shelf.ok && shelf.failure.remedy).toBe(words.tools.nearest([1, 2, 3, 4, 5].map((at) => `Shelf ${at}`)));
});

it('counts what is below a folder or a tag, and not what only begins with the same letters', () => {
  expect([isInside('A/B.md', 'A'), isInside('AB/C.md', 'A'), isInside('C.md', '')]).toEqual([true, false, true]);
  expect(['#boat', 'Boat/keel', '#boats', 'keel'].map((tag) => hasTag([tag], ' #BOAT'))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(['#boat', 'Boat/keel', '#boats', 'keel'].map((tag) => hasTag([tag], '#boat/ '))).toEqual([
    ...[true, true, false, false],
  ]);
});
