/** Active items, and the code that a note runs: code blocks of plugins, and how code spans name theirs. */

export type ActiveKind =
  | 'code-block'
  | 'inline-code'
  | 'template'
  | 'html'
  | 'remote-image'
  | 'scheme'
  | 'canvas-link'
  | 'base-formula'
  | 'formula'
  /** Text that is too long or too deep to check, or that could not be read. */
  | 'unchecked';

export interface ActiveItem {
  readonly kind: ActiveKind;
  /** What would run or load it: a plugin, a language, a host, or a tag. */
  readonly runner: string;
  /** The passage itself, which identifies the item. */
  readonly passage: string;
}

/** How a code span begins that a plugin runs: after blanks, line ends, and quote marks. */
export const inlinePrefix = /^[\s>]*(\$?=(?!=)|\$?dc(?:js)?[=:]|dv:|js:|(?:INPUT|VIEW|BUTTON|EMBED)\s*\[)(?=[^])/;

interface Fence {
  readonly line: number;
  readonly mark: string;
  /** Whether only quote, list, and footnote marks precede it. */
  readonly isFirst: boolean;
  /** The quote marks before it, and the columns from the last of them to the fence. */
  readonly quotes: number;
  readonly column: number;
  /** Whether the line can close a block: it holds nothing else but blanks and quote marks. */
  readonly closes: boolean;
  readonly info: string;
}

/**
 * Returns the code blocks that something other than the display of code reads. Every line that could open a block
 * counts, because quotes, lists, and earlier blocks decide in many ways which one does.
 */
export function codeBlocksIn(lines: readonly string[]): ActiveItem[] {
  const fences = fencesIn(lines);
  if (fences.length === 0) return [];
  const closings = closingLines(fences, lines.length);
  const risks = risksIn(lines, fences);
  const active = fences.flatMap((fence, index) => {
    const language = languageOf(fence.info);
    const end = closings[index] ?? lines.length;
    return isActive(fence, language, risks, end) ? [{ fence, language, end }] : [];
  });
  // A passage ends where the next one begins, so that blocks inside blocks are not read again and again.
  let reach = 0;
  return active.map(({ fence, language, end }, index): ActiveItem => {
    reach = Math.max(reach, end);
    const stop = Math.min(reach, active[index + 1]?.fence.line ?? lines.length);
    const passage = `${fence.info}\n${lines.slice(fence.line + 1, stop).join('\n')}`;
    return { kind: 'code-block', runner: runnerOf(language), passage };
  });
}

/** Thrown for a text with more marks than a person writes, which is then not checked. */
export class TooManyMarks extends Error {}

const maxFences = 4_000;

function fencesIn(lines: readonly string[]): Fence[] {
  const fences: Fence[] = [];
  lines.forEach((line, index) => {
    const fence = fenceAt(line, index);
    if (fence !== null) fences.push(fence);
    if (fences.length > maxFences) throw new TooManyMarks();
  });
  return fences;
}

const beforeFence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|\[[^\]]{1,100}\]:?)[ \t>]+)*$/;

