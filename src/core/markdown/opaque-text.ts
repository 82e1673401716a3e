/** Finds the parts of Markdown text that are code, quoted, or hidden, and the lines that are the author's own (K17). */
import { propertiesBlockOf } from './properties';
import { linesOf } from './structure';

/** Elements whose lines belong to somebody else, such as a note shown in the tags that it was sent in. */
const openingElement = /^ {0,3}<([A-Za-z][\w-]*)(?=[\s>])[^<>]*>/;
const fenceLine = /^(\s*)(`{3,}|~{3,})(.*)$/s;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
}

/**
 * Returns the lines that the author of the text wrote: those outside fences, code, quotes, formulas, comments, and
 * elements (K17). If in doubt, omits a line.
 */
export function authoredLines(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n]/);
  const own: string[] = [];
  let paragraph: string[] = [];
  let fence: Fence | null = null;
  /** The text that ends the current container, after which lines are the author's again. */
  let until: string | null = null;
  let quoted = false;
  const lastWith = lastLinesWith(lines);
  const endParagraph = (): void => {
    for (const line of linesOutsideCode(paragraph)) own.push(line);
    paragraph = [];
  };
  lines.forEach((line, index) => {
    if (fence !== null) {
      if (closes(fence, line)) fence = null;
      return;
    }
    if (until !== null) {
      if (line.includes(until)) until = null;
      return;
    }
    fence = fenceAt(line);
    if (fence === null) until = containerAt(line, index, lastWith);
    const isQuote = /^\s*(?:[-*+]\s+|\d+[.)]\s+)*>/.test(line);
    if (fence !== null || until !== null || isQuote || line.trim() === '') {
      endParagraph();
      quoted = isQuote;
    } else if (!quoted) {
      // A line right below a quote still belongs to the quote's last paragraph.
      paragraph.push(line);
    }
  });
  endParagraph();
  return own;
}

function fenceAt(line: string): Fence | null {
  const [, indent = '', marks = '', rest = ''] = fenceLine.exec(line) ?? [];
  const mark = marks.charAt(0);
  if (mark === '' || (mark === '`' && rest.includes('`'))) return null;
  return { mark, length: marks.length, indent: indent.length };
}

function closes({ mark, length, indent: opened }: Fence, line: string): boolean {
  const [, indent = '', marks = '', rest = ''] = fenceLine.exec(line) ?? [];
  return marks.startsWith(mark) && marks.length >= length && rest.trim() === '' && indent.length <= Math.max(3, opened);
}

/** Returns the end of the comment, formula, or element that starts on a line and continues below it. */
function containerAt(line: string, index: number, lastWith: (text: string) => number): string | null {
  for (const [start, end] of pairs) {
    const at = line.indexOf(start);
    if (at >= 0 && line.indexOf(end, at + start.length) < 0) return end;
  }
  const name = openingElement.exec(line)?.[1];
  if (name === undefined) return null;
  const end = `</${name}>`;
  return !line.includes(end) && lastWith(end) > index ? end : null;
}

/** Returns a function that finds the last line with a closing tag; -1 without one. */
function lastLinesWith(lines: readonly string[]): (tag: string) => number {
  let last: Map<string, number> | undefined;
  return (tag) => {
    last ??= new Map(
      lines.flatMap((line, index) =>
        [...line.matchAll(/<\/[A-Za-z][\w-]*>/g)].map(([found]) => [found, index] as const),
      ),
    );
    return last.get(tag) ?? -1;
  };
}

const pairs: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['$$', '$$'],
  ['%%', '%%'],
];

/** Returns the lines of a paragraph that do not start inside code from an earlier line. */
function linesOutsideCode(paragraph: readonly string[]): string[] {
  const text = paragraph.join('\n');
  const spans = codeSpans(text);
  let start = 0;
  let span = 0;
  return paragraph.filter((line) => {
    const at = start;
    start += line.length + 1;
    while ((spans[span]?.[1] ?? Infinity) <= at) span += 1;
    return (spans[span]?.[0] ?? Infinity) >= at;
  });
}

/** A run of backticks ends at the next run of the same length; without one, it is plain text. */
function codeSpans(text: string): [number, number][] {
  const spans: [number, number][] = [];
  const runs = /`+/g;
  const endOf = codeSpanEnds(text);
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    const end = endOf(run.index, run[0].length);
    if (end === null) continue;
    spans.push([run.index, end]);
    runs.lastIndex = end;
  }
  return spans;
}

/**
 * Replaces text that cannot contain links or tags with spaces: properties, code, math, and HTML comments. Obsidian
 * indexes what is in its own comments, between `%%`. The result has the same length and the same lines.
 */
export function blankOpaqueText(text: string): string {
  const block = propertiesBlockOf(text);
  const start = block === null || block === 'unclosed' ? 0 : block.bodyStart;
  return hideSpans(hideFences(blank(text.slice(0, start)) + text.slice(start), start));
}

const nestedFenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/s;

/** Blanks fenced code and math, also in lists and quotes; an unclosed fence extends to the end. */
function hideFences(text: string, from: number): string {
  let hidden = '';
  let done = 0;
  let open: { readonly start: number; readonly closes: (line: string) => boolean } | null = null;
  let before: LineKind = 'blank';
  let inList = false;
  for (const { start, end } of linesOf(text)) {
    if (start < from) continue;
    const line = text.slice(start, end);
    if (open !== null) {
      if (!open.closes(line)) continue;
      hidden += text.slice(done, open.start) + blank(text.slice(open.start, end));
      done = end;
      open = null;
      continue;
    }
    before = kindOf(line, before, inList);
    if (before === 'text') inList = listItem.test(line) || (inList && /^\s/.test(line));
    if (before === 'code') {
      hidden += text.slice(done, start) + blank(line);
      done = end;
      continue;
    }
    const closes = closingTestFor(line);
    if (closes !== null) open = { start, closes };
  }
  return open === null
    ? hidden + text.slice(done)
    : hidden + text.slice(done, open.start) + blank(text.slice(open.start));
}

/** Returns a test for the closing line of the fence or formula that a line opens; null if it opens neither. */
function closingTestFor(line: string): ((line: string) => boolean) | null {
  const [, mark = '', info = ''] = nestedFenceLine.exec(line) ?? [];
  const isFence = mark !== '' && !info.includes('\r') && !(mark.startsWith('`') && info.includes('`'));
  if (isFence) return (each) => closesFence(each, mark);
  if (/^[ \t>]*\$\$/.test(line) && !/\$\$.*\$\$/.test(line)) return (each) => each.includes('$$');
  return null;
}

type LineKind = 'blank' | 'code' | 'text';

const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Indented code starts after an empty line, outside lists. */
function kindOf(line: string, before: LineKind, inList: boolean): LineKind {
  if (line.trim() === '') return before === 'code' ? 'code' : 'blank';
  return before !== 'text' && !inList && /^(?: {4}| {0,3}\t)/.test(line) ? 'code' : 'text';
}

function closesFence(line: string, mark: string): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] ?? '';
  return found.charAt(0) === mark.charAt(0) && found.length >= mark.length;
}

/** Blanks code spans, HTML comments, and math, in the order in which they open. */
function hideSpans(text: string): string {
  let hidden = '';
  let done = 0;
  const opening = /`+|<!--|\$\$?|\\[\\`$%[#<!]/g;
  const codeEnd = codeSpanEnds(text);
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [mark] = match;
    const end = mark.startsWith('`') ? codeEnd(match.index, mark.length) : endOfSpan(text, match.index, mark);
    if (end === null) continue;
    hidden += text.slice(done, match.index) + blank(text.slice(match.index, end));
    done = end;
    opening.lastIndex = end;
  }
  return hidden + text.slice(done);
}

/**
 * Returns a function that finds the end of the code span that a run of backticks opens: behind the next run of the same
 * length in the same block; null without one.
 */
function codeSpanEnds(text: string): (start: number, length: number) => number | null {
  const runs = new Map<number, number[]>();
  const blanks: number[] = [];
  for (const { 0: found, index } of text.matchAll(/`+|\n(?=[ \t]*\r?\n)/g)) {
    if (found === '\n') blanks.push(index);
    else if (runs.get(found.length)?.push(index) === undefined) runs.set(found.length, [index]);
  }
  return (start, length) => {
    const next = firstAbove(runs.get(length) ?? [], start);
    const blank = firstAbove(blanks, start);
    return next === undefined || (blank !== undefined && blank < next) ? null : next + length;
  };
}

/** Returns the first of the ascending numbers that is above a limit. */
function firstAbove(sorted: readonly number[], limit: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** Returns null for a mark that opens nothing. */
function endOfSpan(text: string, start: number, mark: string): number | null {
  const from = start + mark.length;
  if (mark.startsWith('\\')) return from;
  if (mark === '<!--') {
    const at = text.indexOf('-->', from);
    return at === -1 ? text.length : at + 3;
  }
  if (mark === '$$') {
    const at = text.indexOf('$$', from);
    return at === -1 ? null : at + 2;
  }
  const inner = /^(?![\s$])(?:\\.|[^$\\\n])*?[^\s$\\]\$(?!\d)/.exec(text.slice(from, from + 1_000));
  return inner === null ? null : from + inner[0].length;
}

function blank(text: string): string {
  // One pass over characters: a pattern takes several times as long for a megabyte, and grows faster than the text.
  const blanks = new Uint8Array(text.length).fill(32);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) blanks[at] = code;
  }
  return new TextDecoder().decode(blanks);
}
