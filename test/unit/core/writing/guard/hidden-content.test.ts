/** Spellings that hide what a note runs or loads from a reader of Markdown, and what must not be taken for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { activeContentIn } from '../../../../../src/core/writing/guard/active-content';

const found = (text: string, path = 'N.md'): string[] =>
  activeContentIn(path, text).map(({ kind, runner }) => `${kind} ${runner}`);

const image = 'remote-image x.org';
const label = 'long '.repeat(300);

/** From the review of the first build, then our own. */
const hidden: readonly [text: string, item: string, path?: string][] = [
  ['<img alt=">" src="https://x.org/a.png">', 'html img'],
  ['<img alt="<b>" src="https://x.org/a.png">', 'html b'],
  ['<img alt="</b>" src="https://x.org/a.png">', 'html b'],
  ['<img alt=\'>\' title="<" src=https://x.org/a.png>', 'html img'],
  [`![${label}](https://x.org/a.png)`, image],
  ['![a \\] b](https://x.org/a.png)', image],
  ['![a \\[ b](https://x.org/a.png)', image],
  ['![a `]` b](https://x.org/a.png)', image],
  ['![a ``]`]`` b](https://x.org/a.png)', image],
  ['![a <b title="]"> c](https://x.org/a.png)', image],
  ['![[note]](https://x.org/a.png)', image],
  ['![a [b][c] d](https://x.org/a.png)', image],
  ['![a](\n  https://x.org/a.png)', image],
  ['![a](<https://x.org/a.png>)', image],
  ['![a](ht&Tab;tps://x.org/a.png)', image],
  ['![a](&#x0068;ttps://x.org/a.png)', image],
  ['![a](\\/\\/x.org/a.png)', image],
  ['![a](/\\x.org/a.png)', image],
  ['![a](https:x.org/a.png)', image],
  ['![a]\n\n[a]:\nhttps://x.org/a.png', image],
  ['![a]\n\n- [a]: https://x.org/a.png', image],
  ['![a]\n\n1. > [a]: https://x.org/a.png', image],
  ['![a]\n\n[^1]: [a]: https://x.org/a.png', image],
  ['![a   b][]\n\n[A\tB]: https://x.org/a.png', image],
  ['![a  0]\n\n[a 0]: https://x.org/a.png', image],
  ['![a b]\n\n[a\nb]: https://x.org/a.png', image],
  ['> ![a b]\n>\n> [a\n> b]: https://x.org/a.png', image],
  ['![x][a\\]b]\n\n[a\\]b]: https://x.org/a.png', image],
  ['![ẞ]\n\n[SS]: https://x.org/a.png', image],
  ['![`x`][a]\n\n[a]: https://x.org/a.png', image],
  ['![a](b c)\n\n[a]: https://x.org/a.png', image],
  ['words\r```dataviewjs\rapp\r```', 'code-block Dataview'],
  ['- [ ] ```dataviewjs\n  x', 'code-block Dataview'],
  ['[^1]: ```dataviewjs\n    x', 'code-block Dataview'],
  ['a paragraph ```dataviewjs\nx\n```', 'code-block Dataview'],
  ['````md\n```\n````\n```dataviewjs\nx\n```', 'code-block Dataview'],
  ['`$=\ndv.pages()`', 'inline-code Dataview'],
  ['> `\n> $= dv.pages()`', 'inline-code Dataview'],
  ['<code>$= dv.pages()</code>', 'inline-code Dataview'],
  ['<code><b>&#36;= dv.pages()</b></code>', 'inline-code Dataview'],
  ['<pre><code class="language-dataviewjs">x</code></pre>', 'html code'],
  ['`BUTTON[run]`', 'inline-code Meta Bind'],
  ['<span class="math">\\href{x}{y}</span>', 'formula MathJax'],
  ['<div class="m&#97;th math-block">\n&#92;st&#121;le{x}{y}\n</div>', 'formula MathJax'],
  ['`EMBED[[Crew]]`', 'inline-code Meta Bind'],
  ['```jsx:component:A\nx\n```', 'code-block jsx'],
  ['formulas:\n  a: "h\\x74ml(x)"', 'base-formula Bases', 'a.base'],
  ['formulas:\n  a: link("obsidian:open", "x")', 'base-formula Bases', 'a.base'],
  ['formulas:\n  a: link("https" + ":" + "//x.org/?q=" + note.x)', 'base-formula Bases', 'a.base'],
  ['formulas:\n  a: link (formula.b)', 'base-formula Bases', 'a.base'],
  ['Day,Wind\n=HYPERLINK("x"),1', 'formula Excel', 'a.csv'],
  ['Day,Wind\n1, @SUM(1)', 'formula Excel', 'a.csv'],
  ['Day;Wind\n1;"+cmd|x"', 'formula Excel', 'a.CSV'],
  ['-cmd|x', 'formula Excel', 'a.csv'],
  ['formulas:\n  a: "ht\\\n    ml(x)"', 'base-formula Bases', 'a.base'],
  ['views:\n  - type: cards\n    image: formula.a', 'base-formula Bases', 'a.base'],
  ['formulas:\n  a: \'"https://x.org/?" + file.name\'', 'base-formula Bases', 'a.base'],
  ['```base\nformulas:\n  a: "h\\u0074ml(x)"\n```', 'code-block Bases'],
  ['```mermaid\n%%{init: {"themeCSS": "a{background:url(//x.org)}"}}%%\n```', 'code-block Mermaid'],
  ['```mermaid\n---\nconfig:\n  x: y\n---\ngraph TD\n```', 'code-block Mermaid'],
  ['```mermaid\nA@{ img: "x" }\n```', 'code-block Mermaid'],
  ['```tasks\nfilter by \\\nfunction task.x()\n```', 'code-block Tasks'],
  ['````tasks\nnot done\n```\nfilter by function x\n````', 'code-block Tasks'],
  ['> ```tasks\n> filter by \\\n> function x\n> ```', 'code-block Tasks'],
  ['```tasks\n{{query.file.x}}\n```', 'code-block Tasks'],
  ['---\ncover: https://x.org/a.png\n---\n', image],
  ['---\nbanner: "ht\\x74ps:\\/\\/x.org/a.png"\n---\n', image],
  ['---\n"c\\x6fver": https://x.org/a.png\n---\n', image],
  ['---\ncover: |\n  https://x.org/a.png\n---\n', image],
  ['---\n{a: 1, cover: "https://x.org/a.png"}\n---\n', image],
  ['---\nsite: &s https://x.org/a.png\ncover: *s\n---\n', image],
  ['---\n? banner\n: https://x.org/a.png\n---\n', image],
  ['---\r\ncover: https://x.org/a.png\r\n---\r\n', image],
  ['---\nTQ_extra_instructions: filter by function x\n---\n', 'code-block TQ_extra_instructions'],
  ['---\nexcalidraw-onload-script: x\n---\n', 'code-block excalidraw-onload-script'],
  ['$\\href{javascript:x}{a}$', 'formula MathJax'],
  ['$$\\href\n{javascript:x}{a}$$', 'formula MathJax'],
  ['$\\href%\n{javascript:x}{a}$', 'formula MathJax'],
  ['$\\bbox[background:url(//x.org/a.png)]{a}$', 'formula MathJax'],
  ['$\\mmlToken{mi}[href="javascript:x"]{a}$', 'formula MathJax'],
  ['$\\newcommand{\\x}{\\href}\\x{javascript:x}{a}$', 'formula MathJax'],
  ['---\nbanner: //x.org/a.png\n---\n', image],
  ['---\ncovers: ["\\\\\\\\x.org/a.png"]\n---\n', image],
  ['<a href=&#106avascript:x()>a</a>', 'html a'],
  ['<javascript:x()>', 'scheme javascript'],
  ['<a title="href=https://x" href="javascript:x()">a</a>', 'html a'],
  ['<a href="jav&#x09;ascript:x()">a</a>', 'html a'],
  ['<a href="#" ping="https://x.org">a</a>', 'html a'],
  [JSON.stringify({ nodes: [{ type: 'group', background: 'https://x.org/a.png' }] }), 'canvas-link Canvas', 'a.canvas'],
  [JSON.stringify({ nodes: [], edges: [{ label: '![a](https://x.org/a.png)' }] }), image, 'a.canvas'],
];

