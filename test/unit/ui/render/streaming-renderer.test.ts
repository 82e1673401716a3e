/**
 * The streaming renderer: finished blocks stay as they are, and the end result is that of drawing the text at once.
 *
 * @jest-environment jsdom
 */
import * as fc from 'fast-check';
import { createStreamingRenderer } from '../../../../src/ui/render/streaming-renderer';
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
    { numRuns: 3_000 },
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

it('reads a line end that comes in two pieces as one', () => {
  expect(stream(['one\r', '\n\r\ntwo\r']).innerHTML).toBe(drawAtOnce('one\n\ntwo\n'));
});

it('adds to a text that is too long for Markdown', () => {
  const long = '# a\n'.repeat(250_001);
  const target = stream([long, 'b', 'c']);
  expect(target.innerHTML).toBe(drawAtOnce(`${long}bc`));
  expect(target.children).toHaveLength(1);
});

it('highlights a block once, when it is finished', () => {
  const highlight = jest.fn();
  const renderer = createStreamingRenderer(newTarget(), recordingContext({ highlight }).context);
  const text = '```ts\nlet a\n```\n\nafter\n\n```ts\nlet b\n```';
  for (const character of text) renderer.append(character);
  expect(highlight.mock.calls.map(([code]) => String(code))).toEqual(['let a']);
  renderer.finish();
  expect(highlight.mock.calls.map(([code]) => String(code))).toEqual(['let a', 'let b']);
});

it('refuses more text after the end', () => {
  const renderer = createStreamingRenderer(newTarget(), recordingContext().context);
  renderer.finish();
  expect(() => renderer.append('a')).toThrow('finished');
});
