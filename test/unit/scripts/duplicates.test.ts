/** What is written twice: found also with other names in it, and nothing that only looks alike. */
import { findDuplicates } from '../../../scripts/measure/duplicates.mjs';

const block = (...[total, each, list]: readonly string[]): string => `
export function sum(${list}: readonly number[]): number {
  let ${total} = 0;
  for (const ${each} of ${list}) {
    if (${each} < 0) continue;
    ${total} += ${each} * 2;
  }
  return ${total};
}
`;

const found = (files: Readonly<Record<string, string>>) =>
  findDuplicates({ files: Object.keys(files), read: (file) => files[file] ?? '' });

it('finds a block with other names, as long as it reaches, through empty lines and comments', () => {
  const other = block('all', 'one', 'numbers').replace('    all +=', '    // Twice.\n\n    all +=');
  expect(found({ 'src/a.ts': `import a from 'a';\n${block('total', 'each', 'list')}`, 'src/b.ts': other })).toEqual([
    { lines: 8, first: { file: 'src/a.ts', from: 3, to: 10 }, second: { file: 'src/b.ts', from: 2, to: 11 } },
  ]);
});

it.each([
  ['names that stand for several others', block('total', 'each', 'list'), block('all', 'all', 'numbers')],
  ['other numbers', block('total', 'each', 'list'), block('total', 'each', 'list').replace('* 2', '* 3')],
  ['lists of names', `const a = [\n${'  one,\n'.repeat(30)}];`, `const b = [\n${'  two,\n'.repeat(30)}];`],
  [
    'imports',
    "import { one, two, three, four } from 'a';\n".repeat(9),
    "import { one, two, three, four } from 'a';\n".repeat(9),
  ],
])('passes over %s', (_name, first, second) => {
  expect(found({ 'src/a.ts': first, 'src/b.ts': second })).toEqual([]);
});
