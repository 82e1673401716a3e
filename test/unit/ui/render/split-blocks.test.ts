/** Where Markdown is cut into blocks, and that later text does not move a cut. */
import * as fc from 'fast-check';
import { countSettled, splitBlocks } from '../../../../src/ui/render/streaming-renderer';
import { markdownShaped } from './markdown-samples';

const split = (text: string): string[] => splitBlocks(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ['a\nb\n\nc', ['a\nb', 'c']],
  ['\n\n a \n \nb\n', [' a ', 'b']],
  ['# a\nb\n# c', ['# a', 'b', '# c']],
  ['- a\n\n- b\n\n  c\n\nd', ['- a\n\n- b\n\n  c', 'd']],
  ['1. a\n```\nx\n\ny\n```\nb', ['1. a', '```\nx\n\ny\n```', 'b']],
  ['1. a\n   ```\n   x\n\n# y\n   ```\n2. b', ['1. a\n   ```\n   x\n\n# y\n   ```\n2. b']],
  ['a\n~~~\n```\n~~~\nb', ['a', '~~~\n```\n~~~', 'b']],
  ['````\n```\n\n````\nb', ['````\n```\n\n````', 'b']],
  ['``` a`b\nc\n\nd', ['``` a`b\nc', 'd']],
  ['    code\n\n    more\n\nb', ['    code\n\n    more', 'b']],
  ['```\nopen\n\n', ['```\nopen\n']],
  ['   ```\nx\n   ```\nb', ['   ```\nx\n   ```', 'b']],
  ['```\nx\n    ```\n\ny\n```\nb', ['```\nx\n    ```\n\ny\n```', 'b']],
  ['```\nx\n\t```\n\ny\n```\nb', ['```\nx\n\t```\n\ny\n```', 'b']],
  ['    ```\nx\n\ny', ['    ```\nx', 'y']],
  ['\t```\nx\n\ny', ['\t```\nx', 'y']],
  ['```\nx\n````  \nb', ['```\nx\n````  ', 'b']],
  ['````\nx\n```\n\ny\n````', ['````\nx\n```\n\ny\n````']],
  ['```\nx\n``` js\n\ny\n```', ['```\nx\n``` js\n\ny\n```']],
  ['- a\n  ```\n\n  x\n      ```\n\nb', ['- a\n  ```\n\n  x\n      ```', 'b']],
  ['- a\n\n\t```\n\n\tx\n\t```\n\nb', ['- a\n\n\t```\n\n\tx\n\t```', 'b']],
  ['- a\n ```\nx\n ```\nb', ['- a', ' ```\nx\n ```', 'b']],
  ['- a\n  ```\nx\n  ```\nb', ['- a\n  ```\nx\n  ```\nb']],
  ['- ```js\n  x\n  ```\n\nb\n\nc', ['- ```js\n  x\n  ```', 'b', 'c']],
  ['1. - ~~~\n     x\n\n     y\n     ~~~\n\nb', ['1. - ~~~\n     x\n\n     y\n     ~~~', 'b']],
  ['-      ```\n\nb', ['-      ```', 'b']],
  ['- `a`\n\nb', ['- `a`', 'b']],
  ['a\n    ```\nb', ['a\n    ```\nb']],
  ['a\n\n    b', ['a\n\n    b']],
  ['a\n\n   \tb', ['a\n\n   \tb']],
  ['a\n\n   b', ['a', '   b']],
  ['- a\n\n\tb\n\n 10) c', ['- a\n\n\tb\n\n 10) c']],
  ['#tag\nb\n####### c\n######\nd', ['#tag\nb\n####### c', '######', 'd']],
  ['', []],
])('splits %j', (text, blocks) => {
  expect(split(text)).toEqual(blocks);
});

it('settles only blocks that no later text can change', () => {
  fc.assert(
    fc.property(markdownShaped, markdownShaped, (before, after) => {
      const text = before.replace(/\r\n?/g, '\n');
      const blocks = splitBlocks(text);
      const settled = blocks.slice(0, countSettled(text, blocks));
      const longer = splitBlocks(text + after.replace(/\r\n?/g, '\n'));
      expect(longer.slice(0, settled.length)).toEqual(settled);
      const resumed = splitBlocks(text, blocks[settled.length]?.start ?? 0);
      if (blocks[settled.length]) expect(resumed).toEqual(blocks.slice(settled.length));
    }),
    { numRuns: 5_000 },
  );
});
