/** Comparing plain data: by value, by a fingerprint, or by canonical JSON. */
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import {
  canonicalJson,
  fingerprint,
  isEqual,
  isRecord,
  jsonOf,
  mergeChange,
  nestsTooDeep,
} from '../../../../src/core/base/equality';

class Boat {
  readonly name = 'Heron';
}

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, 2, false],
  [1, '1', false],
  [NaN, NaN, true],
  [null, undefined, false],
  [[], [], true],
  [[1, [2]], [1, [2]], true],
  [[1], [1, 2], false],
  [[1, 2], [1], false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [{}, [], false],
  [{}, {}, true],
  [{ a: 1, b: { c: [2] } }, { b: { c: [2] }, a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [{ toString: Object.prototype.toString }, { b: 1 }, false],
  [{}, null, false],
  [null, {}, false],
  [new Boat(), new Boat(), false],
  [new Boat(), { name: 'Heron' }, false],
])('compares %j and %j by value: %s', (one, other, expected) => {
  expect(isEqual(one, other)).toBe(expected);
});

it('knows records from all else', () => {
  expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
  expect([null, undefined, 'a', [], new Boat(), new Map(), Object.create(null)].map(isRecord)).toEqual(
    Array(7).fill(false),
  );
});

describe('data that is nested too deep', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 'end';
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
    return value;
  };

  it('has more than 64 levels, or the given number', () => {
    expect([nestsTooDeep(nested(64)), nestsTooDeep(nested(65))]).toEqual([false, true]);
    expect([nestsTooDeep(nested(2), 2), nestsTooDeep(nested(3), 2)]).toEqual([false, true]);
    expect(nestsTooDeep('text', 0)).toBe(false);
    expect(nestsTooDeep([1, nested(65)])).toBe(true);
  });

  it('has more than 250,000 lists and records, or contains itself', () => {
    const many = (count: number) => Array.from({ length: count - 1 }, () => []);
    expect([nestsTooDeep(many(250_000)), nestsTooDeep(many(250_001))]).toEqual([false, true]);
    const own: unknown[] = [];
    own.push(own);
    expect(nestsTooDeep(own)).toBe(true);
  });

  it('has no JSON', () => {
    expect(jsonOf(nested(65))).toBeNull();
    expect(jsonOf(undefined)).toBeNull();
    expect(jsonOf({ a: [1] })).toBe('{"a":[1]}');
    expect(jsonOf(null)).toBe('null');
  });
});

it.each([
  ['', '811c9dc5'],
  ['a', 'e40c292c'],
  ['foobar', 'bf9cf968'],
])('gives %j the fingerprint of FNV-1a', (text, expected) => {
  expect(fingerprint(text)).toBe(expected);
});

it.each<[unknown, string]>([
  [{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
  [{ a: undefined, b: undefined, c: 1 }, '{"c":1}'],
  [[undefined, () => 1, 2], '[null,null,2]'],
  [{}, '{}'],
  [[], '[]'],
  ['"', '"\\""'],
  [undefined, 'null'],
  [{ Z: 1, a: 2, é: 3 }, '{"Z":1,"a":2,"é":3}'],
])('writes %j the same in any order of keys', (value, json) => {
  expect(canonicalJson(value)).toBe(json);
});

it('writes every fingerprint in eight digits', () => {
  for (let text = 0; text < 200; text += 1) expect(fingerprint(String(text))).toMatch(/^[\da-f]{8}$/);
});

const named = (name: string, url = 1, key = 1) => ({ name, url, key });

it.each<[string, unknown, unknown, unknown, unknown]>([
  ['takes a value of its own', 1, 2, 3, 2],
  ['takes a record where there was none, or where there is none by now', null, { a: 1 }, { b: 2 }, { a: 1 }],
  ['takes a changed record that was removed there', { a: 1 }, { a: 2 }, undefined, { a: 2 }],
  ['takes what was added here and there', { a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, { a: 1, b: 2, c: 3 }],
  ['drops what was removed here or there', { a: 1, b: 2, c: 3 }, { a: 1, b: 2 }, { b: 2, c: 3 }, { b: 2 }],
  [
    'keeps what was changed there alone',
    { a: { b: 1, c: 1 } },
    { a: { b: 2, c: 1 } },
    { a: { b: 1, c: 3 } },
    { a: { b: 2, c: 3 } },
  ],
  ['adds and drops texts of a list', ['a', 'b', 'c'], ['d', 'b', 'c', 'e'], ['a', 'b', 'e', 'f'], ['d', 'b', 'e', 'f']],
  ['keeps the order of here', ['a', 'b'], ['b', 'a'], ['c', 'a', 'b'], ['b', 'a', 'c']],
  ['takes a list of anything else as it is', [1], [1, 2], [1, 3], [1, 2]],
  [
    'adds and drops records of a list by their names, and joins those that were changed here and there',
    [named('a'), named('b'), named('c', 1, 1), named('d')],
    [named('a'), named('c', 2, 1), named('e'), named('d')],
    [named('a', 3), named('b', 3), named('c', 1, 3), named('f')],
    [named('a', 3), named('c', 2, 3), named('e'), named('f')],
  ],
  ['takes a changed record of a list that was removed there', [named('a')], [named('a', 2)], [], [named('a', 2)]],
  [
    'keeps both records of one name that were added here and there, and one of them if they are equal',
    [],
    [named('a', 2), named('b')],
    [named('a', 3), named('b')],
    [named('a', 2), named('a', 3), named('b')],
  ],
  [
    'tells records of one name by their order',
    [named('a', 1), named('a', 2)],
    [named('a', 1), named('a', 4)],
    [named('a', 3), named('a', 2), named('b')],
    [named('a', 3), named('a', 4), named('b')],
  ],
  [
    'goes by ids before names',
    [{ id: '1', name: 'a' }],
    [{ id: '1', name: 'b' }],
    [
      { id: '1', name: 'a', on: true },
      { id: '2', name: 'b' },
    ],
    [
      { id: '1', name: 'b', on: true },
      { id: '2', name: 'b' },
    ],
  ],
  [
    'takes a list in which one record has no name as it is',
    [named('a')],
    [named('b'), {}],
    [named('c')],
    [named('b'), {}],
  ],
  ['takes texts over a list of anything else', ['a'], ['a', 'b'], [1], ['a', 'b']],
])('merging a change %s', (_what, before, changed, stored, expected) => {
  expect(mergeChange(before, changed, stored)).toEqual(expected);
});

it('merging a change takes a member that is called as the prototype is for a member', () => {
  const [before, changed, stored] = ['{}', '{"b":1}', '{"__proto__":{"a":1}}'].map((json): unknown => JSON.parse(json));
  expect(JSON.stringify(mergeChange(before, changed, stored))).toBe('{"__proto__":{"a":1},"b":1}');
});

it('merging a change looks nothing up in a list', async () => {
  const list = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name} ${at}`);
  const texts = (count: number) => {
    const [before, own, other] = ['a', 'b', 'c'].map((name) => list(name, count)) as [string[], string[], string[]];
    return () => void mergeChange(before, [...before, ...own], [...before, ...other]);
  };
  const records = (count: number) => {
    const [before, other] = ['a', 'b'].map((name) => list(name, count).map((each) => ({ name: each })));
    return () => void mergeChange(before, [...before!, ...other!], [...other!, ...before!]);
  };
  await expectGrowthBelow(9, texts(20_000), texts(5_000));
  await expectGrowthBelow(9, records(20_000), records(5_000));
});
