/**
 * Markdown to allowed elements: the shapes of the language and of Obsidian.
 *
 * @jest-environment jsdom
 */
import { words } from '../../../../src/text';
import type { Libraries } from '../../../../src/ui/render/drawing';
import { draw, outline } from './drawing-context';

const shapes: [name: string, markdown: string, expected: string][] = [
  ['paragraphs', 'one\n\ntwo', '<p>one</p><p>two</p>'],
  ['a line break', 'one\ntwo', '<p>one<br></br>two</p>'],
  [
    'emphasis',
    '*a* **b** ~~c~~ ==d== `e`',
    '<p><em>a</em> <strong>b</strong> <del>c</del> <mark>d</mark> <code>e</code></p>',
  ],
  ['nested emphasis', '**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
  ['headings', '# a\ntext\n###### b', '<h1>a</h1><p>text</p><h6>b</h6>'],
  ['headings of each depth', '## b\n### c\n#### d\n##### e', '<h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5>'],
  ['a heading without text', '#', '<h1></h1>'],
  ['an underlined heading', 'a\n===', '<h1>a</h1>'],
  ['no heading in a formula', 'a\n$$\nb\n=\nc\n$$\nd', '<p>a</p><p><span><code>b\n=\nc</code></span></p><p>d</p>'],
  ['a heading with dollar signs', 'a $$ b\n===\n$$c$$', '<h1>a $$ b</h1><p><span><code>c</code></span></p>'],
  ['a rule', 'a\n\n---\n\nb', '<p>a</p><hr></hr><p>b</p>'],
  ['a tight list', '- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  ['a loose list stays one list', '- a\n\n- b\n\n  more', '<ul><li><p>a</p></li><li><p>b</p><p>more</p></li></ul>'],
  ['a quote', '> a\n>\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
  ['HTML as text', '<div onclick="x()">a</div> &lt;b&gt;', '<p><div onclick="x()">a</div> <b></p>'],
  ['a comment as text', '<!-- hidden -->', '<p><!-- hidden --></p>'],
  ['a written break', 'a<br>b<br/>c', '<p>a<br></br>b<br></br>c</p>'],
  ['entities', '&amp; &copy; &#65; &#x42; &nosuch; \\&amp;', '<p>& © A B &nosuch; &amp;</p>'],
  ['an entity in code', '`&lt;`', '<p><code>&lt;</code></p>'],
  ['a footnote', 'x[^a]\n\n[^a]: word', '<p>x<sup><a>1</a></sup></p><div><span>1</span><div><p>word</p></div></div>'],
  ['a footnote in its line', 'x^[word] y', '<p>x<sup>1</sup> y</p><div><span>1</span><div>word</div></div>'],
  ['escapes', '\\*a\\* \\[[b\\]]', '<p>*a* [[b]]</p>'],
  ['no highlight', 'a == b == c', '<p>a == b == c</p>'],
  ['a link without a text', '[](Ideas)', '<p><a>Ideas</a></p>'],
  [
    'a footnote in a link',
    '[a^[word] b[^c]](Ideas)\n\n[^c]: d',
    '<p><a>aword b[c]</a></p><div><span>c</span><div><p>d</p></div></div>',
  ],
  ['an image in a link', '[![](photo.png) ![one](photo.png)](Ideas)', '<p><a>photo.png one</a></p>'],
];

it.each(shapes)('draws %s', (_name, markdown, expected) => {
  expect(outline(draw(markdown))).toBe(expected);
});

it('keeps the number of an ordered list and the direction of its text open', () => {
  const list = draw('3. a\n4. b').querySelector('ol');
  expect(list?.getAttribute('start')).toBe('3');
  expect(list?.querySelector('li')?.getAttribute('dir')).toBe('auto');
  expect(draw('1. a').querySelector('ol')?.hasAttribute('start')).toBe(false);
});

it.each(['- [ ] a\n- [x] b\n- c', '- [ ] a\n\n- [x] b\n\n- c'])('draws tasks as disabled boxes: %j', (markdown) => {
  const drawn = draw(markdown);
  const boxes = Array.from(drawn.querySelectorAll('input'));
  expect(boxes.map(({ type, disabled, checked }) => [type, disabled, checked])).toEqual([
    ['checkbox', true, false],
    ['checkbox', true, true],
  ]);
  expect(Array.from(drawn.querySelectorAll('li')).map((item) => item.textContent.trim())).toEqual(['a', 'b', 'c']);
});

it.each(['- [ ] [x] a\n- [x] b', '- [ ] [x] a\n\n- [x] b'])(
  'keeps what looks like a second mark of a task: %j',
  (markdown) => {
    expect(Array.from(draw(markdown).querySelectorAll('li'), ({ textContent }) => textContent)).toEqual(['[x] a', 'b']);
  },
);

it('draws a table with its alignment', () => {
  const drawn = draw('| a | b | c |\n|:-|:-:|-:|\n| 1 | `x\\|y` | [[Ideas\\|i]] |');
  const cells = Array.from(drawn.querySelectorAll('td'));
  expect(cells.map((cell) => [cell.getAttribute('align'), cell.textContent])).toEqual([
    ['left', '1'],
    ['center', 'x|y'],
    ['right', 'i'],
  ]);
  expect(drawn.querySelectorAll('thead th')).toHaveLength(3);
});

describe('callouts', () => {
  it('have a title, an icon of their kind or its alias, and content', () => {
    const icons: string[] = [];
    const showIcon = (_element: HTMLElement, icon: string): void => void icons.push(icon);
    const callout = draw('> [!HINT] Mind *this*\n> body\n>\n> - item', { showIcon }).querySelector('.callout');
    expect(callout?.getAttribute('data-callout')).toBe('hint');
    expect(outline(callout as Element)).toBe(
      '<div><div></div><div>Mind <em>this</em></div></div><div><p>body</p><ul><li>item</li></ul></div>',
    );
    // Its lines are in the direction of their language.
    expect(callout?.querySelector('.callout-content > p')?.getAttribute('dir')).toBe('auto');
    expect(draw('> [!note]\n> x').querySelector('.callout-title')?.textContent).toBe('Note');
    draw('> [!unheard-of]\n> x', { showIcon });
    expect(icons).toEqual(['lucide-flame', 'lucide-pencil']);
    expect(callout?.querySelector('[role="button"]')).toBeNull();
  });

  it.each([
    ['lucide-pencil', ['note', 'unheard-of']],
    ['lucide-clipboard-list', ['abstract', 'summary', 'tldr']],
    ['lucide-info', ['info']],
    ['lucide-check-circle-2', ['todo']],
    ['lucide-flame', ['tip', 'hint', 'important']],
    ['lucide-check', ['success', 'check', 'done']],
    ['lucide-help-circle', ['question', 'help', 'faq']],
    ['lucide-alert-triangle', ['warning', 'caution', 'attention']],
    ['lucide-x', ['failure', 'fail', 'missing']],
    ['lucide-zap', ['danger', 'error']],
    ['lucide-bug', ['bug']],
    ['lucide-list', ['example']],
    ['lucide-quote', ['quote', 'cite']],
  ])('have the icon %s that the app gives their kinds', (icon, kinds) => {
    const icons: string[] = [];
    const showIcon = (_element: HTMLElement, shown: string): void => void icons.push(shown);
    for (const kind of kinds) draw(`> [!${kind}]\n> x`, { showIcon });
    expect(icons).toEqual(kinds.map(() => icon));
  });

  it('fold by mouse and keys, and begin as they are written', () => {
    for (const [mark, isOpen] of [
      ['-', false],
      ['+', true],
    ] as const) {
      const callout = draw(`> [!note]${mark} Title\n> body`).querySelector('.callout');
      const title = callout?.querySelector<HTMLElement>('[role="button"]');
      expect([title?.getAttribute('aria-expanded'), title?.tabIndex]).toEqual([String(isOpen), 0]);
      expect(callout?.classList.contains('is-collapsed')).toBe(!isOpen);
      title?.click();
      expect([title?.getAttribute('aria-expanded'), callout?.classList.contains('is-collapsed')]).toEqual([
        String(!isOpen),
        isOpen,
      ]);
      title?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }));
      expect(title?.getAttribute('aria-expanded')).toBe(String(isOpen));
    }
  });
});

