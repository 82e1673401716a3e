/**
 * The streaming renderer: finished blocks stay as they are, and the end result is that of drawing the text at once.
 *
 * @jest-environment jsdom
 */
import * as fc from 'fast-check';
import { createStreamingRenderer } from '../../../../src/ui/render/streaming-renderer';
import { fresh } from '../../../property/drawn-cases';
import { draw, newTarget, recordingContext } from './drawing-context';
import { markdownInPieces } from './markdown-samples';

function stream(pieces: readonly string[]): HTMLElement {
  const target = newTarget();
  const renderer = createStreamingRenderer(target, recordingContext().context);
  for (const piece of pieces) renderer.append(piece);
  renderer.finish();
  target.remove();
  return target;
}

function drawAtOnce(text: string): string {
  const target = draw(text);
  target.remove();
  return target.innerHTML;
}

const TEXT = [
  '# Title\nIntro with [a reference][r] and **bold**.',
  '- one\n- two\n\n  more\n\n- three',
  '```js\nlet a = 1;\n\n# comment\n```',
  '> [!tip] Hint\n> text',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '[r]: https://r.example/page\n',
  'End ==mark== [[Ideas]] and [a reference][r].',
].join('\n\n');

it('draws the same one character at a time as at once', () => {
  expect(stream([...TEXT]).innerHTML).toBe(drawAtOnce(TEXT));
});

it('draws the same in any pieces as at once', () => {
  fc.assert(
    fc.property(markdownInPieces, ({ text, cuts }) => {
      const ends = [...cuts, text.length].sort((a, b) => a - b);
      expect(stream(ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))).innerHTML).toBe(drawAtOnce(text));
    }),
    fresh(3_000),
  );
});

it('never touches a finished block again, but for one that waits for a definition', () => {
  const target = newTarget();
  const renderer = createStreamingRenderer(target, recordingContext().context);
  const first = new Map<Element, string>();
  for (const character of TEXT) {
    renderer.append(character);
    const drawn = Array.from(target.children);
    for (const element of drawn.slice(0, -2)) if (!first.has(element)) first.set(element, element.outerHTML);
  }
  renderer.finish();
  const lost = Array.from(first.keys()).filter((element) => !target.contains(element));
  expect(lost.map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ['P', 'Intro with [a reference][r] and bold.'],
  ]);
  for (const [element, html] of first) if (target.contains(element)) expect(element.outerHTML).toBe(html);
  expect(target.querySelectorAll('a.external-link')).toHaveLength(2);
});

it('numbers footnotes in order although a block is drawn again for its definition', () => {
  const text =
    'Oak^[first] and [x], ash[^b].\n\nElm^[last].\n\n[x]: https://x.example\n\nYew^[next].\n\n[^b]: second\n';
  const numbersOf = (target: HTMLElement, selector: string): (string | null)[] =>
    Array.from(target.querySelectorAll(selector), ({ textContent }) => textContent);
  for (const target of [stream([text]), stream([...text])]) {
    expect(target.querySelectorAll('a.external-link')).toHaveLength(1);
    expect(numbersOf(target, '.docent-footnote-reference')).toEqual(['1', '2', '3', '4']);
    expect(numbersOf(target, '.docent-footnote-mark')).toEqual(['1', '3', '4', '2']);
  }
});

it('knows a thousand definitions, the first of each label', () => {
  const defined = Array.from({ length: 1_001 }, (_, at) => `[r${at}]: https://r.example/${at}`);
  const used = 'Text [a][r0] and [b][r999].\n\nText [c][r1000].';
  const target = stream([`${defined.join('\n\n')}\n\n[r0]: https://r.example/last\n\n${used}`]);
  expect([...target.querySelectorAll('a')].map(({ title }) => title)).toEqual([
    ...['https://r.example/0', 'https://r.example/999'],
  ]);
});

it('only draws the last block again', () => {
  const target = newTarget();
  const renderer = createStreamingRenderer(target, recordingContext().context);
  renderer.append('one\n\ntwo\n\nthr');
  const [one, two, three] = Array.from(target.children);
  renderer.append('ee');
  expect(Array.from(target.children).slice(0, 2)).toEqual([one, two]);
  expect(target.children[0]).toBe(one);
  expect(target.children[1]).toBe(two);
  expect(target.children[2]).not.toBe(three);
});

