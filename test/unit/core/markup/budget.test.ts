/** Token budgets: what texts are estimated to take, how they share a budget, and where they are cut. */
import {
  countBytes,
  cutMiddle,
  cutToBytes,
  cutToTokens,
  estimateTokens,
  fairShares,
  Meter,
  minTailLines,
  namesWithin,
  outlineNote,
  outlineText,
  noteNotShown,
  tokensByRule,
  tokensFor,
  trimText,
} from '../../../../src/core/markup/budget';

/** A token for each character. */
const letters = { count: (text: string) => text.length };

it.each([
  [1_000, 0.25, 500, 250],
  [1_000, 0.5, 500, 500],
  [10_000, 0.5, 500, 500],
  [999, 0.5, 500, 499],
])('takes of a window of %i tokens the share %d, up to %i: %i', (window, share, max, tokens) => {
  expect(tokensFor(window, share, max)).toBe(tokens);
});

it.each([
  ['', 0],
  ['a', 1],
  ['abcdefg', 1],
  ['abcdefgh', 2],
  ['azAZ', 1],
  ['ABCDEFGHIJKLMNO', 3],
  ['123', 1],
  ['1234', 2],
  ['09', 1],
  ['a1b2', 4],
  ['one two', 2],
  ['   ', 0],
  ['/:@[`{', 6],
  ['\t\n\r', 3],
  ['éé', 1],
  ['é', 1],
  ['жжжж', 2],
  ['\u1fff\u1fff', 1],
  ['\u2000', 1],
  ['…', 1],
  ['\u2e7f', 1],
  ['\u2e80\u2e80\u2e80\u2e80\u2e80', 4],
  ['東京東京東', 4],
  ['\ud7ff\ud7ff\ud7ff\ud7ff\ud7ff', 4],
  ['\ud800', 1],
  ['\u0000', 7],
  ['\u001f', 7],
  ['\u007e', 1],
  ['\u007f', 7],
  ['\u009f', 7],
  ['\u00a0', 1],
  ['\u200a', 1],
  ['\u200b', 7],
  ['\u200c', 1],
  ['\u2029', 1],
  ['\u202a', 7],
  ['\u202e', 7],
  ['\u202f', 1],
  ['\u2060', 1],
  ['\u2061', 7],
  ['\u206f', 7],
  ['\u2070', 1],
  ['\udb40', 7],
])('estimates the tokens of %j as %i', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it('takes texts with their line endings until the budget is used up, and none after that', () => {
  const meter = new Meter(6);
  expect([meter.hasRoom(6), meter.hasRoom(7)]).toEqual([true, false]);
  expect(meter.take('one')).toBe(true);
  expect([meter.hasRoom(4), meter.hasRoom(5)]).toEqual([true, false]);
  expect(meter.spend(2)).toBe(true);
  expect(meter.take('two')).toBe(true);
  expect([meter.hasRoom(0), meter.spend(0)]).toEqual([true, true]);
  expect(meter.take('')).toBe(false);
  expect([meter.hasRoom(0), meter.spend(0)]).toEqual([false, false]);
});

describe('a text in bytes', () => {
  it.each([
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['🚀', 4],
  ])('has for %j as many as in UTF-8: %i', (text, bytes) => {
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(countBytes(`a${text}b${text}`, 1, 2 + text.length)).toBe(bytes + 1);
    expect(cutToBytes(`${text}x`, bytes)).toEqual({ text, cut: true });
    expect(cutToBytes(`${text}x`, bytes - 1)).toEqual({ text: '', cut: true });
    expect(cutToBytes(`${text}x`, bytes + 1)).toEqual({ text: `${text}x`, cut: false });
  });

  it('has four of them for each token', () => {
    expect(cutToTokens('abcdefghi', 2)).toEqual({ text: 'abcdefgh', cut: true });
    expect(cutToTokens('abcdefgh', 2)).toEqual({ text: 'abcdefgh', cut: false });
    expect(cutToTokens('a', -1)).toEqual({ text: '', cut: true });
    expect(cutToTokens('', -1)).toEqual({ text: '', cut: false });
    expect(['', 'a', 'abcd', 'abcde', 'é🚀'].map(tokensByRule)).toEqual([0, 1, 1, 2, 2]);
  });
});

it.each([
  [[], 10, []],
  [[3, 4], 10, [3, 4]],
  [[10, 10], 10, [5, 5]],
  [[10, 1, 10], 9, [4, 1, 4]],
  [[9, 9], 5, [2, 3]],
  [[9, 2, 9, 4], 15, [4, 2, 5, 4]],
  [[1, 2], 0, [0, 0]],
  [[1, 2], -5, [0, 0]],
])('shares among texts of %j tokens a budget of %i as %j', (sizes, budget, shares) => {
  expect(fairShares(sizes, budget)).toEqual(shares);
});

describe('a text that is too long', () => {
  it('is cut at the end of a line in its second half, else anywhere, and says how much is missing', () => {
    const lines = `${'a'.repeat(59)}\n${'b'.repeat(80)}`;
    expect(trimText(lines, 140, letters)).toBe(lines);
    expect(trimText(lines, 116, letters)).toBe(`${'a'.repeat(59)}\n[… 80 more characters.]`);
    expect(trimText(lines, 133, letters)).toBe(`${'a'.repeat(59)}\n[… 80 more characters.]`);
    expect(trimText(lines, 134, letters)).toBe(`${lines.slice(0, 118)}\n[… 22 more characters.]`);
    expect(trimText(lines, 26, letters, 'ask')).toBe(`${'a'.repeat(10)}\n[… 130 more characters; ask.]`);
    expect(trimText(lines, 10, letters)).toBe('[… 140 more characters.]');
  });

  it('never ends within a character', () => {
    expect(trimText('🚀'.repeat(20), 19, letters)).toBe('🚀\n[… 38 more characters.]');
  });

  it.each([0, 1, 17, 100, 4_096, 4_097, 5_000, 9_000])('has as much of it as %i tokens hold, to a step', (tokens) => {
    const counted: number[] = [];
    const measure = {
      count: (text: string) => {
        counted.push(text.length);
        return text.length;
      },
    };
    const start = trimText('x'.repeat(10_000), tokens + 16, measure).split('\n')[0] ?? '';
    // A long text is cut at one of 4,096 places.
    expect(start.startsWith('[') ? 0 : start.length).toBe(tokens - (tokens % 3));
    expect(counted.length).toBeLessThan(20);
  });

  it.each([
    [500, 500, 100],
    [3_900, 100, 5],
    [3_900, 100, 1],
  ])('is cut at the right place in few counts although its parts differ much', (light, heavy, tokens) => {
    const text = 'a'.repeat(light) + '東'.repeat(heavy);
    let counts = 0;
    const measure = { count: (part: string) => ((counts += 1), part.split('東').length - 1) };
    expect(trimText(text, tokens + 16, measure).split('\n')[0]).toBe('a'.repeat(light) + '東'.repeat(tokens));
    expect(counts).toBeLessThan(36);
  });
});

it.each([
  [0, 'Tags: 4'],
  [19, 'Tags: 4'],
  [20, 'Tags: a … and 3 more'],
  [22, 'Tags: a … and 3 more'],
  [23, 'Tags: a, b … and 2 more'],
  [32, 'Tags: a, b … and 2 more'],
  [33, 'Tags: a, b, cccccccc … and 1 more'],
  [37, 'Tags: a, b, cccccccc … and 1 more'],
  [38, 'Tags: a, b, cccccccc, dddddddddddddddd'],
])('names within %i tokens as many as fit: %s', (tokens, expected) => {
  const named = ['a', 'b', 'cccccccc', 'dddddddddddddddd'].map((name) => ({ name }));
  expect(namesWithin('Tags:', named, tokens, letters)).toBe(expected);
});

describe('an outline', () => {
  it('is made of the headings, or else of the first line of each paragraph', () => {
    expect(outlineText('text\n# A\n\nmore\n###### B\n####### C\n#tag')).toBe('# A\n###### B');
    expect(outlineText('one\ntwo\n\nthree\n  \nfour\nfive')).toBe('one\nthree\nfour');
    expect(outlineText('\n \n')).toBe('');
    expect(outlineNote('# A\na')).toBe(`# A\n${noteNotShown}`);
  });

  it('has at most 40 lines of at most 100 characters', () => {
    const headings = (count: number) => Array.from({ length: count }, (_, at) => `# ${at}`);
    expect(outlineText(headings(40).join('\n'))).toBe(headings(40).join('\n'));
    expect(outlineText(headings(41).join('\n'))).toBe([...headings(40), '…'].join('\n'));
    expect(outlineText('x'.repeat(101))).toBe('x'.repeat(100));
  });
});

describe('a text without its middle', () => {
  it('has a fifth of the cap at its start and the rest at its end', () => {
    expect(cutMiddle('x'.repeat(100), 100, letters)).toBeNull();
    expect(cutMiddle('x'.repeat(101), 100, letters)).toEqual({ head: 20, tail: 80 });
    expect(cutMiddle('x'.repeat(200), 100, { count: (text) => text.length / 2 })).toBeNull();
    expect(cutMiddle('x'.repeat(202), 100, { count: (text) => text.length / 2 })).toEqual({ head: 40, tail: 160 });
  });

  it('starts with whole lines, and ends with them if at least 30 remain', () => {
    const line = (count: number) => 'abc\n'.repeat(count);
    expect(cutMiddle(line(100), 200, letters)).toEqual({ head: 40, tail: 156 });
    expect(cutMiddle(line(100), 202, letters)).toEqual({ head: 40, tail: 160 });
    // 29 lines and the empty one after the last newline.
    expect(cutMiddle(line(100), 146, letters)).toEqual({ head: 28, tail: 4 * (minTailLines - 1) });
    expect(cutMiddle(line(100), 143, letters)).toEqual({ head: 28, tail: 115 });
    expect(cutMiddle(`${'x'.repeat(50)}\n${line(100)}`, 100, letters)).toEqual({ head: 20, tail: 80 });
  });

  it('cuts nothing where head and end are all of the text, though it counts as more than they do', () => {
    const apart = { count: (text: string) => (text === 'aaaaabbbbb' ? 8 : text.length / 2) };
    expect(cutMiddle('aaaaabbbbb', 7, apart)).toBeNull();
  });
});
