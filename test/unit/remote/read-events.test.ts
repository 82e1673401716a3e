/** @jest-environment node */
import { redactorOf } from '../../../src/remote/mcp-ports';
import { isRecord, openEvents, readPlainJson, startPosition } from '../../../src/remote/read-messages';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const piecesOf = (text: string, size: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

function eventsIn(text: string, size = text.length): string[] {
  const take = openEvents(startPosition());
  return piecesOf(text, size).flatMap((piece) => take(piece));
}

describe('a stream of events', () => {
  const stream = [
    ': a comment',
    'event: message',
    'data: {"a":',
    'data:1}',
    'id: 7',
    'retry: 10',
    '',
    '',
    'event: other',
    'data: not ours',
    '',
    'data',
    '',
    'data: last',
    'unknown: field',
    '',
    'data: never ended',
  ];

  it.each([
    ['line feeds', '\n'],
    ['both', '\r\n'],
    ['returns', '\r'],
  ])('F26 gives the same messages in pieces of any size, with %s between', (_name, lineEnd) => {
    const text = stream.join(lineEnd);
    const expected = ['{"a":\n1}', 'last'];
    for (let size = 1; size <= text.length; size++) expect(eventsIn(text, size)).toEqual(expected);
  });

  it('is taken up again after a second at its last event, unless it says otherwise', () => {
    const position = startPosition();
    expect(position).toEqual({ lastId: null, retryMilliseconds: 1_000 });
    openEvents(position)(stream.join('\n'));
    expect(position).toEqual({ lastId: '7', retryMilliseconds: 10 });
  });

  it('F34 costs no more than its length, in pieces of one character', async () => {
    const line = (size: number): string => `data: ${'x'.repeat(size)}\n\n`;
    await expectGrowthBelow(
      12,
      () => eventsIn(line(200_000), 1),
      () => eventsIn(line(50_000), 1),
    );
  });
});

describe('JSON of others', () => {
  it.each(['', '{', 'undefined', '[1,]', '{"a":1}{"b":2}', '\u0000', '["__proto__", {"__proto__": 1}]'])(
    'F34 refuses %j',
    (text) => {
      expect(() => readPlainJson(text, null)).toThrow('broken');
    },
  );

  it('F34 takes 64 levels and not more', () => {
    const nested = (levels: number): string => '['.repeat(levels) + '1' + ']'.repeat(levels);
    expect(readPlainJson(nested(64), null)).toBeDefined();
    expect(() => readPlainJson(nested(65), null)).toThrow('broken');
    expect(() => readPlainJson(nested(130_000), null)).toThrow('broken');
  });

  it('gives plain objects', () => {
    const value = readPlainJson('{"a":{"toString":1},"b":[true,null,2.5]}', null);
    expect(value).toEqual({ a: { toString: 1 }, b: [true, null, 2.5] });
    expect(isRecord(value) && Object.getPrototypeOf(value) === Object.prototype).toBe(true);
  });

  const key = 'sk-canary-Zq81LmT7vYw2KcP4xR9b-0123456789-abcdefghijklmnopqrstuvwxyz';
  const redactKey = redactorOf(key);

  it('H10 holds no longer part of the key, be the text ever so short', () => {
    const value = { error: { message: key.slice(0, 30), [key.slice(30)]: [1, key, 'as it is'] } };
    expect(readPlainJson(JSON.stringify(value), redactKey)).toEqual({
      error: { message: '[redacted]', '[redacted]': [1, '[redacted]', 'as it is'] },
    });
  });

  it('H10 gives each text its place, also where names change with their control characters', () => {
    const value = { '\u00012': 'two', b: 'b', '1': 'one', 'a\u0002': key, a: 'last', list: ['', key, ''] };
    expect(readPlainJson(JSON.stringify(value), redactKey)).toEqual({
      ...{ '1': 'one', '2': 'two', a: 'last', b: 'b' },
      list: ['', '[redacted]', ''],
    });
  });

  it('H10 with 20,000 texts around the key is read at once', async () => {
    const many = JSON.stringify([key, ...Array<string>(20_000).fill('a text of no importance')]);
    await expectCostBelow(500, () => readPlainJson(many, redactKey));
  });
});
