import { activeContentIn, newActiveContent, newHosts } from '../../../../../src/core/writing/guard/active-content';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const kinds = (text: string, path = 'N.md'): string[] =>
  activeContentIn(path, text).map(({ kind, runner }) => `${kind} ${runner}`);

/** What runs, loads or leads out, each with what is found at least. */
const payloads: readonly [string, string][] = [
  ['```dataviewjs\napp.vault\n```', 'code-block Dataview'],
  ['``` dataviewjs\nx\n```', 'code-block Dataview'],
  ['~~~dataviewjs\nx\n~~~', 'code-block Dataview'],
  ['````dataviewjs\nx\n````', 'code-block Dataview'],
  ['   ```dataviewjs\nx\n```', 'code-block Dataview'],
  ['> ```dataviewjs\n> x\n> ```', 'code-block Dataview'],
  ['> [!note]\n> > ~~~ DataviewJS title\n> > x', 'code-block Dataview'],
  ['- ```dataviewjs\n  x\n  ```', 'code-block Dataview'],
  ['```{dataviewjs}\nx\n```', 'code-block Dataview'],
  ['```dataviewjs\nnever closed', 'code-block Dataview'],
  ['```\r\n```dataviewjs\r\nx', 'code-block Dataview'],
  ['```datacorejsx\nx\n```', 'code-block Datacore'],
  ['```tasks\nfilter by function task.x()\n```', 'code-block Tasks'],
  ['```button\nname x\n```', 'code-block Buttons'],
  ['```js-engine\nx\n```', 'code-block JS Engine'],
  ['```mermaid\nclick A "https://x"\n```', 'code-block Mermaid'],
  ['```base\nformulas:\n  a: html("<b>")\n```', 'code-block Bases'],
  ...(
    [
      ['datacore', 'Datacore'],
      ['datacorejs', 'Datacore'],
      ['datacorets', 'Datacore'],
      ['datacoretsx', 'Datacore'],
      ['meta-bind', 'Meta Bind'],
      ['meta-bind-button', 'Meta Bind'],
      ['meta-bind-js-view', 'Meta Bind'],
      ['templater', 'Templater'],
      ['leaflet', 'Leaflet'],
      ['excalidraw', 'Excalidraw'],
      ['chart', 'Charts'],
      ['run-js', 'Execute Code'],
    ] as const
  ).map(([language, plugin]): [string, string] => [`\`\`\`${language}\nx\n\`\`\``, `code-block ${plugin}`]),
  ['```unknown-plugin\nx\n```', 'code-block unknown-plugin'],
  ['```constructor\nx\n```', 'code-block constructor'],
  ['```__proto__\nx\n```', 'code-block __proto__'],
  ['value: `= this.file.name`', 'inline-code Dataview'],
  ['value: `$= dv.pages()`', 'inline-code Dataview'],
  ['value: `dv: this.file.name`', 'inline-code Dataview'],
  ['value: `dc= this.file`', 'inline-code Datacore'],
  ['value: `$dcjs: x()`', 'inline-code Datacore'],
  ['value: `js: x()`', 'inline-code JS Engine'],
  ['``$= dv.pages()``', 'inline-code Dataview'],
  ...[
    ...[
      '<!-- x -->$= x',
      '<!-- <b> -->$= x',
      '<!-- </code> -->$= x',
      '&dollar;= x',
      '&nbsp;$= x',
      '&nbsp$= x',
      '\n\n= x',
    ],
    ...[
      '**$= x**',
      '[$= x](#)',
      '==$= x==',
      '%%c%%$= x',
      '$<b></b>= x',
      '$<!-- -->= x',
      '$%%%%= x',
      '**$**= x',
      '`$`= x',
    ],
    ...['<b title=">">$= x</b>', '![](a.png)= x', '[$](a)= x', '&#36;= x'],
  ].map((code): [string, string] => [`a <code>${code}</code> b`, 'inline-code Dataview']),
  ...['</pre>$= x', '$=<code>x', 'a</p><p>$= x', '<b ( <i>$= x', '\n<pre\n></code>a\n\n= x'].map(
    (code): [string, string] => [`<div>\n<p><code>${code}`, 'inline-code Dataview'],
  ),
  ['a <code title=">">$= x</code>', 'inline-code Dataview'],
  ['a <code title=">$= x</code>', 'inline-code Dataview'],
  ['<pre><b><code>$= x', 'inline-code Dataview'],
  ['a <code>INPUT&lbrack;toggle:x]</code>', 'inline-code Meta Bind'],
  ['<% tp.system.prompt() %>', 'template Templater'],
  ['<%* await x() %>', 'template Templater'],
  ['<iframe src="https://x"></iframe>', 'html iframe'],
  ['<IFRAME\nsrc=x>', 'html iframe'],
  ['<webview></webview>', 'html webview'],
  ['<object data="x">', 'html object'],
  ['<script>x</script>', 'html script'],
  ['<style>*{}</style>', 'html style'],
  ['<img src=x>', 'html img'],
  ['<img/src="https://x">', 'html img'],
  ['<video\n poster="https://x">', 'html video'],
  ['<div style="background:url(https://x)">', 'html div'],
  ['<b onclick="x()">', 'html b'],
  ['<a href="javascript:x()">x</a>', 'html a'],
  ...['<pre>', '<TEXTAREA\n>', '<?>', '<![CDATA[>', '<!x>', '<!-- --!>'].flatMap((start): [string, string][] => [
    [`${start}\n<img title="\n\n" src="https://x.org/a.png">`, 'html img'],
    [`${start}\n<a\n\nhref=obsidian:open>x</a>`, 'html a'],
  ]),
  ['<svg><image href="https://x"/></svg>', 'html image'],
  ['![](https://x.org/a.png?q=secret)', 'remote-image x.org'],
  ['![a [b] c](<https://x.org/a.png>)', 'remote-image x.org'],
  ['![](//x.org/a.png)', 'remote-image x.org'],
  ['![](mailto:a@x.org)', 'remote-image '],
  ['![][pic]\n\n[pic]: https://x.org/a.png', 'remote-image x.org'],
  ['![pic]\n\n[pic]: <https://x.org/a.png>', 'remote-image x.org'],
  ['> ![a\n> b]\n\n[a b]: https://x.org/a.png', 'remote-image x.org'],
  ['> ![x][a\n>b]\n\n[a b]: https://x.org/a.png', 'remote-image x.org'],
  ['[x][^a b]\n\n[^a b]: shell:calc', 'scheme shell'],
  ['[x][^]\n\n[^]: shell:calc', 'scheme shell'],
  ['![](&#104;ttps://x.org/a.png)', 'remote-image x.org'],
  ['![](https&colon;//x.org/a.png)', 'remote-image x.org'],
  ['![](https\\://x.org/a.png)', 'remote-image x.org'],
  ['[x](javascript:alert(1))', 'scheme javascript'],
  ['[x](obsidian://new?file=a&overwrite)', 'scheme obsidian'],
  ['obsidian://advanced-uri?eval=x', 'scheme obsidian'],
  ['[x](file:///etc/passwd)', 'scheme file'],
  ['[x](data:text/html,x)', 'scheme data'],
  ['[x][y]\n\n[y]: shell:calc', 'scheme shell'],
];

