/** Packing, unpacking and merging: the same tokens as js-tiktoken, in near-linear time. */
import o200k from 'js-tiktoken/ranks/o200k_base';
import { alphabet } from '../../../scripts/build/pack-ranks.mjs';
import { finish, TextCount } from '../../../src/tokens/count-text';
import { unmerged } from '../../../src/tokens/unpack-ranks';
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { originalRanks, packedO200k, unpackedO200k } from './o200k';

jest.setTimeout(120_000);

const oracle = openTiktoken();
let counter: TextCount;

beforeAll(() => {
  counter = new TextCount(unpackedO200k());
});

const count = (text: string): number => finish(counter.count(text));

describe('the packed ranks', () => {
  it('are every token of the encoding with its rank, and its pattern', () => {
    const { table, pattern } = unpackedO200k();
    const original = originalRanks();
    const rankOf = (token: string): number => table.rankOf(Buffer.from(token, 'latin1'), 0, token.length);
    expect(table.size).toBe(original.size);
    expect([...original].filter(([bytes, rank]) => rankOf(bytes) !== rank)).toEqual([]);
    const others = [...original.keys()].flatMap((token) => [`${token}\xff`, token.slice(1)]);
    expect(others.filter((token) => rankOf(token) !== (original.get(token) ?? unmerged))).toEqual([]);
    expect(table.maxTokenLength).toBe([...original.keys()].reduce((most, { length }) => Math.max(most, length), 0));
    expect(pattern).toBe(o200k.pat_str);
  });

  it('take less than 850,000 characters, none of which a string has to escape', () => {
    const { digits } = packedO200k();
    expect(digits.length).toBeLessThan(850_000);
    expect(JSON.stringify(digits)).toBe(`"${digits}"`);
    expect(/^[!-~]*$/.test(digits)).toBe(true);
    expect(alphabet).toHaveLength(91);
  });
});

describe('a count', () => {
  it.each([
    '',
    'a',
    'Hello, world!',
    "They'RE what we've — isn't it? I'Ll",
    '  leading, trailing  \n\n\n',
    'tabs\t\tand\r\nlines\r\n\r\n  indented',
    '1234567890 and 12,345.678',
    '日本語の文章です。漢字とかな。',
    'Съешь же ещё этих мягких французских булок',
    'שלום עולם مرحبا بالعالم',
    'สวัสดีชาวโลก नमस्ते दुनिया',
    '👩‍🚀👨‍👩‍👧‍👦🏳️‍🌈 emoji 😀😀',
    'e\u0301\u0302\u0303 combining \u0301\u0301\u0301',
    'const a = () => ({ b: [1, 2, 3], c: `${d}` }); // */',
    '<|endoftext|> <|endofprompt|> <|im_start|>',
    'half \ud83d a pair \udc00\ud800 and two \ud83d\ude00',
    '\0\x01\x7f\u0085\u2028\u2029\ufeff\ufffe\uffff',
    'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo0NTY3ODk+/w==',
    '=================================================================================================',
    `${'/'.repeat(150)}\n${'-'.repeat(99)}\n${'-'.repeat(100)}\n${'-'.repeat(101)}`,
    'a/b\n/c\n//\n!/\n/',
  ])('of %j is that of js-tiktoken', (text) => {
    expect(count(text)).toBe(oracle.count(text));
  });

  it.each(['a', 'ab', 'A', 'aB', ' ', '\n', ' \n', '1', '=', 'é', '漢', '😀', '\u0301', '\ud800', 'к1', "'s"])(
    'of %j over and over is that of js-tiktoken on both sides of every bound',
    (part) => {
      for (const length of [1, 2, 3, 33, 63, 64, 65, 99, 100, 101, 102, 127, 128, 129, 300, 700]) {
        const text = part.repeat(Math.ceil(length / part.length));
        // js-tiktoken takes time in the square of a piece's bytes; all bounds are at a hundred and less.
        if (Buffer.byteLength(text) > 1_000) continue;
        expect([part, length, count(text)]).toEqual([part, length, oracle.count(text)]);
      }
    },
  );

  it.each(['a', ' ', '漢', '😀'])('of a megabyte of %j takes near-linear time', async (part) => {
    const countOf = (bytes: number) => {
      const text = part.repeat(bytes / Buffer.byteLength(part));
      return () => expect(count(text)).toBeGreaterThan(0);
    };
    countOf(30_000)();
    // Four times as much text; a quadratic count would take sixteen times as long, and of a megabyte minutes.
    await expectGrowthBelow(10, countOf(200_000), countOf(50_000));
    await expectCostBelow(3_000, countOf(1_000_000));
  });

  it('stops for other work all the way, in a long text as in a long piece', () => {
    const stopsIn = (text: string): number => {
      let stops = 0;
      for (const steps = counter.count(text); steps.next().done !== true;) stops += 1;
      return stops;
    };
    expect(stopsIn('One sentence after another. '.repeat(10_000))).toBeGreaterThan(15);
    expect(stopsIn('a'.repeat(200_000))).toBeGreaterThan(50);
    expect(stopsIn('short')).toBe(0);
  });
});
