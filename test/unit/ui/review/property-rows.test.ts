/** Which properties a review shows in a table, and when the table says all that the changed lines do. */
import { propertyRowsOf } from '../../../../src/ui/review/properties';
import { changeOf, createOf, editOf } from './fake-reviews';

const noteOf = (properties: string, text = 'Text.\n'): string => `---\n${properties}---\n${text}`;
const rowsOf = (change: ReturnType<typeof editOf>): (readonly [keys: readonly string[], isAll: boolean])[] =>
  [...propertyRowsOf(change).values()].map(({ rows, isAll }) => [rows.map(({ key }) => key), isAll]);

it.each<[string, string, string, [string[], boolean][]]>([
  ['a value', noteOf('status: a\n'), noteOf('status: b\n'), [[['status'], true]]],
  ['an item of a list', noteOf('tags:\n  - a\n'), noteOf('tags:\n  - a\n  - b\n'), [[['tags'], true]]],
  ['items at the margin', noteOf('tags:\n- a\n'), noteOf('tags:\n- a\n- b\n'), [[['tags'], true]]],
  ['a key in quotes', noteOf('"my key": a\n'), noteOf('"my key": b\n'), [[['my key'], true]]],
  ['a new key at the end', noteOf('status: a\n'), noteOf('status: a\ndue: b\n'), [[['due'], true]]],
  ['a key that goes', noteOf('due: b\nstatus: a\n'), noteOf('status: a\n'), [[['due'], true]]],
  ['a value with a comment', noteOf('status: a\n'), noteOf('status: b # for now\n'), [[['status'], false]]],
  ['a comment that goes', noteOf('# now\nstatus: a\n'), noteOf('status: b\n'), [[['status'], false]]],
  ['spaces next to a value', noteOf('status: a\ndue: 1\n'), noteOf('status: b\ndue:  1\n'), [[['status'], false]]],
  ['spaces alone', noteOf('status: a\n'), noteOf('status:  a\n'), []],
  ['properties above a text', 'Text.\n', noteOf('status: b\n'), [[['status'], true]]],
  ['properties that go', noteOf('status: b\n'), 'Text.\n', [[['status'], true]]],
  ['properties and the text below them', 'Text.\n', noteOf('status: b\n', 'Other.\n'), []],
  ['the text alone', noteOf('status: b\n'), noteOf('status: b\n', 'Other.\n'), []],
  ['a note without properties', 'One.\n', 'Two.\n', []],
])('shows the changed properties of %s', (_what, before, after, expected) => {
  expect(rowsOf(editOf(before, after))).toEqual(expected);
});

it('shows the properties in one change, and the text in another one', () => {
  const lines = 'Same.\n'.repeat(9);
  const change = editOf(noteOf('status: a\n', `${lines}One.\n`), noteOf('status: b\n', `${lines}Two.\n`));
  expect([change.hunks.length, rowsOf(change)]).toEqual([2, [[['status'], true]]]);
});

it('shows the lines of a value that is too long for a table as well', () => {
  const ofLength = (length: number) => editOf(noteOf('status: a\n'), noteOf(`status: ${'b'.repeat(length)}\n`));
  expect([rowsOf(ofLength(500)), rowsOf(ofLength(501))]).toEqual([[[['status'], true]], [[['status'], false]]]);
});

it('shows none of a file that is no text', () => {
  expect(rowsOf(changeOf({ from: 'a.png', to: 'b.png', before: null }))).toEqual([]);
  expect(rowsOf(createOf('New.md', noteOf('status: b\n')))).toEqual([]);
});