describe('active content', () => {
  it.each(payloads)('T4 T5 %j is found', (text, found) => {
    expect(kinds(text)).toContain(found);
    expect(kinds(`Some words before.\n\n${text}\n`)).toContain(found);
  });

  it.each([
    'Plain words, a [link](https://x.org), [[Note]], ![[picture.png]] and ![local](a/b.png).',
    '```js\nconst x = 1;\n```\n\n```\nplain\n```\n\n```python title="x"\npass\n```',
    '```mermaid\ngraph TD; A-->B\n```\n\n```tasks\nnot done\n```',
    '`code`, `a = b`, `==` and 3 < 4, a <b>bold</b> word<br>and <a href="https://x.org">x</a>',
    '[^note]: shell:calc\n\n> [!note]: shell\n\nText[^note]',
    '- [ ] task at 10:30\n- note: text\n\n[^1]: See: a footnote\n\nText[^1]',
    '<details><summary>x</summary>y</details>',
    'a <code>f(x) = 3</code> = <code>a[href$=".pdf"]</code> $= <code>**a** = b</code> = <pre>x</pre> = y',
    'A <br>\n\n"x" = 1\n\n> y = 2\n\n<!-- z -->\n<b>\n\nz=3',
    'mailto:a@b.c and [m](mailto:a@b.c) and $x < y$',
  ])('%j is none', (text) => {
    expect(activeContentIn('N.md', text)).toEqual([]);
  });

  it('takes an alias in properties for any address that they name, and counts all of them once', () => {
    const properties = ['a: &a https://x.org/a.png', 'b: &b https://y.org/b.png', 'banner: *a', 'cover: *b'];
    const found = activeContentIn('N.md', `---\n${properties.join('\n')}\n---\n`);
    expect(found.map(({ passage }) => passage)).toEqual([
      'banner: https://x.org/a.png',
      'banner: https://y.org/b.png',
      'cover: https://x.org/a.png',
    ]);
  });

  it('counts only what is new, also when one of several is', () => {
    const before = '```dataviewjs\nold\n```\n';
    expect(newActiveContent('N.md', before, `${before}\nWords.`)).toEqual([]);
    expect(newActiveContent('N.md', before, before.replace('old', 'new'))).toHaveLength(1);
    expect(newActiveContent('N.md', before, before + before)).toHaveLength(1);
    expect(newActiveContent('N.md', '![][p]\n\n[p]: a.png', '![][p]\n\n[p]: https://x.org/a.png')).toHaveLength(1);
  });

  it('looks into canvases and bases', () => {
    const canvas = (node: object): string => JSON.stringify({ nodes: [{ id: '1', ...node }], edges: [] });
    expect(kinds(canvas({ type: 'link', url: 'https://x' }), 'a.canvas')).toEqual(['canvas-link Canvas']);
    expect(kinds(canvas({ type: 'text', text: '<iframe src=x>' }), 'a.canvas')).toContain('html iframe');
    expect(kinds(canvas({ type: 'text', text: 'words' }), 'a.canvas')).toEqual([]);
    expect(kinds('{"nodes": 1', 'a.canvas')).toEqual(['canvas-link Canvas']);
    expect(kinds('formulas:\n  a: image ("https://x")', 'a.base')).toContain('base-formula Bases');
  });

  const leads = 'canvas-link Canvas';

  it.each<[string, unknown, string[]]>([
    ['a link', { nodes: [{ type: 'link' }] }, [leads]],
    ['an address of another type', { nodes: [{ type: 'text', url: 'a' }] }, [leads]],
    ['an address that is no text', { nodes: [{ type: 'text', url: 1 }] }, []],
    ['a label', { nodes: [{ type: 'group', label: '<% x %>' }] }, ['template Templater']],
    ['a picture in the background', { nodes: [{ type: 'group', background: 'https://x.org/a.png' }] }, [leads]],
    ['a file', { nodes: [{ type: 'file', file: 'A.md', width: 1 }] }, []],
    ['an edge', { nodes: [], edges: [{ label: '<% x %>' }] }, ['template Templater']],
    ['no nodes', {}, []],
    ['nodes that are no list', { nodes: {} }, [leads]],
    ['edges that are no list', { edges: 1 }, [leads]],
    ['a node that is no record', { nodes: [1] }, [leads]],
    ['an edge that is null', { edges: [null] }, [leads]],
    ['null', null, [leads]],
    ['a text', 'text', [leads]],
  ])('judges a canvas with %s', (_what, written, expected) => {
    expect(kinds(JSON.stringify(written), 'a.CANVAS')).toEqual(expected);
  });

  it('takes an empty canvas for none, and each kind of file by its ending alone', () => {
    expect(kinds(' \n', 'a.canvas')).toEqual([]);
    expect(kinds('=1+1', 'a.csv.md')).toEqual([]);
    expect(kinds('=1+1', 'a.md')).toEqual([]);
    expect(kinds('link("a")', 'a.md')).toEqual([]);
    for (const formula of ['link("a")', 'html("<b>")', '"image": x', 'image: x', 'cover: "https\\u003a//x.org/a"'])
      expect(kinds(formula, 'a.base')).toContain('base-formula Bases');
    for (const formula of ['link(file)', 'link( file.name, "x")', 'linked("a")', 'images("a")'])
      expect(kinds(formula, 'a.base')).toEqual([]);
  });

  it('does not check a text beyond 524,288 characters, which a person has to look at', () => {
    expect(kinds('a\n'.repeat(262_144))).toEqual([]);
    expect(activeContentIn('N.md', `${'a\n'.repeat(262_144)}b`)).toMatchObject([{ kind: 'unchecked', runner: '' }]);
  });

  it('judges the same text by its kind of file each time', () => {
    for (let round = 0; round < 60; round += 1) {
      expect(kinds(`=${round}`, 'a.csv')).toEqual(['formula Excel']);
      expect(kinds(`=${round}`, 'a.md')).toEqual([]);
    }
    expect([kinds('=1', 'a.csv'), kinds('=1', 'a.md')]).toEqual([['formula Excel'], []]);
  });

  it.each([
    ...['=1+1', 'a,=1+1', '"=1+1"', 'a;@SUM(1)', 'a\t+A1', '-A1', '\uff1d1', '\ufeff=cmd|x', 'a\n\ufeff=1'],
    ...["-2+3+cmd|' /C calc'!A0", '+1+HYPERLINK("https://x.org")', 'a,-1+Sheet2!A1', "- cmd|' /C calc'!A0"],
  ])('finds what a spreadsheet evaluates in a table: %j', (text) => {
    expect(kinds(text, 'a.csv')).toContain('formula Excel');
  });

  it.each(['-5,+3.5;- 2', '+49 170 123', '-1 km,- good!\n- better', 'a=b,c-d(e)'])(
    'takes a number with a sign for none: %j',
    (text) => {
      expect(kinds(text, 'a.csv')).toEqual([]);
    },
  );

  it('names hosts that were not linked to before', () => {
    expect(newHosts('https://a.org/x', 'https://A.org/y https://user@b.org:80/ [x](http://c.org)')).toEqual([
      'b.org',
      'c.org',
    ]);
  });

  it.each([
    ['https://evil.org#@a.org/x', ['evil.org']],
    ['https://evil.org?@a.org', ['evil.org']],
    ['https://evil.org:80/@a.org', ['evil.org']],
    [`https://a.org${'a'.repeat(300)}@evil.org/x`, ['evil.org']],
    ['https://a.org@a.org@evil.org', ['evil.org']],
    ['[x](https://evil.org)@a.org', ['evil.org']],
    ['*https://evil.org*@a.org', ['evil.org']],
    ['<https://a.org)@evil.org>', ['evil.org']],
    ['https://my_name:word@a.org/x_y', []],
  ])('reads the host as a browser does: %s', (text, expected) => {
    expect(newHosts('https://a.org', `https://a.org/ ${text}`)).toEqual(expected);
  });

  it.each([
    '[',
    '![',
    ']',
    '<a ',
    '<',
    '`',
    '`= ',
    '](',
    '> ',
    '- ',
    '<%',
    '[a]: ',
    '<code>',
    '<code>"<!--',
    '<b>[a](%%',
  ])('takes no time over 20,000 times %j', async (piece) => {
    await expectCostBelow(1_000, () => activeContentIn('N.md', piece.repeat(20_000)));
  });

  it.each(['\t', ' ', '"', ',', ',"', ', ', '+ ', '+1 ', ',-', 'link(', 'link( ', 'link(file', 'html '])(
    'takes no time over 60,000 times %j in a table or a base',
    async (piece) => {
      let round = 0;
      for (const path of ['a.csv', 'a.base'])
        await expectCostBelow(1_000, () => activeContentIn(path, `x${piece.repeat(60_000)}${(round += 1)}`));
    },
  );
});

