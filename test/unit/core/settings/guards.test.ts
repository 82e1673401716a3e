import {
  fields,
  flag,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
  whole,
} from '../../../../src/core/settings/settings';

describe('guards', () => {
  it.each([
    ['flag', flag, [true, false], [0, 'true', null, undefined]],
    ['text', text(2), ['ab', 'abc'], ['a', '', 12, null, undefined, ['ab']]],
    ['number', number(0, 2), [0, 1.5, 2], [-0.1, 2.1, NaN, Infinity, '1', null, undefined]],
    ['number without an upper bound', number(0), [0, 1e9], [Infinity, NaN]],
    ['whole', whole(1, 5), [1, 5], [0, 6, 1.5, 2 ** 60, '3', null, undefined]],
    ['oneOf', oneOf(['auto', 1]), ['auto', 1], ['1', 2, undefined, null]],
    ['optional', optional(flag), [true, undefined], [null, 1]],
    ['orNull', orNull(flag), [true, null], [undefined, 1]],
    ['listOf', listOf(flag), [[], [true, false]], [[1], {}, 'true', null, undefined]],
    ['recordOf', recordOf(flag), [{}, { a: true }], [{ a: 1 }, [], [true], null, 'a', undefined]],
    [
      'fields',
      fields({ a: flag, b: optional(text()) }),
      [{ a: true }, { a: true, b: 'x', c: 1 }],
      [{}, { a: 1 }, { a: true, b: 1 }, [], null],
    ],
  ] as const)('%s takes what is of its kind and refuses all else', (_name, guard, good, bad) => {
    expect(good.filter((value) => !guard(value))).toEqual([]);
    expect(bad.filter((value) => guard(value))).toEqual([]);
  });
});