it.each([
  ['1. Make:\n\n   ```make\n   all:\n   \techo\ta\n   \t\tb\n   ```\n2. c', 'all:\n\techo\ta\n\t\tb'],
  ['- ```\n  a\n  \tb\n  ```', 'a\n\tb'],
  ['-\ta\n\t~~~\n\t\tb\n\t~~~', '\tb'],
  ['- a\n  ```\n  b\n- c\n\t- d\n\t\t- e', 'b'],
  ['- ```\n  a\n  ```js\n  \tb\ufdd0\n  ```', 'a\n```js\n  b\ufdd0'],
  ['- ````\n  a\n  ```\n  \tb\n  ````\n\n  \tc', 'a\n```\n\tb'],
  ['> ```\n> \ta\n> ```', '\ta'],
  ['```\n\ta\n```', '\ta'],
])('keeps the tabs of code, also in a list: %j', (markdown, code) => {
  const drawn = draw(markdown);
  expect(drawn.querySelector('pre code')?.textContent).toBe(code);
  expect(drawn.querySelectorAll('ul ul ul')).toHaveLength(markdown.includes('- e') ? 1 : 0);
});

it.each([
  ['p', 'A word.'],
  ['h2', '## Title'],
  ['blockquote', '> quoted'],
  ['li', '- one\n- two'],
  ['li', '1. one\n\n   more'],
  ['li', '- [ ] to do'],
  ['.callout-title', '> [!tip] Hint\n> text'],
  ['.callout-content > p', '> [!tip] Hint\n> text'],
  ['th', '| a |\n|---|\n| 1 |'],
  ['td', '| a |\n|---|\n| 1 |'],
  ['.docent-footnote', 'x[^a]\n\n[^a]: word'],
  ['.docent-footnote', 'x^[word] y'],
  ['.docent-plain-text', '# a\n'.repeat(280_001)],
])('gives %s the direction of its own text', (selector, markdown) => {
  const found = [...draw(markdown).querySelectorAll<HTMLElement>(selector)];
  expect(found.map(({ dir }) => dir)).toEqual(found.map(() => 'auto'));
  expect(found.length).toBeGreaterThan(0);
});

