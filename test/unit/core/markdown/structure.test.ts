/** Where the parts of a note begin and end, and which part a link or a model means. */
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { blockRange, headingRange, structureOf, takePart } from '../../../../src/core/markdown/structure';

const note = [
  '---',
  'tags: keel',
  '---',
  '# Plan',
  'First. ^one',
  '',
  '## Steps ##',
  'Saw.',
  '### Detail',
  'Fine print.',
  '',
  '## Café',
  'Tea.',
  '## Cafe',
  'Coffee.',
  '# Log',
  '## Steps',
  '- Glued it ^two',
  '  with care.',
  '- Sanded it',
  '  twice ^three',
  '',
  'A table follows.',
  '',
  '^four',
  '```md',
  '# Not a heading',
  '```',
  '#NoHeading',
  '# Log! (old)',
  'End.',
].join('\n');
const structure = structureOf(note);
const linesAt = (asked: string): string => {
  const found = headingRange(structure, 'Boat.md', asked);
  return found.ok ? `${found.value.start}-${found.value.end}` : found.failure.remedy;
};
const blockAt = (asked: string): string => {
  const found = blockRange(note, structure, 'Boat.md', asked);
  return found.ok ? `${found.value.start}-${found.value.end}` : found.failure.remedy;
};
const partOf = (part: string): string | null => takePart('Boat.md', note, part).text;

it('finds the properties and the headings, without those in code and without a blank after the signs', () => {
  expect(structure.propertyLines).toBe(3);
  expect(structure.headings.map(({ level, text }) => `${level} ${text}`)).toEqual([
    ...['1 Plan', '2 Steps', '3 Detail', '2 Café', '2 Cafe', '1 Log', '2 Steps', '1 Log! (old)'],
  ]);
});

const headingsOf = (...lines: string[]): string[] => structureOf(lines.join('\n')).headings.map(({ text }) => text);

it('finds headings that a line below them underlines, and takes no rule below a long text for one', () => {
  const text = ['Boat', '====', 'First. ^one', '', 'Steps', '-----', 'Saw. ^two', '', '## Log', 'End.'].join('\r\n');
  const found = structureOf(text);
  expect(found.headings).toEqual([
    { level: 1, text: 'Boat', line: 0, isUnderlined: true },
    { level: 2, text: 'Steps', line: 4, isUnderlined: true },
    { level: 2, text: 'Log', line: 8 },
  ]);
  expect(headingRange(found, 'Boat.md', 'Steps')).toEqual({ ok: true, value: { start: 5, end: 8 } });
  expect(blockRange(text, found, 'Boat.md', 'two')).toEqual({ ok: true, value: { start: 7, end: 7 } });
  expect(headingsOf('The keel is glued, and glued again. '.repeat(8), '---', 'Text')).toEqual([]);
});

it('finds them in a moment in a long note', async () => {
  const texts = ['a\n-\n', '- a\n---\n', '-\n', '\n---\n', `a${'- '.repeat(50)}b\n---\n`];
  for (const text of texts) {
    const long = text.repeat(2_000_000 / text.length);
    await expectCostBelow(2_000, () => structureOf(long));
  }
  for (const line of ['a\n', '* ', '-- ', '| ', '$$ ']) {
    const long = `${line.repeat(1_000_000 / line.length)}x\n---`;
    await expectCostBelow(2_000, () => structureOf(long));
  }
});

it('ends the properties where the app does, so that nothing below a line at the top is hidden', () => {
  expect(structureOf('---\ntags: keel\n---  \r\n# A')).toMatchObject({ propertyLines: 3, headings: [{ text: 'A' }] });
  expect(structureOf('---\n\n# A\nAnd so on\n...\n# B\n')).toMatchObject({
    ...{ propertyLines: 0, headings: [{ text: 'A' }, { text: 'B' }] },
  });
});

it('takes a code span in three backticks for no fence, which would hide the headings below it', () => {
  expect(headingsOf('# A', '```x``` is code.', '# B', '``` a `b`', '## C')).toEqual(['A', 'B', 'C']);
  expect(headingsOf('# A', '~~~ a `b`', '# B', '~~~~', '# C')).toEqual(['A', 'C']);
  expect(headingsOf('```js', '# A', '``` x', '# B', '`````', '# C')).toEqual(['C']);
  expect(headingsOf('````', '# A', '```', '# B', '    ````', '# C')).toEqual([]);
});

it.each(['- ', '* ', '12. ', '  + ', '- \t'])('finds code that begins in a list item: %j', (marker) => {
  const inner = ' '.repeat(marker.length);
  const code = [`${marker}\`\`\`sh`, `${inner}# comment`, `${inner}\`\`\``];
  expect(headingsOf('# A', ...code, '', '# B')).toEqual(['A', 'B']);
  // Code that is not closed ends with its list item.
  expect(headingsOf('# A', ...code.slice(0, 2), '', '# B', '```', '# C', '```', '# D')).toEqual(['A', 'B', 'D']);
});

