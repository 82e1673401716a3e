/**
 * Active content: parts of a note that run code, load resources, or link out of the vault; only new ones count (6.5).
 */
import { decodeEntities } from '../../markdown/links';

export type ActiveKind =
  'code-block' | 'inline-code' | 'template' | 'html' | 'remote-image' | 'scheme' | 'canvas-link' | 'base-formula';

export interface ActiveItem {
  readonly kind: ActiveKind;
  /** What would run or load it: a plugin, a language, a host, or a tag. */
  readonly runner: string;
  /** The passage itself, which identifies the item. */
  readonly passage: string;
}

export function activeContentIn(path: string, text: string): ActiveItem[] {
  if (/\.canvas$/i.test(path)) return activeInCanvas(text);
  if (/\.base$/i.test(path)) return [...activeInBase(text), ...activeInMarkdown(text)];
  return activeInMarkdown(text);
}

/** Returns the active content that occurs more often in the new text than in the old one. */
export function newActiveContent(path: string, before: string, after: string): ActiveItem[] {
  const known = new Map<string, number>();
  for (const item of activeContentIn(path, before)) known.set(keyOf(item), (known.get(keyOf(item)) ?? 0) + 1);
  return activeContentIn(path, after).filter((item) => {
    const left = known.get(keyOf(item)) ?? 0;
    if (left > 0) known.set(keyOf(item), left - 1);
    return left === 0;
  });
}

function keyOf({ kind, runner, passage }: ActiveItem): string {
  return `${kind}\n${runner}\n${passage}`;
}

/** Returns the hosts that the new text links to and the old one does not. */
export function newHosts(before: string, after: string): string[] {
  const known = hostsIn(before);
  return [...hostsIn(after)].filter((host) => !known.has(host));
}

function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const match of text.matchAll(/https?:\/\/(?:[^\s/@]*@)?([^\s/:?#)\]>"'`|]+)/gi)) {
    if (match[1] !== undefined) hosts.add(match[1].toLowerCase());
  }
  return hosts;
}

/** Finds active content in Markdown. Prefers false positives: a passage inside a displayed code block counts too. */
function activeInMarkdown(text: string): ActiveItem[] {
  return [...codeBlocks(text), ...inlineCode(text), ...templates(text), ...html(text), ...destinations(text)];
}

/** An opening code fence of backticks or tildes, after any quote marks, list markers, and indentation. */
const opening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)*(`{3,}|~{3,})[ \t]*([^\r\n]*)$/;

function codeBlocks(text: string): ActiveItem[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): ActiveItem[] => {
    const [, fence = '', info = ''] = opening.exec(line.replace(/\r$/, '')) ?? [];
    if (fence === '') return [];
    const language = (/[^\s`~{}.,:]+/.exec(info)?.[0] ?? '').toLowerCase();
    const passage = bodyAfter(lines, index, fence);
    if (safeLanguages.has(language) && !isRiskyInside(language, passage)) return [];
    return [{ kind: 'code-block', runner: runnerOf(language), passage: `${info.trim()}\n${passage}` }];
  });
}

function bodyAfter(lines: readonly string[], opened: number, fence: string): string {
  const closing = new RegExp(`^[ \\t>]*\\${fence.charAt(0)}{${fence.length},}[ \\t]*\\r?$`);
  const end = lines.findIndex((line, index) => index > opened && closing.test(line));
  return lines.slice(opened + 1, end === -1 ? undefined : end).join('\n');
}

function isRiskyInside(language: string, body: string): boolean {
  if (language === 'tasks') return /by\s+function/i.test(body);
  if (language === 'mermaid') return /https?:|click|img|href|script/i.test(body);
  return language === 'base' && /\b(?:html|image)\s*\(/i.test(body);
}

function inlineCode(text: string): ActiveItem[] {
  // Matches a single backtick, which ends any longer run; matching whole runs would take quadratic time.
  return [...text.matchAll(/`[ \t]*(\$?=(?!=)|dv:|js:)[^`\n]+`/g)].map(([passage, prefix = '']) => ({
    kind: 'inline-code',
    runner: /^\$?=|^dv/.test(prefix) ? 'Dataview' : 'JS Engine',
    passage,
  }));
}

function templates(text: string): ActiveItem[] {
  return [...text.matchAll(/<%[^\n]*/g)].map(([passage]) => ({ kind: 'template', runner: 'Templater', passage }));
}

const heavyTag =
  /<\s*\/?\s*(iframe|webview|object|embed|script|style|link|meta|base|form|frame|applet|portal)\b[^>]*/gi;
const loadingAttribute =
  /<[a-z][^\s/>"']*[\s/"'][^>]{0,2000}?(?:src|srcset|poster|data|background|style|href|action|on[a-z]+)\s*=[^>]{0,2000}/gi;

function html(text: string): ActiveItem[] {
  const heavy = [...text.matchAll(heavyTag)].map(([passage, tag = '']): ActiveItem => ({
    kind: 'html',
    runner: tag.toLowerCase(),
    passage,
  }));
  const loading = [...text.matchAll(loadingAttribute)]
    .filter(([passage]) => !isPlainLink(passage))
    .map(([passage]): ActiveItem => ({
      kind: 'html',
      runner: (/[a-z][a-z0-9-]*/i.exec(passage)?.[0] ?? '').toLowerCase(),
      passage,
    }));
  return [...heavy, ...loading];
}

/** Whether a tag is an `<a>` to the web or into the vault without any other effect. */
function isPlainLink(tag: string): boolean {
  if (!/^<a\s/i.test(tag) || /\s(?:on[a-z]+|style|src)\s*=/i.test(tag)) return false;
  const address = /href\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1] ?? '';
  return schemeOf(address) === null || isOpenScheme(address);
}

/** Finds links and images that load from, or open, something outside the vault. */
function destinations(text: string): ActiveItem[] {
  const definitions = definitionsIn(text);
  const items: ActiveItem[] = [];
  for (let at = text.indexOf(']'); at !== -1; at = text.indexOf(']', at + 1)) {
    const item = destinationAt(text, at, definitions);
    if (item !== null) items.push(item);
  }
  for (const [passage, scheme = ''] of text.matchAll(/\b([a-z][a-z0-9+.-]{1,30}):\/\/[^\s)\]>"'`]*/gi)) {
    if (!isOpenScheme(passage)) items.push({ kind: 'scheme', runner: scheme.toLowerCase(), passage });
  }
  return items;
}