function fenceAt(line: string, index: number): Fence | null {
  if (!line.includes('```') && !line.includes('~~~')) return null;
  const found = /`{3,}|~{3,}/.exec(line);
  if (found === null) return null;
  const [mark] = found;
  const before = line.slice(0, found.index);
  const after = line.slice(found.index + mark.length);
  const info = after.trim();
  const isFirst = beforeFence.test(before);
  if (!isFirst && info.includes(mark.charAt(0))) return null;
  const quotes = before.split('>').length - 1;
  const closes = /^[ \t>]*$/.test(before) && /^[ \t]*$/.test(after);
  return { line: index, mark, isFirst, quotes, column: columnOf(before), closes, info };
}

/** Returns the columns after the last quote mark that blanks and the marks of lists take; a tab ends at a fourth one. */
function columnOf(before: string): number {
  let [column, quoted] = [0, 0];
  for (const character of before.slice(0, before.search(/\[|$/))) {
    column += character === '\t' ? 4 - (column % 4) : 1;
    if (character === '>') quoted = column;
  }
  return column - quoted;
}

/** Returns for each fence the line that closes its block at the latest. */
function closingLines(fences: readonly Fence[], end: number): number[] {
  /** The closing fences below, by place: the nearest last, and each farther one longer than those nearer. */
  const below = new Map<string, Fence[]>();
  const closings: number[] = [];
  for (let index = fences.length - 1; index >= 0; index -= 1) {
    const fence = fences[index];
    if (fence === undefined) continue;
    const ends = [0, fence.column].map((column) =>
      nearestOf(below.get(placeOf(fence, column)) ?? [], fence.mark.length),
    );
    closings[index] = Math.min(...ends.map((each) => each?.line ?? end));
    if (!fence.closes) continue;
    const key = placeOf(fence, fence.column);
    const candidates = below.get(key) ?? [];
    while ((candidates.at(-1)?.mark.length ?? Infinity) <= fence.mark.length) candidates.pop();
    candidates.push(fence);
    below.set(key, candidates);
  }
  return closings;
}

/** A block ends at a fence that is indented by up to three columns, or as far as its own, in a list. */
function placeOf({ mark, quotes }: Fence, column: number): string {
  return `${mark.charAt(0)}${quotes} ${Math.max(3, column)}`;
}

/** Returns the nearest fence of at least this length. */
function nearestOf(candidates: readonly Fence[], length: number): Fence | undefined {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candidates[middle]?.mark.length ?? 0) >= length) low = middle + 1;
    else high = middle;
  }
  return candidates[low - 1];
}

/** Text that makes a block active whose language only displays something, by language. */
const risky: ReadonlyMap<string, RegExp> = mapOf({
  // Placeholders can hold the words of the command.
  tasks: /\bfunction\b|\{\{|\\$/i,
  // Statements give an actor links, a picture, or what an element of the page says, and a class a link.
  mermaid:
    /(?:^|;)(?:(?=[^:;]*:\s*(?:\{|[^;]*@))[^:;]*\b(?:links?|properties)\b|(?=[^:;]*:)[^:;]*\bdetails\b\s*[^\s:<>-]|(?=[^";]*"[^";]*:)[^";:]*\blink\s)|https?:|\/\/|%%\{|\bclick\b|\bimg\b|href|script|url\s*\(|@import|themecss|@\{|\\|#\w+;|&\w|&#|<(?!br\b)[a-z/!]|^[\s>]*---\s*$/i,
  base: /\b(?:html|image)\b|https?:|\blink\s*\((?!\s*file[\w.]*\s*[,)])|^[\s>]*\(\s*["']|\\(?:[xu]|$)/i,
});

/** Returns the lines with such text, in order, by language. */
function risksIn(lines: readonly string[], fences: readonly Fence[]): ReadonlyMap<string, readonly number[]> {
  const risks = new Map<string, readonly number[]>();
  for (const language of new Set(fences.map(({ info }) => languageOf(info)))) {
    const text = risky.get(language);
    if (text === undefined) continue;
    risks.set(
      language,
      lines.flatMap((line, index) => (text.test(line) ? [index] : [])),
    );
  }
  return risks;
}

function isActive(fence: Fence, language: string, risks: ReadonlyMap<string, readonly number[]>, end: number): boolean {
  // A plugin may be named behind a safe language.
  if (/^jsx:|^\{?\s*run-/i.test(fence.info)) return true;
  const isSafe = safeLanguages.has(language) || language.startsWith('<');
  if (!fence.isFirst && !isSafe) return runners.has(language);
  if (!isSafe) return true;
  const lines = risks.get(language) ?? [];
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= fence.line) low = middle + 1;
    else high = middle;
  }
  return (lines[low] ?? Infinity) < end;
}

function languageOf(info: string): string {
  return (/[^\s`~{}.,:]+/.exec(info)?.[0] ?? '').toLowerCase();
}