it.each([
  ['blockquote', '> **\u05e9\u05dc\u05d5\u05dd** and more'],
  ['blockquote', '> - \u0645\u0631\u062d\u0628\u0627'],
  ['li', '1. \u0645\u0631\u062d\u0628\u0627\n\n   more'],
  ['li', '- [ ] \u0645\u0631\u062d\u0628\u0627\n\n  more'],
  ['.callout', '> [!tip] \u05e9\u05dc\u05d5\u05dd\n> text'],
  ['.callout', '> [!tip]\n> \u05e9\u05dc\u05d5\u05dd'],
  ['.callout', '> [!tip]\n>\n> - \u05e9\u05dc\u05d5\u05dd'],
  ['.docent-footnote', 'x[^a]\n\n[^a]: \u05e9\u05dc\u05d5\u05dd'],
  ['.docent-table', '| 1 | \u05e9\u05dc\u05d5\u05dd |\n|---|---|\n| a | b |'],
])(
  'gives %s the direction of its first words, which are in elements with one of their own: %j',
  (selector, markdown) => {
    expect(draw(markdown).querySelector<HTMLElement>(selector)?.dir).toBe('rtl');
  },
);

it('leaves a table of words from left to right as the app is written', () => {
  expect(draw('| a | \u05e9 |\n|---|---|\n| 1 | 2 |').querySelector<HTMLElement>('.docent-table')?.dir).toBe('');
});

it('writes code from left to right', () => {
  expect(draw('```js\nlet a\n```').querySelector<HTMLElement>('.docent-code')?.dir).toBe('ltr');
});

it('writes the text of each footnote, however many a list has', () => {
  const lines = Array.from({ length: 150 }, (_, index) => `- item^[source ${index} ^[nested ${index}]]`);
  const feet = Array.from(
    draw(lines.join('\n')).querySelectorAll('.docent-footnote'),
    ({ textContent }) => textContent,
  );
  expect(feet).toHaveLength(300);
  expect(feet.at(-1)).toBe('300nested 149');
});