describe('the groups of a long text', () => {
  const kinds = [
    'Prose of oak.',
    '- one\n- two',
    '## Title',
    '| a |\n|---|\n| 1 |',
    '```js\nlet a\n```',
    '> quote',
    '$$x$$',
  ];
  const blocksOf = (count: number, kind: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => kind(index)).join('\n\n');
  const groupsIn = (target: HTMLElement): Element[] => [...target.getElementsByClassName('docent-blocks')];

  it('are the same in any pieces as at once', () => {
    const blocks = fc.array(fc.constantFrom(...kinds, '[r]: https://r.example', 'of [a reference][r]'), {
      minLength: 60,
      maxLength: 120,
    });
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1, max: 400 }), (texts, length) => {
        const text = texts.join('\n\n');
        const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
          text.slice(index * length, (index + 1) * length),
        );
        expect(stream(pieces).innerHTML).toBe(drawAtOnce(text));
      }),
      { numRuns: 10 },
    );
  });

  it('begin where the space between blocks is even, and hold no more than so many', () => {
    const target = stream([blocksOf(400, (index) => kinds[index % kinds.length]!)]);
    const groups = groupsIn(target);
    expect(groups.length).toBeGreaterThan(10);
    for (const group of groups) {
      expect(group.firstElementChild?.tagName).toMatch(/^(P|UL|H2)$/);
      expect(group.previousElementSibling?.matches('.docent-blocks, p, ul, h2')).toBe(true);
    }
    const uneven = stream([blocksOf(400, () => kinds[4]!)]);
    expect(groupsIn(uneven).map(({ childElementCount }) => childElementCount)).toEqual([96, 96, 96, 16]);
    expect(groupsIn(stream([blocksOf(24, () => 'Prose.')]))).toEqual([]);
  });

  it('part no citation from its quote', () => {
    const quoted: string[] = [];
    const openNote = (_link: string, _newTab: boolean, quote = ''): void => void quoted.push(quote);
    const target = newTarget();
    const renderer = createStreamingRenderer(target, recordingContext({ openNote }).context);
    renderer.append(`Prose.\n\n${blocksOf(100, (index) => `> quote ${index}\n\n[[Ideas]]`)}`);
    renderer.finish();
    expect(groupsIn(target).length).toBeGreaterThan(1);
    for (const link of target.querySelectorAll('a')) link.click();
    expect(quoted).toEqual(Array.from({ length: 100 }, (_, index) => `quote ${index}`));
  });

  it('end also where nothing but citations comes', () => {
    const groups = groupsIn(stream([`Prose.\n\n${blocksOf(500, () => '[[Ideas]]')}`]));
    expect(groups.length).toBeGreaterThan(1);
  });

  it('leave a finished block where it is', () => {
    const target = newTarget();
    const renderer = createStreamingRenderer(target, recordingContext().context);
    renderer.append(blocksOf(100, (index) => `Prose ${index}.`));
    const places = new Map([...target.querySelectorAll('p')].slice(0, 98).map((block) => [block, block.parentNode]));
    renderer.append(`\n\n${blocksOf(100, (index) => `More ${index}.`)}`);
    renderer.finish();
    for (const [block, parent] of places) expect(block.parentNode).toBe(parent);
  });
});

it('reads a line end that comes in two pieces as one', () => {
  expect(stream(['one\r', '\n\r\ntwo\r']).innerHTML).toBe(drawAtOnce('one\n\ntwo\n'));
});

it('adds to a text that is too long for Markdown', () => {
  const long = '# a\n'.repeat(280_001);
  const target = stream([long, 'b', 'c']);
  expect(target.innerHTML).toBe(drawAtOnce(`${long}bc`));
  expect(target.children).toHaveLength(1);
});

it('colors a block once, when it is finished', async () => {
  const colors = jest.fn(() => Promise.resolve(null));
  const libraries = { colors, math: () => Promise.resolve(null), diagram: () => Promise.resolve(null) };
  const renderer = createStreamingRenderer(newTarget(), recordingContext({ libraries }).context);
  const colored = (): Promise<string[]> =>
    new Promise((resolve) => setTimeout(() => resolve(colors.mock.calls.map(([code]: unknown[]) => String(code))), 20));
  const text = '```ts\nlet a\n```\n\nafter\n\n```ts\nlet b\n```';
  for (const character of text) renderer.append(character);
  expect(await colored()).toEqual(['let a']);
  renderer.finish();
  expect(await colored()).toEqual(['let a', 'let b']);
});

afterEach(() => jest.restoreAllMocks());

it('draws a very long block again only after a while, and at the end', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(5_000);
  const target = newTarget();
  const renderer = createStreamingRenderer(target, recordingContext().context);
  const ends: (string | undefined)[] = [];
  const end = (): string | undefined => target.querySelector('code')?.textContent.trim().at(-1);
  const add = (text: string, milliseconds: number): void => {
    clock.mockReturnValue(performance.now() + milliseconds);
    renderer.append(text);
    ends.push(end());
  };
  add(`~~~\n${'words\n'.repeat(9_000)}a`, 0);
  add('b', 110);
  add('c', 20);
  add('d', 110);
  add('e', 20);
  renderer.finish();
  expect([ends, end()]).toEqual([['a', 'b', 'b', 'd', 'd'], 'e']);
});

it('refuses more text after the end', () => {
  const renderer = createStreamingRenderer(newTarget(), recordingContext().context);
  renderer.finish();
  expect(() => renderer.append('a')).toThrow('finished');
});