/** Returns the addresses of link reference definitions by lowercase label. */
function definitionsIn(text: string): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const [, label = '', address = ''] of text.matchAll(/^[ \t>]*\[(?!\^)([^\]\n]+)\]:[ \t]*<?([^\s>]+)/gm)) {
    definitions.set(label.toLowerCase().trim(), address);
  }
  return definitions;
}

/** Returns the link or image whose label ends at the bracket, if it is active content; else null. */
function destinationAt(text: string, closing: number, definitions: ReadonlyMap<string, string>): ActiveItem | null {
  const open = openingBracket(text, closing);
  if (open === -1) return null;
  const isImage = text.charAt(open - 1) === '!';
  const label = text.slice(open + 1, closing);
  const address = addressAfter(text, closing, label, definitions);
  if (address === null) return null;
  const passage = `${isImage ? '!' : ''}[${label}] ${address}`;
  if (isImage && (isOpenScheme(address) || address.startsWith('//'))) {
    return { kind: 'remote-image', runner: hostOf(address), passage };
  }
  const scheme = schemeOf(address);
  return scheme !== null && !isOpenScheme(address) ? { kind: 'scheme', runner: scheme, passage } : null;
}

/** Returns the offset of the matching opening bracket; -1 if there is none within the length of a label. */
function openingBracket(text: string, closing: number): number {
  let depth = 0;
  for (let at = closing - 1; at >= 0 && closing - at < 1_000; at -= 1) {
    const character = text.charAt(at);
    if (character === ']') depth += 1;
    if (character === '[') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

function addressAfter(
  text: string,
  closing: number,
  label: string,
  definitions: ReadonlyMap<string, string>,
): string | null {
  const behind = text.slice(closing + 1, closing + 2_000);
  const inline = /^\(\s*<?\s*([^\s>)]*)/.exec(behind)?.[1];
  if (inline !== undefined) return plainAddress(inline);
  const named = /^\[([^\]\n]*)\]/.exec(behind)?.[1] ?? '';
  const defined = definitions.get((named === '' ? label : named).toLowerCase().trim());
  return defined === undefined ? null : plainAddress(defined);
}

/** Returns the address as Obsidian reads it: without escapes, entities, and the white space that browsers drop. */
function plainAddress(written: string): string {
  return decodeEntities(written.replace(/\\([!-/:-@[-`{-~])/g, '$1')).replace(/[\t\n\r]/g, '');
}

function schemeOf(address: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? null;
}

function isOpenScheme(address: string): boolean {
  return /^(?:https?|mailto):/i.test(address);
}

function hostOf(address: string): string {
  return /^(?:https?:)?\/\/(?:[^/@]*@)?([^/:?#]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

// Active content of other files: link cards of a canvas, and functions of a base that render HTML or load images.

/** A canvas that cannot be parsed counts as active as a whole. */
function activeInCanvas(text: string): ActiveItem[] {
  if (text.trim() === '') return [];
  const nodes = nodesOf(text);
  if (nodes === null) return [{ kind: 'canvas-link', runner: 'Canvas', passage: text }];
  return nodes.flatMap((node): ActiveItem[] => {
    const { type, url, text: card } = node;
    if (type === 'link' || typeof url === 'string') {
      return [{ kind: 'canvas-link', runner: 'Canvas', passage: String(url) }];
    }
    return typeof card === 'string' ? activeInMarkdown(card) : [];
  });
}

function nodesOf(text: string): Readonly<Record<string, unknown>>[] | null {
  try {
    const canvas: unknown = JSON.parse(text);
    if (typeof canvas !== 'object' || canvas === null) return null;
    const { nodes = [] } = canvas as { readonly nodes?: unknown };
    const isNode = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;
    return Array.isArray(nodes) && nodes.every(isNode) ? nodes : null;
  } catch {
    return null;
  }
}

function activeInBase(text: string): ActiveItem[] {
  return [...text.matchAll(/\b(html|image|icon|link)\s*\([^\n]*/gi)]
    .filter(([, name = '']) => /^(?:html|image)$/i.test(name))
    .map(([passage]) => ({ kind: 'base-formula', runner: 'Bases', passage: passage.trim() }));
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
    'agda idris abc gherkin http1 output stdout ascii poem verse lyrics math'
  )
    .split(' ')
    .filter((name, index) => name !== '' || index === 0),
);

const runners: Readonly<Record<string, string>> = {
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
};

/** Returns the plugin that runs such a code block, or else its language. */
function runnerOf(language: string): string {
  return runners[language] ?? language;
}
