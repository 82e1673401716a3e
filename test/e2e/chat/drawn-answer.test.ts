/** An answer with every kind of block that Markdown has, and the lists that the box opens, in each look. */
import { measureOverflow } from '../driver/measure-look';
import { chatView, openLook, workbench } from '../driver/open-chat';
import { looks } from '../driver/workbench';

jest.setTimeout(60_000);

/** Kinds of callouts by the colour that they share. */
const callouts = {
  '--color-blue': ['note', 'info', 'todo', 'unheard-of'],
  '--color-cyan': ['tip', 'hint', 'important', 'abstract', 'summary', 'tldr'],
  '--color-green': ['success', 'check', 'done'],
  '--color-orange': ['question', 'help', 'faq', 'warning', 'caution', 'attention'],
  '--color-red': ['failure', 'fail', 'missing', 'danger', 'error', 'bug'],
  '--color-purple': ['example'],
  '--color-base-60': ['quote', 'cite'],
};
const kinds = Object.entries(callouts).flatMap(([colour, names]) => names.map((kind) => ({ kind, colour })));
const answer = [
  '# Keel\n\n## Bolts\n\nSeven, *galvanised*, with `M12` threads; see [the chandler](https://example.org/bolts).',
  '| Left | Middle | Right |\n|:--|:-:|--:|\n| one | two | three |',
  '```ts\nconst bolts = 7;\n```',
  '> Tighten them by hand.',
  '1. Clean\n2. Grease\n   - sparingly',
  '$$\nF = m a\n$$',
  '![a keel](https://example.org/keel.png)',
  ...kinds.map(({ kind }) => `> [!${kind}]\n> About ${kind}.`),
].join('\n\n');

describe.each(looks)('%s', (_name, options) => {
  beforeAll(() => openLook(options, { vault: { 'Keel.md': '# Keel\n' }, scripted: () => ({ text: answer }) }));

  it('draws each block inside the pane, tables as they are aligned', async () => {
    const drawn = await chatView.ask('What do you know of the keel?');
    await drawn.locator('.docent-callout[data-callout="cite"]').waitFor();
    const alignOf = (element: Element): string => getComputedStyle(element).textAlign;
    const cells = await drawn.locator('td').all();
    expect(await Promise.all(cells.map((cell) => cell.evaluate(alignOf)))).toEqual(['start', 'center', 'end']);
    for (const selector of ['h1', 'h2', 'pre code', '.docent-math', '.docent-remote-image', 'ol ul', 'blockquote'])
      expect({ selector, count: await drawn.locator(selector).count() }).not.toEqual({ selector, count: 0 });
    expect(await measureOverflow(workbench.page)).toEqual([]);
    const { scrollWidth, clientWidth } = await drawn.evaluate(({ scrollWidth: all, clientWidth: own }) => ({
      ...{ scrollWidth: all, clientWidth: own },
    }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  it('is copied by a selection without what its buttons say', async () => {
    const copied = await chatView.root.locator('.docent-answer').evaluate((element) => {
      window.getSelection()?.selectAllChildren(element);
      return String(window.getSelection());
    });
    expect(copied).toMatch(/the chandler[^]*three\s+const bolts = 7;\s+Tighten them by hand\.\s+Clean/);
    expect(copied.trim()).toMatch(/About cite\.$/);
  });

  it('draws nothing over what is above it, however many accents a letter has', async () => {
    const question = chatView.root.locator('.docent-user-text').last();
    const before = await question.screenshot();
    const drawn = chatView.root.locator('.docent-answer .docent-markdown').last();
    await drawn.evaluate((element) => {
      const line = document.createElement('p');
      line.textContent = `a${'\u0300\u0301\u0302'.repeat(100)} `.repeat(40);
      element.prepend(line);
    });
    expect((await question.screenshot()).equals(before)).toBe(true);
    await drawn.evaluate((element) => element.firstElementChild?.remove());
  });

  it('has room for the outline of what has the focus in its first and its last line, and covers nothing for it', async () => {
    const drawn = chatView.root.locator('.docent-answer .docent-markdown').last();
    const rooms = await drawn.evaluate((element) => {
      const [box, first, last, below] = [
        element,
        element.firstElementChild!,
        element.lastElementChild!,
        element.nextElementSibling!,
      ].map((each) => each.getBoundingClientRect());
      return { inside: [first!.top - box!.top, box!.bottom - last!.bottom], below: below!.top - box!.bottom };
    });
    // An outline of two points is one point away from a link.
    expect(Math.min(...rooms.inside)).toBeGreaterThanOrEqual(3);
    expect(rooms.below).toBeGreaterThanOrEqual(0);
  });

  it('gives each callout the colour of its kind', async () => {
    const found = await chatView.root.locator('.docent-callout').evaluateAll((elements) =>
      elements.map((element) => {
        const kind = element.getAttribute('data-callout');
        return { kind, colour: getComputedStyle(element.firstElementChild!).color };
      }),
    );
    const wanted = await workbench.page.evaluate(
      (given) =>
        given.map(({ kind, colour }) => {
          const probe = document.body.createDiv();
          probe.setCssStyles({ color: `var(${colour})` });
          const resolved = getComputedStyle(probe).color;
          probe.remove();
          return { kind, colour: resolved };
        }),
      kinds,
    );
    expect(found).toEqual(wanted);
    expect(new Set(found.map(({ colour }) => colour)).size).toBe(Object.keys(callouts).length);
  });

  it('lists the keys and commands inside the window, and says when nothing fits', async () => {
    await chatView.input.fill('/help');
    await chatView.suggestions.first().waitFor();
    await chatView.input.press('Enter');
    const help = chatView.root.locator('.docent-help');
    await help.waitFor();
    expect(await help.locator('dt').count()).toBeGreaterThan(5);
    const { page } = workbench;
    const box = await help.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.height).toBeLessThanOrEqual((page.viewportSize()?.height ?? 0) * 0.7 + 1);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    // A press on anything outside closes it too, and the focus stays where it was pressed.
    await chatView.input.fill('/help');
    await page.keyboard.press('Enter');
    await help.locator('dd').first().click();
    expect(await help.isVisible()).toBe(true);
    await chatView.input.click();
    await help.waitFor({ state: 'detached' });
    expect(await chatView.input.evaluate((box) => box === document.activeElement)).toBe(true);
    await chatView.input.fill('');
    await chatView.openNoteList('no note is called so');
    await chatView.root.locator('.docent-popup-empty').waitFor();
    expect(await chatView.suggestions.count()).toBe(0);
  });
});