// Languages of code blocks that are only displayed, and plugins that run some of the others.

const safeLanguages: ReadonlySet<string> = new Set(
  (
    ' text txt plain plaintext md markdown js javascript mjs cjs ts typescript jsx tsx json json5 jsonc jsonl yaml yml ' +
    'toml ini xml html css scss sass less py python python3 rb ruby java kotlin kt scala c h cpp c++ hpp cc cs csharp c# ' +
    'go golang rs rust swift objc objective-c php perl pl lua r julia jl matlab octave haskell hs elm ocaml ml fsharp f# ' +
    'clojure clj lisp scheme racket erlang elixir ex dart zig nim v fortran cobol ada pascal delphi vb vbnet basic asm ' +
    'assembly nasm wasm sh bash zsh fish shell console terminal powershell ps1 bat cmd batch sql mysql postgres ' +
    'postgresql sqlite graphql gql cypher sparql regex http nginx apache dockerfile docker makefile make cmake gradle ' +
    'groovy diff patch git gitignore csv tsv log tex latex bibtex bib mermaid query tasks base vim viml awk sed jq ' +
    'protobuf proto thrift solidity sol terraform tf hcl nix svelte vue astro handlebars hbs jinja jinja2 liquid erb ' +
    'properties env dotenv desktop plist applescript autohotkey ahk arduino verilog vhdl systemverilog prolog coq lean ' +
    'agda idris abc gherkin http1 htaccess twig mathjax output stdout ascii poem verse lyrics math'
  )
    .split(' ')
    .filter((name, index) => name !== '' || index === 0),
);

const runners: ReadonlyMap<string, string> = mapOf({
  dataview: 'Dataview',
  dataviewjs: 'Dataview',
  datacore: 'Datacore',
  datacorejs: 'Datacore',
  datacorejsx: 'Datacore',
  datacorets: 'Datacore',
  datacoretsx: 'Datacore',
  tasks: 'Tasks',
  mermaid: 'Mermaid',
  base: 'Bases',
  button: 'Buttons',
  'js-engine': 'JS Engine',
  'meta-bind': 'Meta Bind',
  'meta-bind-button': 'Meta Bind',
  'meta-bind-js-view': 'Meta Bind',
  templater: 'Templater',
  leaflet: 'Leaflet',
  excalidraw: 'Excalidraw',
  chart: 'Charts',
  'run-js': 'Execute Code',
});

/** A language may be called like what every object has, such as its constructor. */
function mapOf<T>(values: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(values));
}

/** Returns the plugin that runs such a code block, or else its language. */
function runnerOf(language: string): string {
  return runners.get(language) ?? language;
}

// Formulas with so many groups inside one another that an app may end when it draws them.

/** Far more than people write; the browser ends at about a hundred. */
const maxDepth = 40;

/** Marks of a group that begins or ends, and what is no mark for its backslash. */
const marks = /\\(begin|left|end|right)(?![a-z])|\\[\s\S]|[{}]/g;
const opening: ReadonlySet<string> = new Set(['{', 'begin', 'left']);
const closing: ReadonlySet<string> = new Set(['}', 'end', 'right']);

/** Characters of such a passage. */
const maxPassage = 200;

/** Returns the start of each such passage, from its outermost group on. Every text is read as a formula. */
export function deepFormulasIn(text: string): string[] {
  const found: string[] = [];
  let [depth, start, deepest] = [0, 0, 0];
  for (const { 0: whole, 1: command, index } of text.matchAll(marks)) {
    const mark = command ?? whole;
    if (opening.has(mark)) {
      if (depth === 0) [start, deepest] = [index, 0];
      depth += 1;
      if (depth === maxDepth + 1 && deepest < depth) found.push(text.slice(start, start + maxPassage));
      deepest = Math.max(deepest, depth);
    } else if (closing.has(mark)) depth = Math.max(0, depth - 1);
  }
  return found;
}
