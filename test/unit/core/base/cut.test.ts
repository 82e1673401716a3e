/** Texts are cut between characters. */
import { byteLength, endOf, headWithin, startOf, startWithEllipsis } from '../../../../src/core/base/cut';

it('cuts a text at both ends without half of a character', () => {
  expect([startOf('a🚢b', 2), startOf('a🚢b', 3), startOf('ab', 9), startOf('ab', 0), startOf('ab', -1)]).toEqual([
    ...['a', 'a🚢', 'ab', '', ''],
  ]);
  expect([endOf('a🚢b', 2), endOf('a🚢b', 3), endOf('ab', 9), endOf('ab', 0), endOf('ab', -1)]).toEqual([
    ...['b', '🚢b', 'ab', '', ''],
  ]);
});

it('says with an ellipsis that more was there', () => {
  expect([startWithEllipsis('a🚢b', 2), startWithEllipsis('a🚢b', 4), startWithEllipsis('', 0)]).toEqual([
    ...['a…', 'a🚢b', ''],
  ]);
});

it('counts bytes of UTF-8, and cuts by them without half of a character', () => {
  const text = 'aä€🚢b';
  expect([text, '', 'a\ud83d'].map(byteLength)).toEqual([Buffer.byteLength(text), 0, 4]);
  const units = [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
  const three = units.flatMap((a) => units.flatMap((b) => units.map((c) => String.fromCharCode(a, b, c))));
  expect(three.map(byteLength)).toEqual(three.map((each) => Buffer.byteLength(each)));
  const heads = Array.from({ length: byteLength(text) + 2 }, (_, bytes) => headWithin(text, bytes));
  expect([...new Set(heads)]).toEqual(['', 'a', 'aä', 'aä€', 'aä€🚢', text]);
  expect(heads.every((head, bytes) => byteLength(head) <= bytes)).toBe(true);
  expect([headWithin(text, -1), headWithin(text, Infinity)]).toEqual(['', text]);
});
