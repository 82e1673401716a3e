/**
 * @jest-environment jsdom
 */
import { Component, htmlToMarkdown, MarkdownRenderChild, MarkdownRenderer, Plugin } from 'obsidian';
import { closeTestApps, createTestApp, type TestApp } from '../../../src/obsidian/jest';

const manifest = { id: 'p', name: 'P', author: '', version: '1.0.0', minAppVersion: '1.13.0', description: '' };

afterEach(closeTestApps);

async function render(app: TestApp, text: string, sourcePath = 'a.md'): Promise<HTMLElement> {
  const el = document.createElement('div');
  const owner = new Component();
  owner.load();
  await MarkdownRenderer.render(app, text, el, sourcePath, owner);
  return el;
}

async function renderAlone(text: string): Promise<HTMLElement> {
  return render(await createTestApp({ files: { 'a.md': '', 'Folder/Note.md': '# One\ntext\n\n# Two\nother' } }), text);
}

test('wikilinks, aliases, headings, tags and unresolved links', async () => {
  const el = await renderAlone('[[Note]] [[Note#One|alias]] [[Gone]] [md](Folder/Note.md) #tag/sub #1 `[[Note]]`');
  const links = Array.from(el.querySelectorAll('a.internal-link'));
  expect(links.map((link) => link.getAttribute('data-href'))).toEqual(['Note', 'Note#One', 'Gone', 'Folder/Note.md']);
  expect(links.map((link) => link.textContent)).toEqual(['Note', 'alias', 'Gone', 'md']);
  expect(links.map((link) => link.classList.contains('is-unresolved'))).toEqual([false, false, true, false]);
  expect(Array.from(el.querySelectorAll('a.tag'), (tag) => tag.textContent)).toEqual(['#tag/sub']);
  expect(el.querySelector('code')?.textContent).toBe('[[Note]]');
});

test('tasks, highlights, comments, footnotes, math and block ids', async () => {
  const el = await renderAlone(
    '- [x] done\n- [ ] open\n\n==lit== %%hidden%% $x^2$ note[^1] inline^[here] ^block-1\n\n%%\nsecret\n%%\n\n[^1]: Below',
  );
  const items = Array.from(el.querySelectorAll('li.task-list-item'));
  expect(items.map((item) => item.getAttribute('data-task'))).toEqual(['x', '']);
  expect(items[0]?.querySelector<HTMLInputElement>('input')?.checked).toBe(true);
  expect(el.querySelector('mark')?.textContent).toBe('lit');
  expect(el.textContent).not.toContain('hidden');
  expect(el.textContent).not.toContain('secret');
  expect(el.textContent).not.toContain('block-1');
  expect(el.querySelector('.math-inline code')?.textContent).toBe('x^2');
  expect(Array.from(el.querySelectorAll('sup'), (sup) => sup.textContent)).toEqual(['[1]', '[2]']);
  expect(el.querySelector('section.footnotes')?.textContent).toContain('Below');
});

test('reference links stand beside footnotes', async () => {
  const el = await renderAlone('[text][ref] and[^n]\n\n[ref]: https://e.x\n[^n]: foot');
  expect(el.querySelector('a.external-link')?.getAttribute('href')).toBe('https://e.x');
  expect(el.querySelector('section.footnotes')?.textContent).toContain('foot');
});

test('callouts with title, fold and nested content', async () => {
  const el = await renderAlone('> [!warning]- Look **out**\n> First\n> - item\n\n> plain quote');
  const callout = el.querySelector<HTMLElement>('.callout');
  expect(callout?.dataset['callout']).toBe('warning');
  expect(callout?.querySelector('.callout-title-inner')?.innerHTML).toBe('Look <strong>out</strong>');
  expect(callout?.querySelector('.callout-content')?.textContent).toContain('First');
  expect(callout?.classList.contains('is-collapsed')).toBe(true);
  callout?.querySelector<HTMLElement>('.callout-title')?.click();
  expect(callout?.classList.contains('is-collapsed')).toBe(false);
  expect(el.querySelectorAll('blockquote')).toHaveLength(1);
});

test('embeds show notes and their parts, and do not run in circles', async () => {
  const app = await createTestApp({
    files: { 'a.md': 'see ![[b]]', 'b.md': 'back ![[a]]', 'c.md': '# One\ntext\n\n# Two\nother', 'p.png': 'x' },
  });
  while (app.metadataCache.getCache('c.md')?.headings === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const circle = await render(app, '![[b]]');
  expect(circle.querySelectorAll('.markdown-embed').length).toBeLessThan(8);
  const part = await render(app, '![[c#Two]]');
  expect(part.textContent).toContain('other');
  expect(part.textContent).not.toContain('text');
  const image = await render(app, '![[p.png|120x80]]');
  expect(image.querySelector('img')?.getAttribute('width')).toBe('120');
  expect((await render(app, '![[nowhere]]')).querySelector('.mod-empty')).not.toBeNull();
});

test('nothing that runs comes through', async () => {
  const el = await renderAlone(
    '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>[x](javascript:alert(1)) <b onclick="a()">b</b>',
  );
  expect(el.querySelector('script')).toBeNull();
  expect(el.innerHTML).not.toMatch(/onerror|onclick|javascript:/);
  expect(el.querySelector('b')?.textContent).toBe('b');
});

test('post-processors and code blocks, until the plugin goes', async () => {
  let unloaded = 0;
  class Processing extends Plugin {
    override onload(): void {
      this.registerMarkdownPostProcessor((el) =>
        el.querySelectorAll('em').forEach((em) => em.setAttribute('title', 't')),
      );
      this.registerMarkdownCodeBlockProcessor('calc', (source, el, ctx) => {
        el.textContent = `${ctx.sourcePath}:${source}`;
        const child = new MarkdownRenderChild(el);
        child.register(() => (unloaded += 1));
        ctx.addChild(child);
      });
    }
  }
  const app = await createTestApp({ files: { 'a.md': '' }, plugins: [{ manifest, main: Processing }] });
  const owner = new Component();
  owner.load();
  const el = document.createElement('div');
  const text = '*e*\n\n```calc\n1 + 1\n```\n\n```js\nlet a\n```';
  await MarkdownRenderer.render(app, text, el, 'a.md', owner);
  expect(el.querySelector('em')?.getAttribute('title')).toBe('t');
  expect(el.querySelector('.block-language-calc')?.textContent).toBe('a.md:1 + 1');
  expect(el.querySelector('pre.language-js code.is-loaded')).not.toBeNull();
  owner.unload();
  expect(unloaded).toBe(1);
  await app.plugins.disablePlugin('p');
  expect((await render(app, text)).querySelector('.block-language-calc')).toBeNull();
});

test('HTML becomes Markdown', () => {
  expect(htmlToMarkdown('<h2>T</h2><p>a <b>b</b> <a href="https://e.x">l</a></p><ul><li>1</li><li>2</li></ul>')).toBe(
    '## T\n\na **b** [l](https://e.x)\n\n- 1\n- 2',
  );
});