it('leads from a footnote to its text, numbered in the order in which they are referred to', () => {
  const drawn = draw('a[^z] b[^y] c[^z] d^[in the *line*]\n\n[^y]: why\n[^z]: zed\n[^x]: nobody asks');
  const numbers = Array.from(drawn.querySelectorAll('sup'), ({ textContent }) => textContent);
  expect(numbers).toEqual(['1', '2', '1', '3']);
  const feet = Array.from(drawn.querySelectorAll<HTMLElement>('.docent-footnote'));
  expect(feet.map(({ textContent }) => textContent)).toEqual(['3in the line', '2why', '1zed', 'xnobody asks']);
  drawn.querySelector<HTMLElement>('sup a')?.click();
  expect(document.activeElement).toBe(feet[2]);
  const twice = draw('a[^z]\n\n[^z]: first\n\nText.\n\n[^z]: second');
  twice.querySelector<HTMLElement>('sup a')?.click();
  expect(document.activeElement?.textContent).toBe('1first');
});

it.each([
  ['#bolts and #keel/aft, #2024', ['#bolts', '#keel/aft']],
  ['no#tag, #12, # x, \\#escaped, `#code`, [#link](https://a.example)', []],
  ['**#bold** ünder #über_all\n#line', ['#bold', '#über_all', '#line']],
  ['*a*#no', []],
])('makes tags of %j', (markdown, tags) => {
  const queries: string[] = [];
  const drawn = draw(markdown, { openSearch: (query) => void queries.push(query) });
  const found = Array.from(drawn.querySelectorAll<HTMLElement>('a.tag'));
  expect(found.map(({ textContent }) => textContent)).toEqual(markdown.startsWith('**') ? tags.slice(1) : tags);
  found.forEach((tag) => tag.click());
  expect(queries).toEqual(found.map(({ textContent }) => `tag:${textContent}`));
  expect(draw(markdown).querySelector('a.tag')).toBeNull();
});

it('opens a note by an address that is percent-encoded, or only looks so, at the quote above its citation', () => {
  const opened: unknown[][] = [];
  const drawn = draw('> Oak.\n\n[[Ideas]]\n\n[a](Ideas%23Plan) [b](Ideas%ZZ)', {
    openNote: (...given: unknown[]) => void opened.push(given),
    resolveLink: (linkText) => linkText,
  });
  drawn.querySelectorAll<HTMLElement>('p a').forEach((link) => link.click());
  expect(opened).toEqual([
    ['Ideas', false, 'Oak.'],
    ['Ideas#Plan', false, 'Oak.'],
    ['Ideas%ZZ', false, 'Oak.'],
  ]);
});

