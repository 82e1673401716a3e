/**
 * Diagrams: their source freed of all that could load, link, or configure before the library sees it, and its SVG rebuilt
 * from allowed elements and attributes before the page does. Each of the two is enough if the other fails.
 */
import { words } from '../../text';

const maxLength = 20 * 1024;
const maxEdges = 300;
const maxStatements = 500;
/** Elements of a drawn diagram. */
const maxElements = 20_000;

type Cleaned = { readonly text: string } | { readonly problem: string };

/** Returns the source as the library may have it, or a sentence that says why it is only shown. */
export function cleanDiagram(source: string): Cleaned {
  const say = words.render;
  if (source.length > maxLength) return { problem: say.diagramTooLarge };
  const text = steps.reduce((cleaned, step) => step(cleaned), source.replace(/\r\n?/g, '\n')).trim();
  if (isTooLarge(text)) return { problem: say.diagramTooLarge };
  const isLeft = leftover.test(text.replace(annotation, '')) || (/sequencediagram/i.test(text) && picture.test(text));
  return isLeft ? { problem: say.diagramFailed } : { text };
}

/** What is not there any more once a source is clean. */
const leftover = /:\/\/|\/\/|url\(|@import|%%\{|<(?!br\/>)[a-z!/?]|&#?\w+;|\$\$/i;

/** A statement that gives an actor a picture, which the library loads while it draws. */
const picture = /\bproperties\b[^\n:]*:\s*\{/i;

/** The steps of cleaning, in order. */
const steps: readonly ((text: string) => string)[] = [
  // Properties and directives configure the library; what is between them must not become another one.
  (text) => text.replace(/^\s*---[ \t]*\n(?:[\s\S]*?\n)?[ \t]*---[ \t]*(?:\n|$)/, ''),
  (text) => untilStable(text, removeDirectives),
  (text) => untilStable(text, (each) => each.replace(/%%\{/g, '%%')),
  (text) => text.replace(/(^|\n)[^\S\n]*%%[^\n]*/g, '$1'),
  // References to characters, before their characters are looked for.
  (text) => text.replace(/&(#?)(\w{1,32});/g, (_all, sign: string, name: string) => characterFor(`${sign}${name}`)),
  (text) =>
    text.replace(/#(\w{1,32});/g, (all, name: string) => (/^(?:quot|nbsp|35)$/.test(name) ? all : characterFor(name))),
  (text) => text.replace(/\$\$/g, ''),
  cleanTags,
  // Addresses, and what CSS loads by.
  (text) => untilStable(text, (each) => each.replace(/\b[a-z][a-z0-9+.-]*:\/\//gi, '').replace(/\/\//g, '/')),
  (text) => text.replace(/\b(javascript|data|vbscript|file|app|obsidian|mailto|blob|capacitor):(?!:)/gi, '$1 :'),
  (text) => text.replace(/url\s*\(/gi, 'url (').replace(/@import/gi, 'import'),
  // Links, icons, images, and styles.
  (text) => text.replace(/(^|;)[ \t]*(?:click|callback|href)[ \t][^;\n]*/gim, '$1'),
  (text) => (/sequencediagram/i.test(text) ? removeActorStatements(text) : text),
  (text) =>
    /^\s*classdiagram/i.test(text) ? text.replace(/^[ \t]*(?:links?|properties|details)[ \t].*$/gim, '') : text,
  (text) =>
    /^\s*gantt/i.test(text) ? text.replace(/^[ \t]*(?:excludes|includes|tickInterval|todayMarker)\b.*$/gim, '') : text,
  (text) => text.replace(/::icon\([^)\n]*\)?|\bfa[a-z]?:fa-[\w-]+/gi, ''),
  (text) => text.replace(/@\{([^}]*)\}?/g, (_all, inside: string) => cleanShape(inside)),
  (text) =>
    text.replace(
      /(^|;)([ \t]*(?:style|classDef|linkStyle)[ \t]+\S+)[ \t]+([^\n;]*)/gim,
      (_all, before: string, start: string, css: string) => `${before}${cleanDeclarations(start, css)}`,
    ),
];

function removeDirectives(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('%%{'); start !== -1; start = text.indexOf('%%{', from)) {
    const end = text.indexOf('}%%', start);
    if (end === -1) break;
    kept.push(text.slice(from, start));
    from = end + 3;
  }
  return [...kept, text.slice(from)].join('');
}

/**
 * Statements that give an actor links or a picture, which begin a line, or follow another statement without an end; and
 * references to characters, which end none.
 */
const actorStatement =
  /#\w+;|((?:^|[\n;])(?:[^\S\n]*(?:end|sequenceDiagram)\b)*)[^\S\n]*(?:links?|properties|details)\b[^\n]*/gi;

function removeActorStatements(text: string): string {
  return text
    .replace(/\baccDescr\s*\{[^}]*\}/gi, '\n')
    .replace(actorStatement, (all, before?: string) => before ?? all);
}

/** Each pass shortens the text, and a text that needs many is no diagram. */
function untilStable(text: string, step: (text: string) => string): string {
  let cleaned = text;
  for (let pass = 0; pass < 20; pass += 1) {
    const next = step(cleaned);
    if (next === cleaned) return next;
    cleaned = next;
  }
  return '';
}

function characterFor(name: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '‹', gt: '›', quot: "'", apos: "'", nbsp: ' ' };
  const number = /^#?(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (number === null) return new Map(Object.entries(named)).get(name.toLowerCase()) ?? '';
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  const isPlain = code > 0xa0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isPlain ? String.fromCodePoint(code) : '';
}

/** Words between double angle brackets that class diagrams and state diagrams have. */
const annotation =
  /<<(?=(?:interface|abstract|service|enumeration|enum|choice|fork|join|datatype|exception|entity|repository|singleton|utility|union|struct|trait|protocol|delegate)>>)/gi;

/** Takes out tags and keeps their words; line breaks stay, and a bracket that opens no tag is shown as one. */
function cleanTags(text: string): string {
  const [open, broken] = ['\ue000', '\ue001'];
  return untilStable(
    text
      .replace(/[\ue000\ue001]/g, '')
      .replace(/<br\s*\/?>/gi, broken)
      .replace(annotation, open),
    (each) => each.replace(/<\/?[a-z][^<>]*>/gi, ''),
  )
    .replace(/<(?=[a-z!/?])/gi, '‹')
    .replaceAll(broken, '<br/>')
    .replaceAll(open, '<<');
}

const shapeKeys: ReadonlySet<string> = new Set('shape label form animate animation curve type'.split(' '));

/** Keeps of the properties of a node those that are known, in the one spelling that can be read in one way only. */
function cleanShape(inside: string): string {
  const pairs = inside.matchAll(/(?:^|[,\n])[ \t]*([a-z]+)[ \t]*:[ \t]*("[^"\\\n]*"|[\w-]+)/gi);
  const kept = Array.from(pairs).filter(([, key = '']) => shapeKeys.has(key));
  return kept.length === 0 ? '' : `@{ ${kept.map(([, key, value]) => `${key}: ${value}`).join(', ')} }`;
}

const drawnProperty =
  /^(?:fill|stroke|color|(?:fill|stroke)-opacity|opacity|stroke-(?:width|dasharray|dashoffset|linecap|linejoin)|font-(?:size|weight|style)|rx|ry)$/;

function cleanDeclarations(start: string, css: string): string {
  const kept = css.split(',').filter((pair) => {
    const [property = '', value = ''] = pair.split(/:([\s\S]*)/);
    return drawnProperty.test(property.trim().toLowerCase()) && /^[\w\s#%.-]+$/.test(value);
  });
  return kept.length === 0 ? '' : `${start} ${kept.join(',')}`;
}

const arrow = /(?:<|[xo*|}{.]+)?(?:--+|==+|-\.+-?|~~~|\.\.+)(?:[->|.xo*{}\\)]+)?/g;

/** Whether laying it out would hold up the window: too many edges or statements, or a number that is counted up to. */
function isTooLarge(text: string): boolean {
  const statements = text.split(/[\n;]/).filter((each) => each.trim() !== '');
  if (statements.length > maxStatements) return true;
  if (/^\s*(?:packet|block|radar)/i.test(text) && /\d{4,}/.test(text)) return true;
  let edges = 0;
  for (const statement of statements) {
    const sides = statement
      .replace(/"[^"]*"/g, '')
      .split(arrow)
      .filter((side) => side.trim() !== '');
    const ends = sides.map((side) => side.split('&').length);
    for (let side = 1; side < ends.length; side += 1) edges += (ends[side - 1] ?? 1) * (ends[side] ?? 1);
    if (edges > maxEdges) return true;
  }
  return false;
}

// The SVG.

export const DIAGRAM_ELEMENTS =
  'svg g defs marker path rect circle ellipse line polyline polygon text tspan linearGradient stop title'.split(' ');

/** Where things are; how they look is in `looks`. */
const geometry = (
  'x y x1 y1 x2 y2 cx cy r rx ry d points width height viewBox transform dx dy refX refY markerWidth markerHeight ' +
  'markerUnits orient offset gradientUnits gradientTransform preserveAspectRatio textLength lengthAdjust'
).split(' ');

const looks = (
  'fill stroke color opacity fill-opacity stroke-opacity stroke-width stroke-dasharray stroke-dashoffset ' +
  'stroke-linecap stroke-linejoin stroke-miterlimit fill-rule clip-rule font-size font-weight font-style text-anchor ' +
  'dominant-baseline alignment-baseline text-decoration visibility display stop-color stop-opacity ' +
  'marker-start marker-mid marker-end'
).split(' ');

export const DIAGRAM_ATTRIBUTES = ['xmlns', 'id', 'role', 'aria-label', ...geometry, ...looks];

const elements: ReadonlyMap<string, string> = new Map(DIAGRAM_ELEMENTS.map((name) => [name.toLowerCase(), name]));
const isLook: ReadonlySet<string> = new Set(looks);

/** Rebuilds the SVG of a library in the document of an element; null if there is none, or far too much. */
export function buildDiagram(svgText: string, place: HTMLElement): SVGSVGElement | null {
  const view = place.ownerDocument.defaultView;
  if (view === null) return null;
  // A document of this kind has no window: nothing in it loads or runs.
  const found = new view.DOMParser().parseFromString(svgText, 'text/html').body.querySelector('svg');
  if (found === null || found.getElementsByTagName('*').length > maxElements) return null;
  return new DiagramBuilder(found, place.ownerDocument, view).build();
}

let diagramCount = 0;

class DiagramBuilder {
  private readonly ids = new Map<string, string>();
  private readonly styles: ReadonlyMap<Element, Readonly<Record<string, string>>>;
  private readonly prefix = `docent-drawn-${(diagramCount += 1)}`;

  constructor(
    private readonly source: SVGSVGElement,
    private readonly doc: Document,
    view: View,
  ) {
    this.styles = stylesOf(source, view);
    for (const { id } of Array.from(source.querySelectorAll('marker[id], linearGradient[id]'))) {
      if (id !== '') this.ids.set(id, `${this.prefix}-${this.ids.size}`);
    }
  }

  build(): SVGSVGElement | null {
    const root = this.copy(this.source, 0);
    if (root === null || root.localName !== 'svg') return null;
    const svg = root as SVGSVGElement;
    const [, , width, height] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
    if (width !== undefined && height !== undefined && width > 0 && height > 0) {
      svg.setAttribute('width', String(Math.ceil(width)));
      svg.setAttribute('height', String(Math.ceil(height)));
    }
    const named = this.source.querySelector('title')?.textContent.trim() ?? '';
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', words.render.diagram(named));
    return svg;
  }

  private copy(from: Element, depth: number): Element | null {
    const name = from.localName.toLowerCase();
    if (depth > 200) return null;
    if (name === 'foreignobject') return this.labelOf(from);
    // What surrounds drawings without drawing anything, such as a link, is a group.
    const allowed = name === 'a' || name === 'switch' || (name === 'svg' && depth > 0) ? 'g' : elements.get(name);
    if (allowed === undefined) return null;
    const to = this.doc.createElementNS(this.source.namespaceURI, allowed);
    this.copyAttributes(from, to);
    for (const child of Array.from(from.childNodes)) {
      if (child.nodeType === 3 && /^(?:text|tspan|title)$/.test(allowed)) to.append(child.textContent ?? '');
      const copied = child.nodeType === 1 ? this.copy(child as Element, depth + 1) : null;
      if (copied !== null) to.append(copied);
    }
    return to;
  }

  private copyAttributes(from: Element, to: Element): void {
    const id = this.ids.get(from.id);
    if (id !== undefined && /^(?:marker|linearGradient)$/i.test(from.localName)) to.setAttribute('id', id);
    for (const name of geometry) this.copyValue(to, name, from.getAttribute(name));
    const styled = this.styles.get(from) ?? {};
    for (const name of looks) this.copyValue(to, name, styled[name] ?? from.getAttribute(name));
  }

  private copyValue(to: Element, name: string, value: string | null): void {
    const [, target = ''] = /^url\(\s*["']?#([^"')]+)["']?\s*\)$/.exec(value ?? '') ?? [];
    const id = this.ids.get(target);
    if (id !== undefined && isLook.has(name)) to.setAttribute(name, `url(#${id})`);
    else if (value !== null && isPlainValue(value)) to.setAttribute(name, value);
  }

  /** The words of a label that is HTML after all, as text in its middle. */
  private labelOf(from: Element): Element | null {
    const label = from.textContent.replace(/\s+/g, ' ').trim();
    if (label === '') return null;
    const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((each) =>
      Number(from.getAttribute(each)),
    );
    const text = this.doc.createElementNS(this.source.namespaceURI, 'text');
    const place = { x: x + width / 2, y: y + height / 2, 'text-anchor': 'middle', 'dominant-baseline': 'middle' };
    for (const [name, value] of Object.entries(place)) text.setAttribute(name, String(value));
    text.setAttribute('fill', 'currentColor');
    text.append(label);
    return text;
  }
}

/** Whether a value is made of words, numbers, and the functions of colors and places: it has no address. */
function isPlainValue(value: string): boolean {
  if (!/^[\w\s#%.,()+-]*$/.test(value)) return false;
  return Array.from(value.matchAll(/([\w-]*)\s*\(/g)).every(([, name = '']) =>
    /^(?:rgba?|hsla?|translate[XY]?|rotate|scale[XY]?|matrix|skew[XY])$/.test(name),
  );
}

type View = NonNullable<Document['defaultView']>;

interface Declared {
  readonly value: string;
  readonly weight: number;
}

/** Returns how each element looks by the style sheet inside the SVG and by its own style, as far as that is allowed. */
function stylesOf(root: SVGSVGElement, view: View): Map<Element, Record<string, string>> {
  const declared = new Map<Element, Map<string, Declared>>();
  const declare = (element: Element, style: CSSStyleDeclaration, weight: number): void => {
    const known = declared.get(element) ?? new Map<string, Declared>();
    declared.set(element, known);
    for (const name of Array.from(style)) {
      if (!isLook.has(name)) continue;
      const own = weight + (style.getPropertyPriority(name) === '' ? 0 : 1e9);
      if (own >= (known.get(name)?.weight ?? 0)) known.set(name, { value: style.getPropertyValue(name), weight: own });
    }
  };
  const css = Array.from(root.querySelectorAll('style'), ({ textContent }) => textContent).join('\n');
  for (const { selectorText, style } of rulesOf(css, view)) {
    for (const selector of selectorText.split(',')) {
      if (/::|:hover|:focus|:active/.test(selector)) continue;
      const weight = weightOf(selector);
      for (const element of matching(root, selector)) declare(element, style, weight);
    }
  }
  for (const element of Array.from(root.querySelectorAll<SVGElement>('[style]'))) declare(element, element.style, 1e8);
  return new Map(
    Array.from(declared, ([element, styles]) => [
      element,
      Object.fromEntries(Array.from(styles, ([name, { value }]) => [name, value])),
    ]),
  );
}

/** Reads a style sheet that belongs to no page, which therefore loads nothing. */
function rulesOf(css: string, view: View): CSSStyleRule[] {
  try {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    return Array.from(sheet.cssRules).filter((rule): rule is CSSStyleRule => 'selectorText' in rule);
  } catch {
    return [];
  }
}

function matching(root: SVGSVGElement, selector: string): Element[] {
  try {
    const inside = Array.from(root.querySelectorAll(selector));
    return root.matches(selector) ? [root, ...inside] : inside;
  } catch {
    return [];
  }
}

/** The specificity of a selector, as far as the rules of a diagram differ in it. */
function weightOf(selector: string): number {
  const ids = selector.match(/#[\w-]+/g)?.length ?? 0;
  const classes = selector.match(/\.[\w-]+|\[|:(?!:)/g)?.length ?? 0;
  const names = selector.match(/(?:^|[\s>+~])[a-z]/gi)?.length ?? 0;
  return ids * 1e4 + classes * 100 + names;
}
