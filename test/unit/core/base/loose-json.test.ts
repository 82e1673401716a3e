import fc from 'fast-check';
import { readLooseJson } from '../../../../src/core/base/loose-json';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const valueOf = (text: string): unknown => {
  const read = readLooseJson(text);
  return read.ok && read.end === text.length ? read.value : read;
};

describe('what models write as JSON', () => {
  it.each<[string, string, unknown]>([
    ['a comma after the last member', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['curly quotation marks', '{“path”: “Boats.md”}', { path: 'Boats.md' }],
    ['German ones', '{„path“: „Boote.md“}', { path: 'Boote.md' }],
    ['single ones', "{'text': 'it's \"fine\"'}", { text: 'it\'s "fine"' }],
    ['bare keys', '{tool: "a", $x: 1}', { tool: 'a', $x: 1 }],
    ['words of Python', '[True, False, None]', [true, false, null]],
    ['line ends in a text', '{"text": "one\ntwo\r\n\tthree"}', { text: 'one\ntwo\r\n\tthree' }],
    ['a quotation mark that was not escaped', '{"text": "He said "hi" to me"}', { text: 'He said "hi" to me' }],
    ['an escape that JSON does not have', '{"text": "\\alpha \\\'x\\\' \\u00e9"}', { text: "\\alpha 'x' é" }],
    ['a number in any form', '[-1.5e2, +3]', [-150, 3]],
  ])('reads %s', (_name, text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it('takes a prototype for a member like any other', () => {
    const value = valueOf('{"__proto__": {"polluted": true}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('keeps escapes that JSON does not have, and takes a line end after a backslash for itself', () => {
    expect(valueOf('["a\\\nb", "\\u00e9\\u12", "\\ux", "\\q"]')).toEqual(['a\nb', 'é\\u12', '\\ux', '\\q']);
  });

  it('reads valid JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, isSpaced) => {
        const written = isSpaced ? JSON.stringify(JSON.parse(text), null, 2) : text;
        expect(JSON.stringify(valueOf(`[${written}]`))).toBe(JSON.stringify([JSON.parse(written)]));
      }),
    );
  });

  it.each(['{"a": "b', '{"a": [1, 2', '{"a"', '{', '{"a": tru', "{'a': 'b'", '{"a": "b\\'])(
    'knows that %s is cut',
    (text) => {
      expect(readLooseJson(text)).toMatchObject({ ok: false, isCut: true, at: text.length });
    },
  );

  it.each(['{"a" 1}', '{"a": 1 "b": 2}', '[1 2]', '{"a": b}', '{1: 2}', `${'['.repeat(100)}1`])(
    'says where %s stops being JSON',
    (text) => {
      expect(readLooseJson(text)).toMatchObject({ ok: false, isCut: false });
    },
  );

  it.each([
    ['quotation marks', '"   '],
    ['brackets', '[1,'],
    ['members', '"a": "b", '],
    ['backslashes', '\\'],
  ])('takes four times as long for four times as many %s', async (_name, piece) => {
    const readOf = (count: number) => {
      const text = `{"text": "${piece.repeat(count)}`;
      return () => void readLooseJson(text);
    };
    await expectGrowthBelow(9, readOf(400_000), readOf(100_000));
  });
});