describe('code', () => {
  it('is text with a language and a copy button', async () => {
    const written: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void written.push(text)) };
    Object.defineProperty(window.navigator, 'clipboard', { value: clipboard, configurable: true });
    const drawn = draw('```dataviewjs\ndv.view("<b>")\n```');
    expect(drawn.querySelector('.docent-code-language')?.textContent).toBe('dataviewjs');
    expect(drawn.querySelector('pre > code')?.className).toBe('language-dataviewjs');
    expect(drawn.querySelector('pre > code')?.textContent).toBe('dv.view("<b>")');
    const button = drawn.querySelector('button');
    const label = button?.textContent;
    jest.useFakeTimers();
    button?.click();
    await Promise.resolve();
    expect(written).toEqual(['dv.view("<b>")']);
    expect(button?.textContent).toBe('Copied');
    jest.advanceTimersByTime(1_500);
    jest.useRealTimers();
    expect(button?.textContent).toBe(label);
  });

  it('says on its button that it could not be copied', async () => {
    const clipboard = { writeText: () => Promise.reject(new Error('Denied.')) };
    Object.defineProperty(window.navigator, 'clipboard', { value: clipboard, configurable: true });
    const button = draw('```\na\n```').querySelector('button');
    jest.useFakeTimers();
    button?.click();
    await jest.advanceTimersByTimeAsync(1);
    expect(button?.textContent).toBe(words.render.copyFailed);
    await jest.advanceTimersByTimeAsync(1_500);
    jest.useRealTimers();
    expect(button?.textContent).toBe(words.render.copy);
  });

  it('keeps blank lines and markers inside a fence', () => {
    const code = '# not a heading\n\n> > > > > > > > > > > > > > > > > > > > > > > > x\n- a\n\n[[Ideas]]';
    const drawn = draw(`before\n\`\`\`\n${code}\n\`\`\`\nafter`);
    expect(drawn.querySelector('pre')?.textContent).toBe(code);
    expect(outline(drawn).endsWith('<p>after</p>')).toBe(true);
  });

  it('ignores an info string that is no language', () => {
    expect(draw('```"><img>\nx\n```').querySelector('code')?.className).toBe('');
  });

  it('gets the colors of its language', async () => {
    const libraries = {
      ...noLibraries,
      colors: (code: string, language: string) =>
        Promise.resolve(
          language === 'ts'
            ? [
                { text: 'let', names: ['keyword'] },
                { text: code.slice(3), names: [] },
              ]
            : null,
        ),
    };
    const drawn = draw('```ts\nlet a\n```\n\n```\nplain\n```\n\n```none\nx\n```', { libraries });
    await drawnLate();
    expect(Array.from(drawn.querySelectorAll('code'), (code) => outline(code))).toEqual([
      '<span>let</span> a',
      'plain',
      'x',
    ]);
    expect(drawn.querySelector('code span')?.className).toBe('token keyword');
  });

  it('of a megabyte is shown from its start, with a sentence, and can be copied whole', async () => {
    const written: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void written.push(text)) };
    Object.defineProperty(window.navigator, 'clipboard', { value: clipboard, configurable: true });
    const code = 'let bolt = 1;\n'.repeat(70_000);
    const drawn = draw(`\`\`\`ts\n${code}\`\`\``);
    expect(drawn.querySelector('pre')?.textContent.length).toBeLessThanOrEqual(60_000);
    expect(drawn.querySelector('.docent-source-note')?.textContent).toContain('Copy takes all of it');
    jest.useFakeTimers();
    drawn.querySelector('button')?.click();
    await Promise.resolve();
    jest.advanceTimersByTime(1_500);
    jest.useRealTimers();
    expect(written[0]).toHaveLength(code.length - 1);
  });
});

const noLibraries: Libraries = {
  math: () => Promise.resolve(null),
  colors: () => Promise.resolve(null),
  diagram: () => Promise.resolve(null),
};

