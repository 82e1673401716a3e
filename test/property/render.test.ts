/**
 * For any text of a model, only allowed elements and attributes are rendered, and every URL passes the URL check.
 *
 * @jest-environment jsdom
 */
import * as fc from 'fast-check';
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS } from '../../src/ui/render/drawing';
import { renderMarkdown } from '../../src/ui/render/streaming-renderer';
import { newTarget, recordingContext } from '../unit/ui/render/drawing-context';
import { markdownShaped } from '../unit/ui/render/markdown-samples';

const elements: ReadonlySet<string> = new Set(ALLOWED_ELEMENTS);
const attributes: ReadonlySet<string> = new Set(ALLOWED_ATTRIBUTES);
const RUNS = 10_000;

/** Everything in a tree that should not be there. */
function findTrespasses(root: Element): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const tag = element.localName;
    if (!elements.has(tag) || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`<${tag}>`);
    for (const { name, value } of Array.from(element.attributes)) {
      if (!attributes.has(name)) found.push(`${tag}[${name}]`);
      if (name === 'src' && !(tag === 'img' && value.startsWith('app://local/'))) found.push(`src=${value}`);
    }
    if (tag === 'input' && !(element as HTMLInputElement).disabled) found.push('input that can be used');
    if (tag === 'a' && element.querySelector('a')) found.push('nested link');
  }
  const other = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ALL & ~5);
  if (other.nextNode()) found.push('a node that is neither element nor text');
  return found;
}

function check(text: string): void {
  const target = newTarget();
  renderMarkdown(target, text, recordingContext().context);
  target.remove();
  expect(findTrespasses(target)).toEqual([]);
}

it('notices what does not belong', () => {
  const target = newTarget();
  target.append(document.createElement('iframe'));
  target.createEl('a', { attr: { href: 'x', onclick: 'y' } });
  expect(findTrespasses(target)).toEqual(['<iframe>', 'a[href]', 'a[onclick]']);
});

it('keeps to the allow-list for Markdown-shaped text', () => {
  fc.assert(fc.property(markdownShaped, check), { numRuns: RUNS });
});

it('keeps to the allow-list for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), check), { numRuns: RUNS / 2 });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>[]()!*_`~$=|#-:&;"\'\\/ \nab1.'), maxLength: 120 }), check),
    {
      numRuns: RUNS / 2,
    },
  );
});

it('opens nothing but web and mail addresses, whatever is clicked', async () => {
  const opened: string[] = [];
  const context = recordingContext({
    confirmLink: () => Promise.resolve(true),
    openExternal: (url) => void opened.push(url),
  }).context;
  await fc.assert(
    fc.asyncProperty(markdownShaped, async (text) => {
      const target = newTarget();
      renderMarkdown(target, text, context);
      for (const element of target.querySelectorAll<HTMLElement>('a, span, img')) element.click();
      target.remove();
      await Promise.resolve();
    }),
    { numRuns: 1_000, examples: [['a[^1] and a[^1]\n\n[^1]: a text below']] },
  );
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(opened.length).toBeGreaterThan(100);
  expect(opened.filter((url) => !/^(?:https?|mailto):/.test(url))).toEqual([]);
});