it('ends a section at the next heading of its level or a higher one', () => {
  expect(['Plan', 'Detail', 'Log', 'Log (old)'].map(linesAt)).toEqual(['4-15', '9-11', '16-29', '30-31']);
});

it('tells headings of the same words apart by those above them, written as a link or as a trail', () => {
  expect(linesAt('Steps')).toBe('7-11');
  for (const asked of ['Log#Steps', 'Log › Steps', '#Log#Steps', 'log › STEPS']) expect(linesAt(asked)).toBe('17-29');
  expect(linesAt('Plan › Steps › Detail')).toBe('9-11');
  expect(linesAt('Plan › Detail')).toBe('9-11');
  // A heading of the same level is not under the one before it.
  for (const asked of ['Café › Cafe', 'Steps › Café', 'Log › Detail', 'Steps › Plan', 'Cafe › Steps'])
    expect(linesAt(asked)).toContain('Steps');
});

it('takes the section that a link means, by the headings above it as well', () => {
  expect(partOf('Log#Steps')).toMatch(/^## Steps\n- Glued it/);
  expect(partOf('Steps')).toMatch(/^## Steps ##\nSaw\./);
  expect(partOf('Log old')).toBe('# Log! (old)\nEnd.');
  expect(takePart('Boat.md', note, 'Mast')).toMatchObject({ text: null, heading: 'Mast' });
});

it('prefers a heading that is spelled the same to one that differs by its accents alone', () => {
  expect([partOf('Café'), partOf('Cafe')]).toEqual(['## Café\nTea.', '## Cafe\nCoffee.']);
  expect([linesAt('Café'), linesAt('Cafe'), linesAt('détail')]).toEqual(['12-13', '14-15', '9-11']);
});

it('finds a heading by those above it in one pass over a note of 20,000 headings with the same words', async () => {
  const many = structureOf('# Steps\n'.repeat(20_000));
  await expectCostBelow(300, () => expect(headingRange(many, 'Boat.md', 'Plan#Steps').ok).toBe(false));
});

it('tells headings apart that differ only by signs, which links leave out', () => {
  const lines = [
    '# 🎉',
    'Party.',
    '# 🔥',
    'Fire.',
    '# C',
    'Old.',
    '# C++',
    'Newer.',
    '# Do',
    '## C#',
    'Sharp.',
    '# ❓ C#',
  ];
  const signs = lines.join('\n');
  const at = (asked: string): unknown => headingRange(structureOf(signs), 'Boat.md', asked);
  const startOf = (start: number): unknown => expect.objectContaining({ value: expect.objectContaining({ start }) });
  expect(['🎉', '🔥', 'C', 'c++', 'C#', 'Do#C#', ' C# '].map(at)).toEqual([1, 3, 5, 7, 10, 10, 10].map(startOf));
  expect(takePart('Boat.md', signs, '🔥').text).toBe('# 🔥\nFire.');
  // Signs that no heading has name none.
  expect(at('🌧')).toMatchObject({ ok: false });
  expect(at('???')).toMatchObject({ ok: false });
});

it('finds a block by its id: the line, the item, or what precedes an id on a line of its own', () => {
  expect(['one', '^two', '#^three', 'FOUR'].map(blockAt)).toEqual(['5-5', '18-18', '20-21', '23-25']);
  expect(partOf('^one')).toBe('First.');
  expect(partOf('^three')).toBe('- Sanded it\n  twice');
  expect(partOf('^four')).toMatch(/^A table follows\./);
  expect(partOf('^five')).toBeNull();
  expect(blockAt('five')).toContain('^four');
});

it('finds the whole list before an empty line and an id on a line of its own', () => {
  const part = (...lines: string[]): string | null =>
    takePart('Boat.md', [...lines, '', '^all', ''].join('\n'), '^all').text;
  const list = ['- Saw', '  well', '- Glue', '  - Wait', '', '- Sand'];
  for (const above of [
    ['- Other', '', 'To do:'],
    ['Text.', ''],
    ['- Other', '# To do'],
    ['- Other', '', 'A text', 'of lines', ''],
  ]) {
    expect(part(...above, ...list)).toBe(list.join('\n'));
  }
  expect(part(...list, '', 'A text.')).toBe('A text.');
  expect(takePart('Boat.md', '- Saw\n- Glue\n  ^all\n- Sand', '^all').text).toBe('- Glue');
});

it('takes a code block with empty lines as one block, and no id from within code', () => {
  const code = '```\nsaw ^id\n\nglue\n```';
  for (const gap of ['\n', '\n\n']) expect(takePart('Boat.md', `Text.\n\n${code}${gap}^id\n`, '^id').text).toBe(code);
  expect(takePart('Boat.md', `${code}\nText. ^id`, '^id').text).toBe('Text.');
  expect(takePart('Boat.md', '- ```\n  saw\nText. ^id', '^id').text).toMatch(/Text\.$/);
  const item = '- Saw\n  ```\n  glue\n  ```';
  expect(takePart('Boat.md', `${item}\n  ^id`, '^id').text).toBe(item);
});
