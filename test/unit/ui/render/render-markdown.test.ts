/**
 * Markdown to allowed elements: the shapes of the language and of Obsidian.
 *
 * @jest-environment jsdom
 */
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
  ['an underlined heading', 'a\n===', '<h1>a</h1>'],
  ['a rule', 'a\n\n---\n\nb', '<p>a</p><hr></hr><p>b</p>'],
  ['a tight list', '- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  ['a loose list stays one list', '- a\n\n- b\n\n  more', '<ul><li><p>a</p></li><li><p>b</p><p>more</p></li></ul>'],
  ['a quote', '> a\n>\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
  ['HTML as text', '<div onclick="x()">a</div> &lt;b&gt;', '<p><div onclick="x()">a</div> <b></p>'],
  ['a comment as text', '<!-- hidden -->', '<p><!-- hidden --></p>'],
  ['a written break', 'a<br>b<br/>c', '<p>a<br></br>b<br></br>c</p>'],
  ['entities', '&amp; &copy; &#65; &#x42; &nosuch; \\&amp;', '<p>& © A B &nosuch; &amp;</p>'],
  ['an entity in code', '`&lt;`', '<p><code>&lt;</code></p>'],
  ['a footnote as text', 'x[^1]\n\n[^1]: word', '<p>x[^1]</p><p>[^1]: word</p>'],
  ['escapes', '\\*a\\* \\[[b\\]]', '<p>*a* [[b]]</p>'],
  ['no highlight', 'a == b == c', '<p>a == b == c</p>'],
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

it('draws a callout as a quote with a title', () => {
  const quote = draw('> [!WARNING]- Mind *this*\n> body\n>\n> - item').querySelector('blockquote');
  expect(quote?.getAttribute('data-callout')).toBe('warning');
  expect(outline(quote as Element)).toBe('<p>Mind <em>this</em></p><p>body</p><ul><li>item</li></ul>');
  expect(draw('> [!note]\n> x').querySelector('.docent-callout-title')?.textContent).toBe('Note');
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

  it('keeps blank lines and markers inside a fence', () => {
    const code = '# not a heading\n\n> > > > > > > > > > > > > > > > > > > > > > > > x\n- a\n\n[[Ideas]]';
    const drawn = draw(`before\n\`\`\`\n${code}\n\`\`\`\nafter`);
    expect(drawn.querySelector('pre')?.textContent).toBe(code);
    expect(outline(drawn).endsWith('<p>after</p>')).toBe(true);
  });

  it('ignores an info string that is no language', () => {
    expect(draw('```"><img>\nx\n```').querySelector('code')?.className).toBe('');
  });

  it('is highlighted once by what the context hands in', () => {
    const highlight = jest.fn();
    const drawn = draw('```ts\nlet a\n```\n\n```\nplain\n```', { highlight });
    expect(highlight.mock.calls).toEqual([['let a', 'ts', drawn.querySelector('code')]]);
  });
});

describe('math', () => {
  const renderMath = (source: string, display: boolean): HTMLElement => {
    const element = document.createElement('span');
    element.textContent = `${display ? 'block' : 'inline'}:${source}`;
    return element;
  };

  it('is drawn by what the context hands in', () => {
    const drawn = draw('a $x_1*y*$ b\n\n$$\nE = mc^2\n- 1\n$$\n\ntext\n$$z$$', { renderMath });
    const formulas = Array.from(drawn.querySelectorAll('.docent-math')).map((element) => element.textContent);
    expect(formulas).toEqual(['inline:x_1*y*', 'block:E = mc^2\n- 1', 'block:z']);
  });

  it('leaves money alone', () => {
    expect(draw('It costs $5 and $6.', { renderMath }).querySelector('.docent-math')).toBeNull();
  });

  it.each([
    '\\href{https://a.example}{x}',
    '\\require{html}',
    '\\style{background:url(x)}{y}',
    '\\csname href\\endcsname',
  ])('shows %s as its source', (source) => {
    const drawn = draw(`$${source}$`, { renderMath });
    expect(drawn.querySelector('.docent-math > code')?.textContent).toBe(source);
  });
});

it('shows what nests too deep, or is too long, as plain text', () => {
  const deep = `${'> '.repeat(60)}x`;
  const drawn = draw(`*a*\n\n${deep}\n\n*b*`);
  expect(drawn.querySelector('.docent-plain-text')?.textContent).toBe(deep);
  expect(drawn.querySelectorAll('em')).toHaveLength(2);
  const long = '*a* '.repeat(260_000);
  expect(draw(long).firstElementChild?.textContent).toBe(long);
});
