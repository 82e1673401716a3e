/** The bounds of the house: each fault is one sentence that names the file or room, the rule, and the remedy. */
import { bounds, faultsOf, measureHouse } from '../../../scripts/house.mjs';

const long = '\n'.repeat(150);

/** The faults of a house with these files; those whose text does not begin with `short` are long enough. */
function faultsIn(texts: Readonly<Record<string, string>>): string[] {
  const read = (file: string): string => {
    const text = texts[file] ?? '';
    return text.startsWith('// short') ? text : text + long;
  };
  return faultsOf(measureHouse({ read, files: Object.keys(texts) }));
}

it('a circle of files and a circle of rooms', () => {
  const texts = {
    'src/core/a/one.ts': '',
    'src/core/a/two.ts': "export { b } from '../b/three';",
    'src/core/b/three.ts': "export { a } from '../a/one';",
    'src/core/b/four.ts': "export * from './five';",
    'src/core/b/five.ts': "import './four';",
  };
  expect(faultsIn(texts)).toEqual([
    'The imports src/core/b/four.ts → src/core/b/five.ts → src/core/b/four.ts are a circle: move what they share to a file that imports none of them.',
    'The imports of the rooms src/core/a → src/core/b → src/core/a are a circle: move what they share to a room below them.',
  ]);
});

it('a floor too many, with the way down that leads to it', () => {
  const floors = (bounds.core_floors ?? 0) + 1;
  const texts = Object.fromEntries(
    Array.from({ length: floors }, (_, index) => [
      `src/core/room${index}/a.ts`,
      index === floors - 1 ? '' : `export * from '../room${index + 1}/a';`,
    ]),
  );
  const way = Array.from({ length: floors }, (_, index) => `src/core/room${index}`).join(' → ');
  expect(faultsIn(texts)).toEqual([
    `src/core/room0 is on floor ${floors} of core, and ${floors - 1} is the highest: drop one of the imports ${way}.`,
  ]);
});

it('a folder with a file too many', () => {
  const most = bounds.fullest_folder ?? 0;
  const texts = Object.fromEntries(Array.from({ length: most + 1 }, (_, index) => [`src/vault/file${index}.ts`, '']));
  expect(faultsIn(texts)).toEqual([
    `src/vault has ${most + 1} files, and a folder may have ${most}: sort them into folders by subject.`,
  ]);
});

it('short files with one importer, when there are too many', () => {
  const count = (bounds.slivers ?? 0) + 1;
  const names = Array.from({ length: count }, (_, index) => `sliver${index}`);
  const many = names.map((name) => [`src/remote/${name}.ts`, '// short']);
  // As many long files keep the median; in rooms of their own, because a folder is bounded too.
  const others = names.map((name) => [`src/vault/${name}.ts`, '']);
  const importer = ['src/open-docent.ts', names.map((name) => `export * from './remote/${name}';`).join('\n')];
  const all = Object.fromEntries([...many, ...others, importer]) as Record<string, string>;
  expect(faultsIn(all)).toEqual(
    names.map(
      (name) =>
        `src/remote/${name}.ts has fewer than 60 lines and one importer, as ${count} files have and ${count - 1} may: put it into src/open-docent.ts.`,
    ),
  );
  const fewer = Object.entries(all).filter(([file]) => file !== 'src/remote/sliver0.ts');
  expect(faultsIn(Object.fromEntries(fewer))).toEqual([]);
});
