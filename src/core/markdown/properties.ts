/**
 * The properties of a note, from its text alone: where they are, which aliases and tags they name, and how to set one.
 */
import { words } from '../../text';
import { nestsTooDeep } from '../base/equality';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Yaml } from '../ports/vault';
import { isWritable, lineEndAt, withLineEnd } from './encoding';
import { toTag } from './note-tags';
import type { NoteStructure } from './structure';

export const propertiesBlock = /^---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** A comment of Obsidian that begins and ends on lines of its own, at the start of a text. */
const leadingComment = /^%%[ \t]*\r?\n(?:[\s\S]*?\r?\n)?%%[ \t]*(?:\r?\n|$)/;

/** Returns the note's text below its properties block and the comment that follows it, trimmed. */
export function bodyOf(text: string): string {
  const block = propertiesBlock.exec(text);
  const body = (block ? text.slice(block[0].length) : text).trim();
  return body.replace(leadingComment, '').trim();
}

export interface PropertiesBlock {
  /** Offset of the first line between the fences. */
  readonly start: number;
  /** Offset of the closing fence. */
  readonly end: number;
  /** Offset after the closing fence and its line ending. */
  readonly bodyStart: number;
}

/** Returns null if there is no block; `unclosed` if the note opens one and never closes it. */
export function propertiesBlockOf(text: string): PropertiesBlock | 'unclosed' | null {
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(text);
  if (opening === null) return null;
  let start = opening[0].length;
  const first = start;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const next = found === -1 ? text.length : found + 1;
    if (/^---[ \t]*\r?\n?$/.test(text.slice(start, next))) return { start: first, end: start, bodyStart: next };
    start = next;
  }
  return 'unclosed';
}

/** The aliases and tags in a note's properties block, read without a YAML parser. */
export interface FrontNames {
  readonly aliases: readonly string[];
  /** Without the leading `#`. */
  readonly tags: readonly string[];
}

/** Reads inline values, inline lists, and block lists; ignores anything else, and what Obsidian takes for no tag. */
export function frontNames(text: string, structure: NoteStructure): FrontNames {
  const names: { aliases: string[]; tags: string[] } = { aliases: [], tags: [] };
  let current: string[] | undefined;
  for (const line of structure.lines.slice(1, Math.max(1, structure.propertyLines - 1))) {
    const row = text.slice(line.start, line.end);
    const item = /^\s*-\s+(.+)$/.exec(row);
    if (item?.[1] !== undefined) {
      current?.push(bare(item[1]));
      continue;
    }
    const key = /^([^\s:][^:]*):\s*(.*)$/.exec(row);
    if (key === null) continue;
    const name = (key[1] ?? '').toLowerCase();
    current = /^alias(?:es)?$/.test(name) ? names.aliases : name === 'tags' ? names.tags : undefined;
    // A list on one line may have more items than a call takes arguments.
    for (const each of (current === names.tags ? inlineTags : inlineItems)((key[2] ?? '').trim())) current?.push(each);
  }
  return { ...names, tags: names.tags.filter((tag) => toTag(tag) !== null) };
}

/** Splits an inline value or an inline list into its items, without the empty ones. */
function inlineItems(value: string): string[] {
  const inner = /^\[(.*)\]$/.exec(value)?.[1] ?? value;
  return inner
    .split(',')
    .map(bare)
    .filter((item) => item !== '');
}

/** Returns the items of an inline list; any other value is one item. */
function inlineTags(value: string): string[] {
  return value.startsWith('[') ? inlineItems(value) : [bare(value)].filter((item) => item !== '');
}

function bare(value: string): string {
  return value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^#/, '')
    .trim();
}

type PropertyScalar = string | number | boolean | null;
/** Undefined removes the property. */
export type PropertyValue = PropertyScalar | readonly PropertyScalar[] | undefined;

/** Characters; a longer block is not a list of properties. */
const maxBlockLength = 100_000;
const maxKeyLength = 200;

