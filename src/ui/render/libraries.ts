/** The libraries of the app: MathJax, Prism, and Mermaid. What comes from them is checked here or where it is drawn. */
import { finishRenderMath, loadMathJax, loadMermaid, loadPrism, renderMath } from 'obsidian';
import { yieldToEventLoop } from '../../core/base/async';
import type { CodePart, Libraries } from './drawing';

/** Loads something once; false if that fails. */
function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded | null> {
  let loading: Promise<Loaded | null> | undefined;
  return () => (loading ??= load().catch(() => null));
}

const mathJax = loadOnce(async () => {
  await loadMathJax();
  return true;
});

let isStyling = false;

/** The style sheet of formulas is written once for all that are drawn in a row. */
function styleMath(): void {
  if (isStyling) return;
  isStyling = true;
  window.setTimeout(() => {
    isStyling = false;
    void finishRenderMath();
  });
}

async function math(source: string, display: boolean): Promise<HTMLElement | null> {
  if ((await mathJax()) === null) return null;
  try {
    const drawn = renderMath(source, display);
    if (!cleanMath(drawn)) return null;
    styleMath();
    return drawn;
  } catch {
    return null;
  }
}

/** MathJax writes elements of its own names alone, apart from its hidden MathML, which the label makes needless. */
const mathElement = /^mjx-[a-z]+$/;
const hiddenMath = 'mjx-assistive-mml';
const mathErrors = 'mjx-merror';
const mathAttributes: ReadonlySet<string> = new Set(
  'class style jax display space size texclass type width side align justify noic variant aria-hidden'.split(' '),
);
const mathStyle =
  /^(?:color|background-color|(?:padding|margin|border)(?:-[a-z]+)*|(?:min-|max-)?(?:width|height)|(?:vertical|text)-align|font-(?:size|family|weight|style)|transform|top|left|bottom|right|letter-spacing|line-height|white-space)$/;
