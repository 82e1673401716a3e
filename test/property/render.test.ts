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
import { anyCharacter } from './any-character';
import { fresh } from './drawn-cases';

const elements: ReadonlySet<string> = new Set(ALLOWED_ELEMENTS);
const attributes: ReadonlySet<string> = new Set(ALLOWED_ATTRIBUTES);

/** Everything in a tree that should not be there. */
function findTrespasses(root: Element): string[] {
  const found: string[] = [];
  // Step by step, since a selector takes longer than most trees.
  const visit = (parent: Element, isInLink: boolean): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === Node.TEXT_NODE) continue;
      if (node.nodeType !== Node.ELEMENT_NODE) {
        found.push('a node that is neither element nor text');
        continue;
      }
      const element = node as Element;
      const tag = element.localName;
      if (!elements.has(tag) || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`<${tag}>`);
      for (const name of element.getAttributeNames()) {
        if (!attributes.has(name)) found.push(`${tag}[${name}]`);
        if (name !== 'src') continue;
        const value = element.getAttribute(name) ?? '';
        if (!(tag === 'img' && value.startsWith('app://local/'))) found.push(`src=${value}`);
      }
      if (tag === 'input' && !(element as HTMLInputElement).disabled) found.push('input that can be used');
      if (tag === 'a' && isInLink) found.push('nested link');
      visit(element, isInLink || tag === 'a');
    }
  };
  visit(root, false);
  return found;
}

function check(text: string): void {
  const target = newTarget();
  renderMarkdown(target, text, recordingContext().context);
  target.remove();
  const found = findTrespasses(target);
  // `expect` is too slow for twenty thousand questions.
  if (found.length > 0) throw new Error(`This does not belong: ${found.join(', ')}`);
}

it('notices what does not belong', () => {
  const target = newTarget();
  target.append(document.createElement('iframe'));
  const link = target.createEl('a', { attr: { href: 'x', onclick: 'y' } });
  link.createSpan().append(document.createElement('a'), document.createComment('z'));
  link.createEl('img', { attr: { src: 'https://a.example/i.png' } });
  target.createEl('input');
  expect(findTrespasses(target)).toEqual([
    ...['<iframe>', 'a[href]', 'a[onclick]', 'nested link', 'a node that is neither element nor text'],
    ...['src=https://a.example/i.png', 'input that can be used'],
  ]);
});

it('keeps to the allow-list for Markdown-shaped text', () => {
  fc.assert(fc.property(markdownShaped, check), fresh(10_000));
});

it('keeps to the allow-list for any text', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), check), fresh(5_000));
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>[]()!*_`~$=|#-:&;"\'\\/ \nab1.'), maxLength: 120 }), check),
    fresh(5_000),
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