export function setProperty(
  path: string,
  text: string,
  key: string,
  value: PropertyValue,
  yaml: Yaml,
): Outcome<string> {
  if (!isUsable(key, value)) {
    return fail({
      kind: 'invalid-input',
      words: words.writing.propertyUnusable(key.slice(0, maxKeyLength)),
      remedy: words.writing.propertyUnusableRemedy,
    });
  }
  const block = propertiesBlockOf(text);
  if (block === 'unclosed') return fail(unreadable(path));
  if (block === null) {
    if (value === undefined) return fail(missing(path, key));
    const lineEnd = lineEndAt(text, 0);
    const made = `---${lineEnd}${withLineEnd(yaml.stringify({ [key]: value }), lineEnd)}---${lineEnd}${text}`;
    return verify(path, made, {}, key, value, yaml);
  }
  const inner = text.slice(block.start, block.end);
  const before = readFlat(inner, yaml);
  if (before === null) return fail(unreadable(path));
  // Written again, the same value would lose its comment, its quotes, and the form of its list.
  if (hasValue(before, key, value)) return succeed(text);
  const region = regionOf(inner, key);
  if (region === 'several') return fail(unreadable(path));
  if (region === null && Object.hasOwn(before, key)) return fail(unreadable(path));
  if (region === null && value === undefined) return fail(missing(path, key));
  const { start, end } = region ?? { start: inner.length, end: inner.length };
  const lineEnd = lineEndAt(text, 0);
  const lines = value === undefined ? '' : withLineEnd(yaml.stringify({ [key]: value }), lineEnd);
  const spliced = inner.slice(0, start) + lines + inner.slice(end);
  const edited =
    spliced.trim() === '' ? text.slice(block.bodyStart) : text.slice(0, block.start) + spliced + text.slice(block.end);
  return verify(path, edited, before, key, value, yaml);
}

/** Returns the name of a property as the note spells it; as in Obsidian, its case makes no difference. */
export function spelledName(text: string, name: string, yaml: Yaml): string {
  const names = Object.keys(readProperties(text, yaml) ?? {});
  return names.includes(name) ? name : (names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name);
}

/** Returns the properties of a note's text; null if its block cannot be read. */
export function readProperties(text: string, yaml: Yaml): Readonly<Record<string, unknown>> | null {
  const block = propertiesBlockOf(text);
  if (block === null) return {};
  return block === 'unclosed' ? null : read(text.slice(block.start, block.end), yaml);
}

/** Accepts the edit only if Obsidian will read every other property as before, and this one as requested. */
function verify(
  path: string,
  edited: string,
  before: Readonly<Record<string, unknown>>,
  key: string,
  value: PropertyValue,
  yaml: Yaml,
): Outcome<string> {
  const after = readProperties(edited, yaml);
  if (after === null) return fail(unreadable(path));
  const others = (record: Readonly<Record<string, unknown>>): string[] =>
    Object.keys(record).filter((name) => name !== key);
  const same =
    others(before).join('\n') === others(after).join('\n') &&
    others(before).every((name) => isSame(before[name], after[name]));
  const asAsked = value === undefined ? !Object.hasOwn(after, key) : hasValue(after, key, value);
  return same && asAsked ? succeed(edited) : fail(unreadable(path));
}

/**
 * Returns null for anything but a plain record, for invalid YAML, and for references that other lines may depend on.
 */
