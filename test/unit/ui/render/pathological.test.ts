/**
 * Texts made to be slow: 100,000 characters of one construct are drawn in time that grows with their length.
 *
 * @jest-environment jsdom
 */
import { splitBlocks } from '../../../../src/ui/render/streaming-renderer';
import { noDefinitions, TooMuchWork, tokenizeBlock } from '../../../../src/ui/render/tokenize';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { nestedMarkdown } from '../../hostile-text';
import { draw } from './drawing-context';

const LENGTH = 100_000;
const LIMIT_MS = 500;
const FEW_ELEMENTS = [
  ...['[', ']', '(', ')', '*', '_', '`', '~', '>', '<', '!', '|', '#', '-', '+', '=', '$', '\\', '&', ':', '.', 'x'],
  ...[
    '[[',
    '![',
    '](',
    '**a',
    '*a ',
    '_a ',
    'a_',
    '> ',
    '- ',
    '1. ',
    '<a ',
    '<!--',
    '[a](',
    '[a][',
    '[x]: ',
    'a|',
    '|-',
  ],
  ...['http://', 'www.', '((www.a', 'a@', 'a@b.', '~~a', '`a', '``', '[^', '[a]', '![[', '==a ', '$a', '$$', '*a **b '],
  ...[
    'a**b',
    '&#',
    '- - ',
    '> - ',
    '_*',
    'a*_',
    '[a](http://b)',
    '\\[',
    '[\\[',
    '\\$',
    '$\\',
    ' ',
    '\n',
    '\t',
    '  \n',
    '\n    a',
  ],
  ...['> a\nb\n', '> > a\nb\n', '- \n    a', '\n|-|\n=|~', '[a]: b\n', '- ](\n    `'],
];

const repeat = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);

it.each(FEW_ELEMENTS)('draws 100,000 characters of %j in time', async (unit) => {
  const text = repeat(unit);
  await expectCostBelow(LIMIT_MS, () => draw(text).remove());
});

/** Ordinary in shape and rich in elements, whose creation takes jsdom longer than a browser: the tokens are timed. */
const MANY_ELEMENTS = ['- a\n', 'a\n\n', '```\n', '# a\n', '|a|b|\n|-|-|\n|c|d|\n\n', '> a\n\n', '- [ ] a\n', '*a*\n'];

it.each(MANY_ELEMENTS)('reads 100,000 characters of %j in time', async (unit) => {
  const text = repeat(unit);
  const read = (): void => {
    for (const { start, end } of splitBlocks(text)) tokenizeBlock(text.slice(start, end), noDefinitions());
  };
  await expectCostBelow(LIMIT_MS, read);
});

it('reads 400,000 characters of long formulas in time', async () => {
  const text = `$${'x_'.repeat(501)}$ `.repeat(400);
  await expectCostBelow(LIMIT_MS, () => {
    const formulas = tokenizeBlock(text, noDefinitions()).inline(text);
    expect(formulas.filter(({ type }) => type === 'math')).toHaveLength(400);
  });
});

it.each([
  ['rows', 2_000, 900],
  ['columns', 30_000, 10],
])('makes no cells that a table has left out, if these are too many: %s', async (_more, columns, rows) => {
  const text = `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${'b|\n'.repeat(rows)}`;
  await expectCostBelow(LIMIT_MS, () => {
    const drawn = draw(`A table:\n${text}`);
    expect(drawn.querySelector('td')).toBeNull();
    expect(drawn.textContent).toContain('a|a|');
    drawn.remove();
  });
});

it.each([
  ['', '', 33, 0],
  ['- in an item\n\n', '  ', 60, 3_000],
])('makes few cells for each character of many tables: %j', (before, indent, size, rest) => {
  const table = `${'a|'.repeat(size)}\n${'-|'.repeat(size)}\n${'b|\n'.repeat(size)}\n`;
  const text = before + (table.repeat(20) + 'x'.repeat(rest)).replace(/^(?=.)/gm, indent);
  const drawn = draw(text);
  expect(drawn.querySelectorAll('td').length).toBeLessThan(4 * text.length);
  drawn.remove();
});

it('draws a table that leaves out some cells', () => {
  const drawn = draw(`${'| a '.repeat(20)}|\n${'|---'.repeat(20)}|\n${'| b |\n'.repeat(50)}`);
  expect(drawn.querySelectorAll('td')).toHaveLength(1_000);
  drawn.remove();
});

it.each(['', 'https://a.example/'])('gives many links no long destination of one definition: %j', async (start) => {
  const text = `[a]: ${start}${'x'.repeat(50_000)}\n\n${'[a]\n\n'.repeat(1_000)}`;
  await expectCostBelow(LIMIT_MS, () => {
    const drawn = draw(text);
    expect(drawn.innerHTML.length).toBeLessThan(4 * text.length);
    expect(drawn.textContent).toContain('[a]: ');
    drawn.remove();
  });
});

it('counts what nests below a line that only looks like a fence', () => {
  const text = `\`\`\`a\`\n${'> '.repeat(100)}x`;
  const drawn = draw(text);
  expect(drawn.textContent).toBe(text);
  drawn.remove();
});

it('does not begin a long formula at an escaped sign', () => {
  const drawn = draw(`\\$${'x_'.repeat(600)}$`);
  expect(drawn.querySelector('.docent-math')).toBeNull();
  drawn.remove();
});

it('does not mistake long ordinary text for slow text', () => {
  const row = '| [[Ideas]] | some **bold** text (with a remark) |\n';
  const texts = [
    `| a | b |\n|---|---|\n${row.repeat(3_000)}`,
    '- an item with `code`, *emphasis* and a [link](https://a.example) (long)\n'.repeat(1_500),
    'A sentence with `code` and **bold** words, as there are many. '.repeat(200),
    '> a quoted line with *emphasis*\n'.repeat(1_000),
    'A line of a log with `code`\n'.repeat(1_000),
  ];
  for (const text of texts) {
    for (const { start, end } of splitBlocks(text)) {
      const block = tokenizeBlock(text.slice(start, end), noDefinitions());
      expect(block.tokens.length).toBeGreaterThan(0);
    }
  }
  const log = draw(texts[4] ?? '');
  expect(log.querySelectorAll('code')).toHaveLength(1_000);
});

it.each(nestedMarkdown)('draws %s within one another, however deep', (_name, open, close) => {
  for (const levels of [10_000, 100_000]) {
    expect(() => draw(`${open.repeat(levels)}x${close.repeat(levels)}`).remove()).not.toThrow();
  }
});

it('draws a list of 1,000 levels', () => {
  const lines = Array.from({ length: 1_000 }, (_, level) => `${'  '.repeat(level)}- a`);
  expect(draw(lines.join('\n')).textContent).toContain('a');
});

it('gives up on a block by throwing one known error', () => {
  expect(() => tokenizeBlock(repeat('- \n    a'), noDefinitions())).toThrow(TooMuchWork);
});
