/** Texts of any length that make careless readers of Markdown slow: pieces to repeat, and a few shapes of their own. */

/** Pieces that are repeated, by name. */
const pieces: Readonly<Record<string, string>> = {
  'code fences': '```x\n',
  'fences of growing length': '',
  'risky fences': '```tasks\nby function\n',
  'tilde fences': '~~~\n```x\n',
  'opened tags': '<a<a',
  'tags with attributes': '<a href="x" ',
  'unclosed quotes': '<img alt="\n',
  'blanks after a bracket': '',
  brackets: '[',
  'image brackets': '![',
  'closed brackets': ']',
  destinations: '](',
  definitions: '[a]: https://x.org\n',
  'colons of definitions': ']:',
  references: '![a][b]',
  embeds: '![[a|',
  wikilinks: '[[a]] ',
  aliases: '[[a|b',
  backticks: '`',
  'backticks with a blank line': '`` a\n\n',
  'runs of backticks': '',
  'inline queries': '`= ',
  'template commands': '<%',
  quotes: '> ',
  lists: '- ',
  'headings with blanks': '',
  entities: '&#104;',
  escapes: '\\',
  schemes: 'a://',
  comments: '%% a\n',
  'HTML comments': '<!-- a\n',
  formulas: '$$ a $ b\n',
  tables: '| a | b |\n| - | - |\n',
  properties: '---\ncover: *a\n',
  emphasis: '*a_',
  addresses: 'https://x.org/a ',
  words: 'words and more words. ',
  'carriage returns': 'a\r',
  'invisible characters': '\u200b\u{e0041}',
  tasks: '- [ ] a ^b\n',
};

const shapes: Readonly<Record<string, (length: number) => string>> = {
  'fences of growing length': (length) => growing(length, '`', '\n', 3),
  'runs of backticks': (length) => growing(length, '`', 'a', 1),
  'blanks after a bracket': (length) => `<${' '.repeat(length - 1)}`,
  'headings with blanks': (length) => `# a${' '.repeat(length - 4)}b`,
};

export const hostileShapes: readonly string[] = Object.keys(pieces);

/** Returns the text of a shape, of exactly this length. */
export function hostileText(shape: string, length: number): string {
  const piece = pieces[shape] ?? shape;
  const text = shapes[shape]?.(length) ?? piece.repeat(Math.ceil(length / Math.max(1, piece.length)));
  return text.slice(0, length);
}

/** Runs of a mark, each one longer than the one before. */
function growing(length: number, mark: string, between: string, from: number): string {
  let text = '';
  for (let count = from; text.length < length; count += 1) text += mark.repeat(count) + between;
  return text;
}

/** Pieces of Markdown that nest when they are repeated, with what closes each. */
export const nestedMarkdown: readonly (readonly [name: string, open: string, close: string])[] = [
  ['quotes', '>', ''],
  ['spaced quotes', '> ', ''],
  ['lists', '- ', ''],
  ['brackets', '[', ']'],
  ['images', '![', '](a)'],
  ['links', '[', '](a)'],
  ['emphasis', '*a **b ', '** *'],
  ['highlights', '==a ', ' =='],
  ['inline footnotes', '^[a ', ']'],
  ['callouts', '> [!note]\n> ', ''],
  ['texts of footnotes', '[^a]: ', ''],
  ['quotes in footnotes', '[^a]: > ', ''],
  ['tags', '<b>', '</b>'],
];