function read(inner: string, yaml: Yaml): Record<string, unknown> | null {
  if (inner.length > maxBlockLength || reference.test(withoutTexts(inner))) return null;
  try {
    const value = yaml.parse(inner);
    if (value === null || value === undefined) return {};
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Returns the same, and null for values that are nested too deep to be compared. */
function readFlat(inner: string, yaml: Yaml): Record<string, unknown> | null {
  const value = read(inner, yaml);
  return value === null || nestsTooDeep(value) ? null : value;
}

/** A YAML anchor, alias, or tag where a value or a key may start. After a key that ends by itself, no blank is needed. */
const reference = /(?:^[ \t]*|[:?-][ \t]+|[[{,][ \t]*|["'\]}]:)(?:[&*!][^\s,[\]{}]|<<[ \t]*:)/m;

/** The start of a line: its list marks, and a key that is plain. */
const lineStart = /^([ \t]*(?:-[ \t]+)*)((?:[\p{L}\p{N}_][\p{L}\p{N}_ ./-]*:[ \t]+)?)/u;
/** A quoted text that ends on its line. */
const quotedText = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$/;
/** A text without quotes that no key is in. */
const plainText = /^[\p{L}\p{N}](?:[^:]|:(?![ \t]|$))*$/u;
/** A list on one line without quotes. */
const flatList = /^\[[^[\]{}"'#]*\][ \t]*$/;
const blockText = /^[|>][+-]?[ \t]*(?:#.*)?$/;

/**
 * Returns the lines of a properties block without the texts in which no reference can be. All is left from the first
 * line on that may open a text or a list without closing it, since only a parser knows what is within one below that.
 */
function withoutTexts(inner: string): string {
  const lines = inner.split('\n').map((line) => line.replace(/\r$/, ''));
  const left: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const [start = '', marks = '', key = ''] = lineStart.exec(line) ?? [];
    const value = line.slice(start.length);
    if (!line.includes('\r') && (quotedText.test(value) || plainText.test(value))) left.push(start);
    else if (isClosed(line, value)) left.push(line);
    else return [...left, ...lines.slice(at)].join('\n');
    at += 1;
    if (key !== '' && blockText.test(value)) at = endOfBlockText(lines, at, marks.length);
  }
  return left.join('\n');
}

/** Whether a line opens nothing that goes on below it. */
function isClosed(line: string, value: string): boolean {
  if (line.includes('\r')) return false;
  return !/["'[\]{}]/.test(line) || /^[ \t]*#/.test(line) || flatList.test(value);
}

/** Returns the index after the lines of a block text, each of which is indented like the first one. */
function endOfBlockText(lines: readonly string[], from: number, indent: number): number {
  const indentOf = (at: number): string => /^ */.exec(lines[at] ?? '')?.[0] ?? '';
  const isBlank = (at: number): boolean => lines[at] === indentOf(at);
  let first = from;
  while (isBlank(first)) first += 1;
  const own = indentOf(first);
  if (own.length <= indent) return from;
  let end = first;
  while (isBlank(end) || lines[end]?.startsWith(own) === true) end += 1;
  return end;
}

interface Region {
  readonly start: number;
  readonly end: number;
}

/** Returns the lines of a key: its own and those of its value, without the blank lines and comments after them. */
function regionOf(inner: string, key: string): Region | 'several' | null {
  const regions: Region[] = [];
  let open: number | null = null;
  let end = 0;
  for (const { start, next, line } of eachLine(inner)) {
    if (/^[ \t]*(?:#|$)/.test(line) && !/^[ \t]+\S/.test(line)) continue;
    const belongs = /^[ \t]|^-(?:[ \t]|$)|^[\]}]/.test(line);
    if (!belongs) {
      if (open !== null) regions.push({ start: open, end });
      open = keyOf(line) === key ? start : null;
    }
    end = next;
  }
  if (open !== null) regions.push({ start: open, end });
  return regions.length > 1 ? 'several' : (regions[0] ?? null);
}

function* eachLine(text: string): Generator<{ start: number; next: number; line: string }> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const next = found === -1 ? text.length : found + 1;
    yield { start, next, line: text.slice(start, next).replace(/\r?\n$/, '') };
    start = next;
  }
}

function keyOf(line: string): string | null {
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')[ \t]*:(?:[ \t]|$)/.exec(line);
  if (quoted !== null) return quoted[1] ?? (quoted[2] ?? '').replace(/''/g, "'");
  return /^([^\s].*?)[ \t]*:(?:[ \t]|$)/.exec(line)?.[1] ?? null;
}

function isUsable(key: string, value: PropertyValue): boolean {
  return isUsableKey(key) && isUsableValue(value);
}

function isUsableKey(key: string): boolean {
  if (key.trim() !== key || key === '' || key === '__proto__' || key.length > maxKeyLength) return false;
  return !/[\r\n]/.test(key) && isWritable(key);
}

function isUsableValue(value: PropertyValue): boolean {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return parts.every((part) => {
    if (typeof part === 'string') return isWritable(part);
    if (typeof part === 'number') return Number.isFinite(part);
    return part === null || part === undefined ? !Array.isArray(value) || part === null : typeof part === 'boolean';
  });
}

function hasValue(record: Readonly<Record<string, unknown>>, key: string, value: PropertyValue): boolean {
  return Object.hasOwn(record, key) && isSame(record[key], value);
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

function unreadable(path: string): Failure {
  return {
    kind: 'refused',
    words: words.writing.propertiesUnreadable(path),
    remedy: words.writing.propertiesUnreadableRemedy,
  };
}

function missing(path: string, key: string): Failure {
  return {
    kind: 'not-found',
    words: words.writing.propertyMissing(key, path),
    remedy: words.writing.propertyMissingRemedy,
  };
}
