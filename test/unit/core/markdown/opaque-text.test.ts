/** Where a note has text that is no link, tag, or heading: code, formulas, comments, and properties. */
import { blankOpaqueText } from '../../../../src/core/markdown/opaque-text';

it.each<[string, string, string]>([
  ['plain text', 'one\ntwo', 'one two'],
  ['properties', '---\nkey: value\n---\nbody', 'body'],
  ['a fence', 'one\n```js\ncode\n```\ntwo', 'one two'],
  ['a fence of waves', 'one\n~~~\ncode\n```\ncode\n~~~\ntwo', 'one two'],
  ['a longer fence', '````\ncode\n```\ncode\n````\ntwo', 'two'],
  ['indented code', 'one\n\n    code\n\n\tcode\n\ntwo', 'one two'],
  ['an indented line below text', 'one\n    two', 'one two'],
  ['an indented line below an item', '- one\n\n    two', '- one two'],
  ['a code span', 'one `code` two', 'one two'],
  ['a code span of two marks', 'one ``co`de`` two', 'one two'],
  ['a mark without an end', 'one `two', 'one `two'],
  ['a mark that ends in another block', 'one `two\n\nthree` four', 'one `two three` four'],
  ['a code span over lines of a block', 'one `co\nde` two', 'one two'],
  ['a formula', 'one $x$ two', 'one two'],
  ['prices', 'one $5 and $6 two', 'one $5 and $6 two'],
  ['a formula of its own', 'one $$x$$ two', 'one two'],
  ['a formula over lines', 'one\n$$\nx\n$$\ntwo', 'one two'],
  ['a formula without an end', 'one\n$$\nx', 'one'],
  ['an HTML comment', 'one <!-- x --> two', 'one two'],
  ['an HTML comment without an end', 'one <!-- x', 'one'],
  ['a comment of Obsidian', 'one %% x %% two', 'one %% x %% two'],
])('leaves of a text with %s what may be a link: %j', (_what, text, left) => {
  const blanked = blankOpaqueText(text);
  expect(blanked.trim().split(/\s+/).join(' ')).toBe(left);
  expect(blanked).toHaveLength(text.length);
  expect([...blanked.matchAll(/\n/g)].map(({ index }) => index)).toEqual(
    [...text.matchAll(/\n/g)].map(({ index }) => index),
  );
});
