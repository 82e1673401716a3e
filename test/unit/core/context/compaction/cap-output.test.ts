import * as fc from 'fast-check';
import { ResultCaps } from '../../../../../src/core/context/compaction/context-reducer';
import { cutMiddle, minTailLines } from '../../../../../src/core/markup/budget';
import { anyCharacter } from '../../../../property/any-character';
import { roughTokenizer } from '../../../../support/memory-ports';

/** The text as it is sent, and how many of its characters are left out. */
function capText(text: string, cap: number, tokenizer: typeof roughTokenizer, said: (left: number) => string) {
  const shown = cutMiddle(text, cap, tokenizer);
  if (shown === null) return { text, left: 0 };
  const left = text.length - shown.head - shown.tail;
  return { text: `${text.slice(0, shown.head)}${said(left)}${text.slice(text.length - shown.tail)}`, left };
}

const notice = (left: number): string => `\n[${left} characters left out]\n`;

/** Without halves of pairs: those cannot be written as UTF-8. */
function isWhole(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}

describe('cutMiddle', () => {
  it('R243: leaves a text within the cap as it is', () => {
    expect(capText('short', 100, roughTokenizer, notice)).toEqual({ text: 'short', left: 0 });
  });

  it('R243 K35: keeps a fifth at the beginning and four fifths at the end, in whole lines', () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const { text, left } = capText(lines.join('\n'), 1_000, roughTokenizer, notice);
    const [head = '', tail = ''] = text.split(notice(left));
    expect(text).toContain('line 0\n');
    expect(text.endsWith('line 1999')).toBe(true);
    expect(lines).toContain(tail.split('\n')[0]);
    const share = roughTokenizer.count(head) / (roughTokenizer.count(head) + roughTokenizer.count(tail));
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
  });

  it('K35: keeps at least the last thirty lines', () => {
    const lines = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(40)}`);
    const { text } = capText(lines.join('\n'), 600, roughTokenizer, notice);
    for (const line of lines.slice(-minTailLines)) expect(text).toContain(line);
  });

  it('R243: cuts a line that is longer than the cap', () => {
    const { text, left } = capText('y'.repeat(1_000_000), 500, roughTokenizer, notice);
    expect(left).toBeGreaterThan(990_000);
    expect(roughTokenizer.count(text)).toBeLessThan(600);
  });

  it('R243: never gives more than the cap, loses only the middle and splits no code point', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 3_000 }),
        fc.integer({ min: 10, max: 400 }),
        (text, cap) => {
          const mark = ' … ';
          const capped = capText(text, cap, roughTokenizer, () => mark);
          if (capped.left === 0) return void expect(capped.text).toBe(text);
          expect(roughTokenizer.count(capped.text)).toBeLessThanOrEqual(cap + roughTokenizer.count(mark) + 2);
          expect(capped.text.length - mark.length + capped.left).toBe(text.length);
          if (isWhole(text)) expect(isWhole(capped.text)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('ResultCaps', () => {
  const totals = (window: number, all: number) => ({
    totals: {
      all,
      window,
      reserve: window / 4,
      instructions: 0,
      reference: 0,
      history: 0,
      turn: 0,
      tools: 0,
      exact: true,
    },
  });
  const result = (text: string) =>
    ({ kind: 'tool-result', callId: 'c', name: 'n', text, isError: false, sources: [] }) as const;

  it('R243: a large context window has one cap', () => {
    expect(new ResultCaps(200_000).tokens).toBe(8_000);
    const caps = new ResultCaps(16_384);
    caps.planned(totals(16_384, 12_000));
    expect(caps.tokens).toBe(Math.floor(0.15 * 16_384));
  });

  it('a small one sends less of a result the fuller it is, and never too little to be of use', () => {
    const caps = new ResultCaps(4_096);
    const sizes = [1_200, 1_800, 2_400, 2_900, 3_072].map((all) => {
      caps.planned(totals(4_096, all));
      return caps.tokens;
    });
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[0]).toBe(Math.floor(0.08 * 4_096));
    expect(sizes.at(-1)).toBe(Math.floor(0.03 * 4_096));
  });

  it('results of one answer share what is free, each with the same maximum from its call to its end', () => {
    const caps = new ResultCaps(4_096);
    const answer = (calls: number) =>
      ({
        kind: 'assistant',
        parts: Array.from({ length: calls }, (_, at) => ({
          type: 'tool-call' as const,
          id: `c${at}`,
          name: 'read',
          argumentsText: '{}',
        })),
        end: 'tool-calls',
        model: 'm',
      }) as const;
    const maxima = [1, 2, 3, 5].map((calls) => {
      caps.planned(totals(4_096, 1_600));
      expect(caps.cap(answer(calls))).toEqual(answer(calls));
      const max = caps.tokens;
      const line = 'A line of the log.\n';
      const fitting = line.repeat(Math.floor((max * 4) / line.length));
      for (let call = 0; call < calls; call += 1) {
        expect(caps.cap(result(fitting))).not.toHaveProperty('shown');
        expect(caps.cap(result(line.repeat(500)))).toMatchObject({ shown: { head: expect.any(Number) } });
      }
      expect(caps.tokens).toBe(max);
      return max;
    });
    expect(maxima).toEqual([...new Set(maxima)].sort((a, b) => b - a));
    caps.planned(totals(4_096, 1_600));
    expect(caps.tokens).toBe(maxima[0]);
  });
});
