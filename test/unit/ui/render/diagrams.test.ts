/**
 * Diagrams and formulas: sources are freed of what loads, links, or configures; what libraries draw is freed of the rest.
 *
 * @jest-environment jsdom
 */
import { words } from '../../../../src/text';
import { buildDiagram, cleanDiagram, DIAGRAM_ATTRIBUTES, DIAGRAM_ELEMENTS } from '../../../../src/ui/render/diagrams';
import { cleanMath } from '../../../../src/ui/render/libraries';
import { HOSTILE_DIAGRAMS } from '../../../e2e/app/render-page/hostile-drawings';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { newTarget } from './drawing-context';

const cleaned = (source: string): string => {
  const result = cleanDiagram(source);
  return 'text' in result ? result.text : `(${result.problem})`;
};

it.each(HOSTILE_DIAGRAMS)('takes addresses, tags, links, and settings out of %j', (source) => {
  const address = 'https://canary.example/a';
  const aimed = source.replaceAll('CANARY', address).replaceAll('ESCAPED', encodeURIComponent(address));
  const text = cleaned(aimed.replaceAll('SHORT', address.replace('//', '/')));
  expect(text).not.toMatch(
    /https?:|\/\/|javascript:|<(?!br\/>|<(?:interface)>>)[a-z!/]|url\(|@import|%%|\bimg:|^\s*(?:click|callback|links?|excludes|todayMarker)\b|\bproperties\b|canary\.example%|%3A|htmlLabels|position/im,
  );
});

it.each([
  'graph LR\n A[Start] -->|yes & no| B{Is it?}\n B <--> C & D\n style A fill:#f9f,stroke:#333,stroke-width:4px\n C --> E["one<br/>two"]',
  'sequenceDiagram\n A->>B: Hi\n B-->>A: 5 < 6 and 7 > 6',
  'sequenceDiagram\n loop Links and properties\n A->>B: the end details: 100%25\n A->>B: #quot;details#quot;\n end\n B->>A: links A: {x}',
  'classDiagram\n class Duck{\n <<interface>>\n +swim()\n }\n Animal <|-- Duck',
  'erDiagram\n CUSTOMER ||--o{ ORDER : places',
  'stateDiagram-v2\n [*] --> Still\n state c <<choice>>',
  'gantt\n title A\n section S\n Task :a1, 2024-01-01, 30d',
])('leaves an ordinary diagram as it is: %j', (source) => {
  expect(cleaned(source)).toBe(source);
});

it('keeps the words of tags and addresses, and the colors of styles', () => {
  expect(cleaned('graph TD\n A["<b>Yard</b> at https://yard.example/x"]')).toBe(
    'graph TD\n A["Yard at yard.example/x"]',
  );
  expect(cleaned('graph TD\n A --> B\n style A fill:#fff,background:url(x)')).toBe(
    'graph TD\n A --> B\n style A fill:#fff',
  );
  expect(cleaned('graph TD\n A@{ shape: rect, img: "x.png", label: "A" }')).toBe(
    'graph TD\n A@{ shape: rect, label: "A" }',
  );
});

it('has references to characters as those characters, unless they could be read as code', () => {
  const label = (inside: string): string =>
    cleaned(`graph TD\n A["${inside}"]`).slice('graph TD\n A["'.length, -'"]'.length);
  expect(label('&#9829; &#x2665; #9829; &amp; &eacute; #x1f600;')).toBe('♥ ♥ ♥ &  😀');
  expect(label('a&lt;b&gt;c &quot;d&apos; e&nbsp;f&AMP;g')).toBe("a‹b›c 'd' e f&g");
  expect(label('&#65;&#x41;&#160;&#161;&#xd800;&#xdfff;&#xd7ff;&#xe100;&#x110000;')).toBe('¡\ud7ff\ue100');
  // What the library itself reads.
  expect(label('#quot;#35;')).toBe('#quot;#35;');
});

it('shows what is too large as its source', () => {
  const edges = (count: number): string =>
    `graph TD\n${Array.from({ length: count }, (_, n) => `a${n} --> b${n}`).join('\n')}`;
  expect(cleaned(edges(300))).not.toContain('too large');
  expect(cleaned(edges(301))).toContain('too large');
  const ends = Array.from({ length: 18 }, (_, n) => `a${n}`).join(' & ');
  expect(cleaned(`graph TD\n ${ends} --> ${ends}`)).toContain('too large');
  expect(cleaned(`graph TD\n A["${'x'.repeat(20_480)}"]`)).toContain('too large');
  expect(cleaned(`graph TD\n${'A\n'.repeat(501)}`)).toContain('too large');
});

it.each([
  '%%{',
  '<a',
  '<',
  '@{',
  'url(',
  '//',
  'a://',
  '&lt;',
  '#lt;',
  '::icon(',
  '---\n',
  'style a b:c,',
  'click ',
  '$$',
  '\u2028',
  ';end ',
  'accDescr{',
  'properties ',
])(
  'cleans 20,000 characters of %j in time',
  async (piece) => {
    for (const type of ['graph TD', 'sequenceDiagram']) {
      const source = `${type}\n${piece.repeat(20_000 / piece.length)}`;
      await expectCostBelow(100, () => cleanDiagram(source));
    }
  },
  60_000,
);

const drawnBy = (inside: string, attributes = ''): SVGSVGElement => {
  const svg = buildDiagram(`<svg id="d1" viewBox="0 0 90 40" ${attributes}>${inside}</svg>`, newTarget());
  if (svg === null) throw new Error('Nothing was drawn.');
  return svg;
};

it.each([
  '<script>alert(1)</script>',
  '<image href="https://canary.example/a"/>',
  '<use href="https://canary.example/a#b"/>',
  '<a href="javascript:alert(1)"><text>x</text></a>',
  '<foreignObject width="9" height="9"><body><img src="https://canary.example/a" onerror="alert(1)"></body></foreignObject>',
  '<animate attributeName="href" to="x"/><set attributeName="x"/>',
  '<rect onclick="alert(1)" style="fill:url(https://canary.example/a)" fill="url(https://canary.example/b#c)"/>',
  '<rect style="position:fixed;inset:0;fill:red" filter="url(#f)" clip-path="url(https://canary.example/a)"/>',
  '<filter id="f"><feImage href="https://canary.example/a"/></filter>',
  '<style>@import url(https://canary.example/a); #d1 rect{fill:url(https://canary.example/b)}</style><rect/>',
  '<rect fill="image(https://canary.example/a)" stroke="var(--x)" transform="url(x)"/>',
  '<text><textPath href="https://canary.example/a">x</textPath></text>',
  '<iframe src="https://canary.example/a"></iframe><video poster="https://canary.example/a"></video>',
  '<g id="docent-settings" class="modal-container" tabindex="0" contenteditable="true"><title>x</title></g>',
])('rebuilds %s from allowed elements and attributes', (inside) => {
  const svg = drawnBy(inside, 'onload="alert(1)" style="position:fixed"');
  const all = [svg, ...Array.from(svg.querySelectorAll('*'))];
  expect(all.map(({ localName }) => localName).filter((name) => !DIAGRAM_ELEMENTS.includes(name))).toEqual([]);
  const names = all.flatMap((element) => element.getAttributeNames());
  expect(names.filter((name) => !DIAGRAM_ATTRIBUTES.includes(name))).toEqual([]);
  expect(svg.outerHTML).not.toMatch(/canary|alert|fixed|url\(|docent-settings/);
});

it('keeps what draws, and the marks that a line ends in under names of its own', () => {
  const svg = drawnBy(
    '<defs><marker id="end" refX="5"><path d="M0 0L9 9"/></marker></defs><path d="M0 0L9 9" marker-end="url(#end)" style="stroke: red !important"/><text x="4"><tspan dy="1em">Bolt</tspan></text>',
  );
  const id = svg.querySelector('marker')?.id ?? '';
  expect(id).toMatch(/^docent-drawn-\d+-0$/);
  const path = svg.querySelectorAll('path')[1];
  expect([path?.getAttribute('marker-end'), path?.getAttribute('stroke')]).toEqual([`url(#${id})`, 'red']);
  expect([svg.textContent, svg.getAttribute('width'), svg.getAttribute('role')]).toEqual(['Bolt', '90', 'img']);
});

describe('the look of a drawing', () => {
  /** What each part looks like by a style sheet inside the drawing; jsdom has no sheets that belong to no page. */
  function looksBy(css: string, inside: string): (string | null)[] {
    class Sheet {
      cssRules: CSSRuleList | null = null;
      replaceSync(text: string): void {
        const style = document.head.appendChild(document.createElement('style'));
        style.textContent = text;
        this.cssRules = style.sheet?.cssRules ?? null;
        style.remove();
      }
    }
    const before = Object.getOwnPropertyDescriptor(window, 'CSSStyleSheet')!;
    Object.defineProperty(window, 'CSSStyleSheet', { configurable: true, writable: true, value: Sheet });
    const svg = drawnBy(`<style>${css}</style>${inside}`);
    Object.defineProperty(window, 'CSSStyleSheet', before);
    expect(svg.querySelector('style')).toBeNull();
    return [...svg.querySelectorAll('rect')].map((each) => each.getAttribute('fill'));
  }

  it.each([
    ['the later of two alike', 'rect{fill:red} rect{fill:blue}', '<rect/>', 'blue'],
    ['a class before a name', '.a{fill:blue} rect{fill:red}', '<rect class="a"/>', 'blue'],
    ['two classes before one', '.a.b{fill:blue} .a{fill:red}', '<rect class="a b"/>', 'blue'],
    ['an id before classes', '#d1 rect{fill:blue} .a.b{fill:red}', '<rect class="a b"/>', 'blue'],
    ['a longer way before a shorter one', 'g rect{fill:blue} rect{fill:red}', '<g><rect/></g>', 'blue'],
    ['its own style before an id', '#d1 #x{fill:red}', '<rect id="x" style="fill:blue"/>', 'blue'],
    ['what is important before its own style', 'rect{fill:blue !important}', '<rect style="fill:red"/>', 'blue'],
    ['its style before its attribute', 'rect{fill:blue}', '<rect fill="red"/>', 'blue'],
    ['its attribute where no style is', 'rect{stroke:red}', '<rect fill="blue"/>', 'blue'],
    ['one of several selectors', 'circle, rect{fill:blue}', '<rect/>', 'blue'],
    ['none of a pointer over it', 'rect{fill:blue} rect:hover{fill:red} rect::before{fill:red}', '<rect/>', 'blue'],
    ['none that only paper has', 'rect{fill:blue} @media print{rect{fill:red}}', '<rect/>', 'blue'],
  ])('follows %s', (_name, css, inside, fill) => {
    expect(looksBy(css, inside)).toEqual([fill]);
  });

  it('has its size in whole pixels, its title as its name, and labels of pages in their middle', () => {
    const svg = buildDiagram(
      '<svg viewBox="0 0 90.2 40"><title> A yard </title><foreignObject x="10" y="20" width="30" height="8"><p>A\n label</p></foreignObject></svg>',
      newTarget(),
    );
    expect(svg?.getAttribute('width')).toBe('91');
    expect(svg?.getAttribute('height')).toBe('40');
    expect(svg?.getAttribute('aria-label')).toBe(words.render.diagram('A yard'));
    const text = svg?.querySelector('text');
    expect([text?.textContent, text?.getAttribute('x'), text?.getAttribute('y')]).toEqual(['A label', '25', '24']);
    expect(buildDiagram('<svg viewBox="0 0 0 40"></svg>', newTarget())?.hasAttribute('width')).toBe(false);
    expect(buildDiagram('<p>no drawing</p>', newTarget())).toBeNull();
    // More than any reader could make out.
    expect(buildDiagram(`<svg>${'<g></g>'.repeat(20_001)}</svg>`, newTarget())).toBeNull();
  });
});

describe('formulas', () => {
  const formula = (inside: string): HTMLElement => {
    const holder = newTarget();
    holder.innerHTML = `<mjx-container class="MathJax" tabindex="0" onclick="alert(1)">${inside}</mjx-container>`;
    return holder.firstElementChild as HTMLElement;
  };

  it.each([
    '<a href="https://canary.example/a"><mjx-mi></mjx-mi></a>',
    '<img src="x">',
    '<mjx-merror></mjx-merror>',
    '<svg></svg>',
    '<style>x</style>',
  ])('are refused with %s', (inside) => {
    expect(cleanMath(formula(inside))).toBe(false);
  });

  it('is refused so deep that the browser could not lay it out', () => {
    const nested = (depth: number): HTMLElement =>
      formula(`${'<mjx-frac>'.repeat(depth)}<mjx-mn>1</mjx-mn>${'</mjx-frac>'.repeat(depth)}`.repeat(2));
    expect(cleanMath(nested(140))).toBe(true);
    expect(cleanMath(nested(150))).toBe(false);
  });

  it('lose the attributes and styles that they may not have', () => {
    const drawn = formula(
      '<mjx-mi class="mjx-i" id="x" href="y" onmouseover="z" style="color: red; position: fixed; background: url(https://canary.example/a); width: 2em"></mjx-mi><mjx-assistive-mml><math></math></mjx-assistive-mml>',
    );
    expect(cleanMath(drawn)).toBe(true);
    expect(drawn.getAttributeNames()).toEqual(['class']);
    expect(drawn.innerHTML).toBe('<mjx-mi class="mjx-i" style="color: red; width: 2em;"></mjx-mi>');
  });
});