/** Drawing that waits has its turn after a few turns of the event loop. */
const drawnLate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('a diagram', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" aria-label="Two steps"><text>One</text></svg>';
  const source = '```mermaid\ngraph TD\n```';
  const asked: unknown[] = [];
  const libraries = (drawn: string | null): Libraries => ({
    ...noLibraries,
    diagram: (text, isDark) => {
      asked.push([text, isDark]);
      return Promise.resolve(drawn);
    },
  });
  beforeEach(() => (asked.length = 0));
  afterEach(() => document.body.classList.remove('theme-dark'));

  it('takes the place of its source, which a button shows again', async () => {
    const drawn = draw(source, { libraries: libraries(svg) });
    expect(drawn.querySelector('.docent-diagram')).toBeNull();
    await drawnLate();
    expect(asked).toEqual([['graph TD', false]]);
    const holder = drawn.querySelector('.docent-diagram');
    expect([holder?.className, holder?.textContent, holder?.getAttribute('role')]).toEqual([
      ...['docent-diagram is-light', 'One', 'group'],
    ]);
    expect(holder?.getAttribute('aria-label')).toBe(holder?.querySelector('svg')?.getAttribute('aria-label') ?? '');
    const buttons = [...drawn.querySelectorAll('button')];
    expect(buttons.map(({ textContent }) => textContent)).toEqual([words.render.showSource, words.render.copy]);
    const box = drawn.querySelector('.docent-code');
    const seen: unknown[] = [];
    for (let press = 0; press < 3; press += 1) {
      seen.push([box?.classList.contains('is-drawn'), buttons[0]?.textContent]);
      buttons[0]?.click();
    }
    const { showSource, showDiagram } = words.render;
    expect(seen).toEqual([
      ...[
        [true, showSource],
        [false, showDiagram],
        [true, showSource],
      ],
    ]);
  });

  it('is drawn in the colors of a dark theme', async () => {
    const drawn = draw('a');
    document.body.classList.add('theme-dark');
    const dark = draw(source, { libraries: libraries(svg) });
    await drawnLate();
    expect([asked, dark.querySelector('.docent-diagram')?.className]).toEqual([
      [['graph TD', true]],
      'docent-diagram is-dark',
    ]);
    expect(drawn.textContent).toBe('a');
  });

  it.each([
    ['the library draws nothing', null],
    ['what it draws is no diagram', '<p>Syntax error</p>'],
  ])('stays as its source with a sentence where %s', async (_why, given) => {
    const drawn = draw(source, { libraries: libraries(given) });
    await drawnLate();
    expect(drawn.querySelector('.docent-source-note')?.textContent).toBe(words.render.diagramFailed);
    expect(drawn.querySelector('pre')?.textContent).toBe('graph TD');
    expect([drawn.querySelectorAll('button').length, drawn.querySelector('.is-drawn')]).toEqual([1, null]);
  });

  it('is not asked for where there are no libraries, or in code of another language', async () => {
    const drawn = draw(`${source}\n\n\`\`\`text\ngraph TD\n\`\`\``);
    draw('```text\ngraph TD\n```', { libraries: libraries(svg) });
    await drawnLate();
    expect([asked, drawn.querySelector('.docent-source-note')]).toEqual([[], null]);
  });
});

describe('math', () => {
  const math = (source: string, display: boolean): Promise<HTMLElement> => {
    const element = document.createElement('span');
    element.textContent = `${display ? 'block' : 'inline'}:${source}`;
    return Promise.resolve(element);
  };
  const libraries = { ...noLibraries, math };

  it('is drawn by the library, with its source as its name', async () => {
    const drawn = draw('a $x_1*y*$ b\n\n$$\nE = mc^2\n- 1\n$$\n\ntext\n$$z$$', { libraries });
    await drawnLate();
    expect(drawn.querySelector('[role="img"]')?.getAttribute('aria-label')).toBe('x_1*y*');
    const formulas = Array.from(drawn.querySelectorAll('.docent-math')).map((element) => element.textContent);
    expect(formulas).toEqual(['inline:x_1*y*', 'block:E = mc^2\n- 1', 'block:z']);
  });

  it.each([
    ['$$\na\nb\n$$', ['block:a\nb']],
    ['   $$a$$  \nb', ['block:a']],
    // Neither an empty line nor anything behind it belongs to a formula.
    ['$$\na\n\nb\n$$', []],
    ['$$\na\n  \nb\n$$', []],
    ['$a\nb$', []],
    ['$a$1 $a $ $ a$', []],
    ['$a\\$b$', ['inline:a\\$b']],
    ['c $a$, $b$', ['inline:a', 'inline:b']],
    ['c $$a$b$$ d', ['block:a$b']],
    ['$$ $$ $$', []],
  ])('finds the formulas of %j', async (source, formulas) => {
    const drawn = draw(source, { libraries });
    await drawnLate();
    expect(Array.from(drawn.querySelectorAll('.docent-math'), ({ textContent }) => textContent)).toEqual(formulas);
  });

  it('leaves money alone', () => {
    expect(draw('It costs $5 and $6.', { libraries }).querySelector('.docent-math')).toBeNull();
  });

  it.each([
    '\\href{https://a.example}{x}',
    '\\require{html}',
    '\\style{background:url(x)}{y}',
    '\\csname href\\endcsname',
    '\\newcommand{\\x}{y}',
    '\\DeclareMathOperator{\\x}{y}',
    '\\unicode{x26}',
    '\\mmlToken{mi}[href="x"]{y}',
    '\\ref{a}',
  ])('shows %s as its source', async (source) => {
    const drawn = draw(`$${source}$`, { libraries });
    await drawnLate();
    expect(drawn.querySelector('.docent-math > code')?.textContent).toBe(source);
    expect(drawn.querySelector('.docent-math')?.getAttribute('title')).toContain('source is shown');
  });
});

