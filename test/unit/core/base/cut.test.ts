/** Texts are cut between characters. */
import { endOf, startOf, startWithEllipsis } from '../../../../src/core/base/cut';

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