describe('hidden active content', () => {
  it.each([
    ['a.base', 'views:\n  - type: table\nformulas:\n  a: link(file.name, "x")\n  b: if(link, 1, 2)'],
    ['a.csv', 'Day,Wind,Note\n1,-3.5,"a = b, c"\n2,+4,- none -\n3,,a@b.c\n'],
  ])('%s holds none when it says %j', (path, text) => {
    expect(found(text, path)).toEqual([]);
  });

  it.each(hidden)('T4 T5 %j is found', (text, item, path = 'N.md') => {
    expect(found(text, path)).toContain(item);
    if (path !== 'N.md' || text.startsWith('---')) return;
    expect(found(`Words before.\n\n${text}\n\nWords after.\n`)).toContain(item);
  });

  it.each([
    ['![[picture.png]] with [a link](https://x.org) and ![a picture](a/b.png)'],
    ['![[picture.png|100]]\n\n[site]: https://x.org\n\nSee [site].'],
    ['[![Docs](a.png)](https://x.org)'],
    ['Text[^1].\n\n[^1]: https://x.org/source, page 4.'],
    ['---\nsource: https://x.org/image.png\ntags: [a, b]\ncover: "[[a.png]]"\n---\n'],
    ['- <b>bold</b> and 3 > 2, "a = b" <YOUR-KEY>'],
    ['<a href="https://x.org/?a=1&b=2">x</a> > <img>'],
    ['```tasks\nnot done\nsort by due\n```\n\nThe function {{x}} https://x.org'],
    ['```mermaid\nsequenceDiagram\n  A->>B: Call the server<br>now\n```\n\n[x](https://x.org)'],
    ['$\\hrefs{x}$ and \\classic, $\\operatorname{def} x$'],
    ['---\ncover: a//b.png\nbanner: images/a.png // mine\n---\n'],
    ['Use ```inline``` code, `=` and `a` for ~~~ it, $5 and $6'],
  ])('%j holds none', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['a line over 16 KB', 'x '.repeat(8_200)],
    ['a quote of 51 levels', `${'> '.repeat(51)}words`],
    ['a list of 51 levels', `${'- '.repeat(51)}words`],
    ['a list that is indented for 60 levels', `${'  '.repeat(60)}- words`],
    ['51 brackets', `${'['.repeat(51)}x${']'.repeat(51)}`],
    ['a note over 512 KB', 'words\n'.repeat(90_000)],
  ])('has a person look at %s', (_what, text) => {
    expect(found(text).map((item) => item.trim())).toEqual(['unchecked']);
  });

  it.each([
    ['a quote of 50 levels', `${'>'.repeat(50)}words`],
    ['a list of 50 levels', `${'- '.repeat(50)}words`],
    ['a list that is indented for 49 levels', `${'  '.repeat(49)}- words`],
    ['a rule of many dashes', '- '.repeat(60)],
    ['words that are indented further', `${'  '.repeat(60)}words`],
    ['50 brackets after one that opens nothing', `]${'['.repeat(50)}x${']'.repeat(50)}`],
    ['many brackets one after another', '[a] '.repeat(60)],
  ])('has nobody look at %s', (_what, text) => {
    expect(found(text)).toEqual([]);
  });

  it('counts no bracket as open that is closed', () => {
    expect(found('[[]'.repeat(49))).toEqual([]);
    expect(found('[[]'.repeat(50)).map((item) => item.trim())).toEqual(['unchecked']);
  });

  it('names, of the notes of the demo vault, only those that run or load something', () => {
    const alarms = notesIn('test/support/demo-vault').filter(
      (path) => found(readFileSync(path, 'utf8'), path).length > 0,
    );
    expect(alarms.map((path) => basename(path)).sort()).toEqual([
      'Hostile HTML.md',
      'Logger calibration.md',
      'Not really text.md',
      'Only code.md',
      'Refit plan.canvas',
      'Whimbrel engine.md',
    ]);
  });
});

function notesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:md|canvas|base)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