describe('code blocks', () => {
  const click = 'click A "https://x.org"';

  it.each<[string, string, string[]]>([
    ['a language that a plugin adds to', '```jsx:component\nx\n```', ['code-block jsx']],
    ['code that runs after words', 'Words ```run-python\nx\n```', ['code-block run-python']],
    ['a known plugin after words', 'Words ```dataviewjs\nx\n```', ['code-block Dataview']],
    ['an unknown word after words', 'Words ```unknown\nx\n```', []],
    ['code in a line', 'Words ```dataviewjs``` and more', []],
    ['a risk before a diagram', `${click}\n\n\`\`\`mermaid\ngraph TD\n\`\`\``, []],
    ['a risk after a diagram', `\`\`\`mermaid\ngraph TD\n\`\`\`\n\n${click}`, []],
    ['risks before, after and in it', `${click}\n\`\`\`mermaid\n${click}\n\`\`\`\n${click}`, ['code-block Mermaid']],
    [
      'a risk in the second of two',
      `\`\`\`mermaid\na\n\`\`\`\n\`\`\`mermaid\n${click}\n\`\`\``,
      ['code-block Mermaid'],
    ],
    ['an end that is indented by three', `\`\`\`mermaid\ngraph TD\n   \`\`\`\n${click}`, []],
    ['an end that is indented by four', `\`\`\`mermaid\ngraph TD\n    \`\`\`\n${click}`, ['code-block Mermaid']],
    ['an end with words', `\`\`\`mermaid\ngraph TD\n\`\`\`js\n${click}`, ['code-block Mermaid']],
    ['an end of the other mark', `\`\`\`mermaid\ngraph TD\n~~~\n${click}`, ['code-block Mermaid']],
    ['an end in a comment', `\`\`\`mermaid\ngraph TD\n%% \`\`\`\n${click}\n\`\`\``, ['code-block Mermaid']],
    ['an end in a list', `\`\`\`mermaid\ngraph TD\n- \`\`\`\n${click}\n\`\`\``, ['code-block Mermaid']],
    ['an end after a tab', `\`\`\`mermaid\ngraph TD\n  \t\`\`\`\n${click}\n\`\`\``, ['code-block Mermaid']],
    ['an end before a hard blank', `\`\`\`mermaid\ngraph TD\n\`\`\`\u00a0\n${click}\n\`\`\``, ['code-block Mermaid']],
    ['an end in a comment of a query', '```tasks\n# ```\nfilter by function x()\n```', ['code-block Tasks']],
    ['an end in a comment of a base', '```base\n# ```\na: html("<b>")\n```', ['code-block Bases']],
    [
      'an end far in a footnote',
      `[^note]: \`\`\`mermaid\n    a\n         \`\`\`\n    ${click}`,
      ['code-block Mermaid'],
    ],
    [
      'an end at four columns in a footnote at three',
      `   [^note]: \`\`\`mermaid\n    a\n    \`\`\`\n    ${click}`,
      ['code-block Mermaid'],
    ],
    ['an end in an item', `- \`\`\`mermaid\n  graph TD\n  \`\`\`\n${click}`, []],
    ['an end by a tab in an item', `- a\n\t\`\`\`mermaid\n\tgraph TD\n\t\`\`\`\n${click}`, []],
    ['an end in an item of an item', `- a\n\t-\t\`\`\`mermaid\n\t\tgraph TD\n\t\t\`\`\`\n${click}`, []],
    ['an end outside the quote', `> \`\`\`mermaid\n> graph TD\n\`\`\`\n${click}`, ['code-block Mermaid']],
  ])('are judged by what runs: %s', (_what, text, expected) => {
    expect(kinds(text).filter((kind) => kind.startsWith('code-block'))).toEqual(expected);
  });

  const [diagram, base] = ['code-block Mermaid', 'code-block Bases'];

  it.each<[string, string, string[]]>([
    ['mermaid', 'sequenceDiagram\nlink A: Go @ shell:calc', [diagram]],
    ['mermaid', 'sequenceDiagram\nA->>B: x;links A: {"Go": "ms-msdt:x"}', [diagram]],
    ['mermaid', 'sequenceDiagram\nloop x\nA->>A: y\nend properties A: {"icon": "https%3A%2F%2Fx.org"}', [diagram]],
    ['mermaid', 'sequenceDiagram\n\u00a0DETAILS A: elsewhere', [diagram]],
    ['mermaid', 'classDiagram\nclass A\nlink A "shell:calc"', [diagram]],
    ['mermaid', 'sequenceDiagram\nA->>B: links and properties\nNote over A: details @ x {y}', []],
    ['mermaid', 'graph TD\ndetails[Details] --> link\nlinks(Links) --> properties', []],
    ['mermaid', 'classDiagram\nclass Link\nLink "1" --> "n" Page : has\nDetails : +size()\nProperties --> Link', []],
    ['base', 'formulas:\n  a: link("obsidian:open")', [base]],
    ['base', 'formulas:\n  a: link\n    ("shell:calc")', [base]],
    ['base', 'formulas:\n  a: link(file.name, "x")\nviews:\n  - order:\n      - link', []],
  ])('are judged by where they lead: %s, %j', (language, text, expected) => {
    expect(kinds(`\`\`\`${language}\n${text}\n\`\`\``)).toEqual(expected);
  });

  it.each(['links ', ';links ', 'link "', 'link "a', 'details ', 'details ; ', 'end properties ', 'link ( ', ':{@'])(
    'take no time over 60,000 times %j',
    async (piece) => {
      for (const language of ['mermaid', 'base']) {
        let round = 0;
        await expectCostBelow(1_000, () =>
          activeContentIn('N.md', `\`\`\`${language}\n${(round += 1)}${piece.repeat(60_000)}`.slice(0, 500_000)),
        );
      }
    },
  );

  it.each([3, 4, 5, 6])('that begin with %i marks end at as many or more', (length) => {
    for (const [index, last] of [3, 4, 5, 6].entries()) {
      const ends = [3, 4, 5, 6].map((marks, at) => '`'.repeat(marks) + (at === index ? `\n${click}` : ''));
      const found = kinds([`${'`'.repeat(length)}mermaid`, 'graph TD', ...ends].join('\n'));
      expect([last, found.includes('code-block Mermaid')]).toEqual([last, length > last]);
    }
  });

  it('are known by all that they hold, to the end of the outermost, and by no more', () => {
    const text = '````dataviewjs\na\n```dataviewjs\nb\n```\nc\n````\nwords\n';
    const isNew = (from: string, to: string): number => newActiveContent('N.md', text, text.replace(from, to)).length;
    expect([isNew('\na\n', '\nd\n'), isNew('\nb\n', '\nd\n'), isNew('\nc\n', '\nd\n')]).toEqual([1, 1, 1]);
    expect([isNew('words', 'other'), isNew('````\nwords', '````\n\nwords')]).toEqual([0, 0]);
  });

  it('are not checked beyond 4,000 marks, which a person has to look at', () => {
    expect(activeContentIn('N.md', '```\n'.repeat(4_000))).toEqual([]);
    expect(kinds('```\n'.repeat(4_001))).toEqual(['unchecked ']);
  });
});

it('counts what was there several times by how often it is there', () => {
  const [one, two] = ['```dataviewjs\na\n```\n', '```dataviewjs\nb\n```\n'];
  const newIn = (before: string, after: string): number => newActiveContent('N.md', before, after).length;
  expect([newIn(one + one, `${one}${one}Words.`), newIn(one + one, one), newIn(one + one, one + one + one)]).toEqual([
    ...[0, 0, 1],
  ]);
  expect([newIn(one, one + two), newIn(one + two, two + one), newIn(one, two + two)]).toEqual([1, 0, 2]);
});

it.each([
  ['<script>x()</script>', '<script>'],
  ['Text <iframe src="a > b" >more', '<iframe src="a > b" >'],
  ['[a](b) <object data=x>', '<object data=x>'],
])('names of %j the tag alone, whatever follows it', (text, tag) => {
  expect(activeContentIn('A.md', text).map(({ passage }) => passage)).toContain(tag);
});

describe('formulas that nest', () => {
  const nested = (opening: string, closing: string, depth: number): string =>
    `$$\n${opening.repeat(depth)}1${closing.repeat(depth)}\n$$`;

  it.each([
    ['\\frac{1}{', '}', 40],
    ['\\sqrt{\n\n', '}', 40],
    ['\\begin{matrix}', '\\end{matrix}', 39],
    ['\\left\\{', '\\right\\}', 40],
    ['{', '}', 40],
  ])('are active so deep that drawing them may end the app, and not forty deep: %j', (opening, closing, limit) => {
    expect(kinds(nested(opening, closing, limit + 1))).toContain('formula MathJax');
    expect(kinds(nested(opening, closing, limit))).toEqual([]);
    expect(kinds(`${nested(opening, closing, limit)}\n`.repeat(50))).toEqual([]);
  });

  it('are found in an element, and are none in text without formulas, or where a backslash takes the brace', () => {
    const deep = `${'{'.repeat(60)}x`;
    expect(kinds(`<span class="math">${deep}</span>`)).toContain('formula MathJax');
    expect(kinds(deep)).toEqual([]);
    expect(kinds(`$${'\\{'.repeat(60)}x$`)).toEqual([]);
  });

  it('are new once where the text before had none', () => {
    const [before, after] = ['$a$\n', `$a$\n${nested('\\frac{1}{', '}', 100)}\n`];
    expect(newActiveContent('N.md', before, after)).toHaveLength(1);
    expect(newActiveContent('N.md', after, `${after}Words.\n`)).toEqual([]);
  });
});