const riskyValue = /url|image|var\s*\(|attr\s*\(|env\s*\(|expression|\\|@/i;

/** Elements inside one another: some hundreds of them in a formula overflow the stack of the browser, which ends the app. */
const maxMathDepth = 150;

/** Takes out of a formula what is not allowed; false if that is not possible, or if it is too deep. */
export function cleanMath(root: HTMLElement): boolean {
  for (const hidden of Array.from(root.querySelectorAll(hiddenMath))) hidden.remove();
  const depths = new Map<Element | null, number>();
  for (const element of [root, ...Array.from(root.querySelectorAll<HTMLElement>('*'))]) {
    const depth = (depths.get(element.parentElement) ?? 0) + 1;
    if (depth > maxMathDepth) return false;
    depths.set(element, depth);
    if (!mathElement.test(element.localName) || element.localName === mathErrors) return false;
    for (const { name, value } of Array.from(element.attributes)) {
      const isAllowed = mathAttributes.has(name) && (name === 'style' || /^[\w .-]*$/.test(value));
      if (!isAllowed) element.removeAttribute(name);
    }
    cleanStyle(element);
  }
  return true;
}

function cleanStyle(element: HTMLElement): void {
  if (!element.hasAttribute('style')) return;
  const { style } = element;
  for (const name of Array.from(style)) {
    const value = style.getPropertyValue(name);
    const isAllowed = name === 'position' ? value === 'relative' : mathStyle.test(name) && !riskyValue.test(value);
    if (!isAllowed) style.removeProperty(name);
  }
}

interface Prism {
  readonly languages: Readonly<Record<string, unknown>>;
  tokenize(code: string, grammar: object): PrismPart[];
}
type PrismPart = string | PrismToken;
interface PrismToken {
  readonly type: string;
  readonly content: PrismPart | readonly PrismPart[];
  readonly alias?: string | readonly string[];
}

const prism = loadOnce(async () => (await loadPrism()) as Prism);

async function colors(code: string, language: string): Promise<readonly CodePart[] | null> {
  const library = await prism();
  if (library === null) return null;
  const grammar = Object.hasOwn(library.languages, language) ? library.languages[language] : null;
  if (typeof grammar !== 'object' || grammar === null) return null;
  const tokenize = (text: string): PrismPart[] => library.tokenize(text, grammar);
  try {
    if (!(await isQuick(code, tokenize))) return null;
    const parts: CodePart[] = [];
    collectParts(tokenize(code), [], parts);
    return parts.map(({ text }) => text).join('') === code ? parts : null;
  } catch {
    return null;
  }
}

/** Characters of code that is read at once, and milliseconds that reading all pieces of a code may take. */
const firstPiece = 2_500;
const piecesLimit = 60;

/**
 * Whether a code can be read as a whole without holding up the app: with some grammars, the time grows with the square of
 * the length. Its pieces are read first, and those of twice the length only if the shorter ones took little time.
 */
async function isQuick(code: string, read: (piece: string) => unknown): Promise<boolean> {
  for (let length = firstPiece; length < code.length; length *= 2) {
    // What runs for the first time takes longer, and another program may have had the processor.
    if (!(await arePiecesQuick(code, length, read)) && !(await arePiecesQuick(code, length, read))) return false;
  }
  return true;
}

async function arePiecesQuick(code: string, length: number, read: (piece: string) => unknown): Promise<boolean> {
  let taken = 0;
  for (let at = 0; at < code.length; at += length) {
    const start = performance.now();
    read(code.slice(at, at + length));
    taken += performance.now() - start;
    await yieldToEventLoop();
    if (taken > piecesLimit) return false;
  }
  return true;
}

/** Prism has many names for what has one color. */
const codeColors: ReadonlyMap<string, string> = new Map(
  (
    [
      ['docent-code-comment', 'comment prolog doctype cdata'],
      ['docent-code-keyword', 'keyword atrule selector rule'],
      ['docent-code-string', 'string char attr-value regex url'],
      ['docent-code-function', 'function class-name builtin'],
      ['docent-code-value', 'number boolean constant symbol'],
      ['docent-code-property', 'property attr-name variable key'],
      ['docent-code-tag', 'tag'],
      ['docent-code-punctuation', 'punctuation delimiter'],
      ['docent-code-operator', 'operator'],
      ['docent-code-important', 'important bold title'],
      ['docent-code-inserted', 'inserted'],
      ['docent-code-deleted', 'deleted'],
    ] as const
  ).flatMap(([color, names]) => names.split(' ').map((name) => [name, color] as const)),
);

function collectParts(part: PrismPart | readonly PrismPart[], names: readonly string[], parts: CodePart[]): void {
  if (typeof part === 'string') return void parts.push({ text: part, names });
  if (isList(part)) return part.forEach((each) => collectParts(each, names, parts));
  const { type, alias = [], content } = part;
  const own = [type, ...(typeof alias === 'string' ? [alias] : alias)].filter((name) => /^[\w-]{1,40}$/.test(name));
  const color = own.map((name) => codeColors.get(name)).find((each) => each !== undefined);
  // The innermost names decide, as they do for the color of nested elements.
  collectParts(content, color === undefined ? own : [...own, color], parts);
}

function isList(part: PrismPart | readonly PrismPart[]): part is readonly PrismPart[] {
  return Array.isArray(part);
}

interface Mermaid {
  parse(text: string, options: { suppressErrors: true }): Promise<unknown>;
  render(id: string, text: string, container: Element): Promise<{ readonly svg: string }>;
}

const mermaid = loadOnce(async () => (await loadMermaid()) as Mermaid);

const maxStored = 30;
/** Diagrams as they were drawn last, since messages leave the page and come back. */
const stored = new Map<string, string>();
let drawnCount = 0;

async function diagram(source: string, isDark: boolean): Promise<string | null> {
  const key = `${isDark ? 'dark' : 'light'} ${source}`;
  const known = stored.get(key);
  if (known !== undefined) return known;
  const library = await mermaid();
  if (library === null || isStuck) return null;
  const configured = `%%{init: ${JSON.stringify(configure(isDark))}}%%\n${source}`;
  // The library measures what it draws, so it needs a place in the page; it leaves its errors there as well.
  const bench = createDiv({ cls: 'docent-diagram-bench', attr: { 'aria-hidden': 'true' } });
  window.document.body.append(bench);
  try {
    if ((await library.parse(configured, { suppressErrors: true })) === false) return null;
    const drawn = await inTime(library.render(`docent-diagram-${(drawnCount += 1)}`, configured, bench));
    if (drawn === null) return null;
    const { svg } = drawn;
    stored.set(key, svg);
    const [oldest] = stored.keys();
    if (stored.size > maxStored && oldest !== undefined) stored.delete(oldest);
    return svg;
  } catch {
    return null;
  } finally {
    bench.remove();
  }
}

/** Milliseconds. The library draws one after the other, so one that never ends would hold up all others. */
const drawLimit = 10_000;
let isStuck = false;

async function inTime<Drawn>(drawing: Promise<Drawn>): Promise<Drawn | null> {
  let timer = 0;
  const late = new Promise<null>((resolve) => {
    timer = window.setTimeout(() => {
      isStuck = true;
      resolve(null);
    }, drawLimit);
  });
  try {
    return await Promise.race([drawing, late]);
  } finally {
    window.clearTimeout(timer);
  }
}

/** The looks, and no HTML in labels. */
function configure(isDark: boolean): object {
  const plain = { htmlLabels: false, useMaxWidth: false };
  return {
    theme: isDark ? 'dark' : 'default',
    fontFamily: 'inherit',
    htmlLabels: false,
    flowchart: plain,
    class: plain,
    state: plain,
    journey: { textPlacement: 'tspan' },
  };
}

export const appLibraries: Libraries = { math, colors, diagram };