it.each([
  ['a block', (tex: string) => `$$\n${tex}\n$$`],
  ['a line', (tex: string) => `Here: $$${tex}$$ and more`],
  ['words', (tex: string) => `Here: $${tex}$ and more`],
])('shows a formula of 100 KB in %s as its source with a sentence', (_name, write) => {
  const drawn = draw(write('\\frac{a}{b} + '.repeat(7_700).trim()), { libraries: noLibraries });
  expect(drawn.querySelector('.docent-math > code')?.textContent.length).toBe(20_000);
  expect(drawn.querySelector('.docent-source-note')?.textContent).toContain('too long to draw');
});

it('shows a table of 5,000 rows as its source with a sentence', () => {
  const drawn = draw(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(5_000)}`);
  expect(drawn.querySelector('table')).toBeNull();
  expect(drawn.querySelector('pre')?.textContent).toContain('| 1 | 2 |');
  expect(drawn.querySelector('.docent-source-note')?.textContent).toContain('too long to draw');
});

it('draws no table of many thousand cells, wherever it is', () => {
  const table = (rows: number): string =>
    `${'| a '.repeat(99)}|\n${'|---'.repeat(99)}|\n${`${'| 1 '.repeat(99)}|\n`.repeat(rows)}`;
  const drawn = draw(table(300));
  expect(drawn.querySelector('table')).toBeNull();
  expect(drawn.textContent).toContain('too long to draw');
  for (const before of ['Words\n', '']) {
    const quoted = `${before}${table(300)}`.replace(/^(?=.)/gm, '> ');
    expect(draw(quoted).querySelector('table')).toBeNull();
    expect(draw(quoted).textContent).toContain('| 1 | 1 ');
  }
  expect(draw(table(190)).querySelectorAll('td')).toHaveLength(99 * 190);
});

it('reaches what scrolls by keys, without a tooltip over it, and names what can be ticked', () => {
  const drawn = draw('```ts\nlet a\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] Tighten *all* bolts');
  const reached = Array.from(drawn.querySelectorAll<HTMLElement>('[tabindex], input'));
  expect(reached.map((element) => [element.localName, element.tabIndex, element.getAttribute('aria-label')])).toEqual([
    ['pre', 0, null],
    ['div', 0, null],
    ['input', 0, 'Tighten *all* bolts'],
  ]);
});

it('shows what nests too deep, or is too long, as plain text', () => {
  const deep = `${'> '.repeat(60)}x`;
  const drawn = draw(`*a*\n\n${deep}\n\n*b*`);
  expect(drawn.querySelector('.docent-plain-text')?.textContent).toBe(deep);
  expect(drawn.querySelectorAll('em')).toHaveLength(2);
  const long = '*a* '.repeat(290_000);
  expect(draw(long).firstElementChild?.textContent).toBe(long);
});

it('draws what nests twenty deep, and not one deeper', () => {
  const nested = (depth: number): number => draw(`${'> '.repeat(depth)}x`).querySelectorAll('blockquote').length;
  const deepest = Math.max(...Array.from({ length: 60 }, (_, depth) => nested(depth)));
  const list = (depth: number): string =>
    Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n');
  const lists = (depth: number): number => draw(list(depth)).querySelectorAll('ul').length;
  expect([deepest, nested(deepest + 1), lists(deepest), lists(deepest + 1)]).toEqual([20, 0, 20, 0]);
  // A list that ends makes room for another.
  expect(draw(`${list(19)}\n- y\n  - > z`).querySelectorAll('blockquote')).toHaveLength(1);
  expect(draw(`${list(19)}\n${'  '.repeat(19)}> - z`).querySelector('.docent-plain-text')).not.toBeNull();
});

it('cuts the name of a long task between characters, and shows that it is cut', () => {
  const box = draw(`- [ ] ${'x'.repeat(199)}😀 and more`).querySelector('input');
  expect(box?.getAttribute('aria-label')).toBe(`${'x'.repeat(199)}…`);
});
