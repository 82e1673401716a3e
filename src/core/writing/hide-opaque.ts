/** Hides what holds no links or tags: properties, code, math and comments become spaces, line by line, offset by offset. */
import { linesOf } from '../search/passages';
import { propertiesBlockOf } from './frontmatter';

/** As long as the text, with the same lines. */
export function hideOpaque(text: string): string {
  const block = propertiesBlockOf(text);
  const start = block === null || block === 'unclosed' ? 0 : block.bodyStart;
  return hideSpans(hideFences(blank(text.slice(0, start)) + text.slice(start), start));
}

const fenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\r\n]*)$/;

/** Fenced code and math, also within lists and quotes; an open fence reaches to the end. */
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
    const [, mark = '', info = ''] = fenceLine.exec(line) ?? [];
    if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      open = { start, closes: (each) => closesFence(each, mark) };
    } else if (/^[ \t>]*\$\$/.test(line) && !/\$\$.*\$\$/.test(line)) {
      open = { start, closes: (each) => each.includes('$$') };
    }
  }
  return open === null
    ? hidden + text.slice(done)
    : hidden + text.slice(done, open.start) + blank(text.slice(open.start));
}

type LineKind = 'blank' | 'code' | 'text';

const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Indented code starts behind an empty line, outside lists. */
function kindOf(line: string, before: LineKind, inList: boolean): LineKind {
  if (line.trim() === '') return before === 'code' ? 'code' : 'blank';
  return before !== 'text' && !inList && /^(?: {4}| {0,3}\t)/.test(line) ? 'code' : 'text';
}

function closesFence(line: string, mark: string): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] ?? '';
  return found.charAt(0) === mark.charAt(0) && found.length >= mark.length;
}

/** One after another, whichever opens first: code spans, comments of both kinds, math. */
function hideSpans(text: string): string {
  let hidden = '';
  let done = 0;
  const opening = /`+|%%|<!--|\$\$?|\\[\\`$%[#<!]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [mark] = match;
    const end = endOfSpan(text, match.index, mark);
    if (end === null) continue;
    hidden += text.slice(done, match.index) + blank(text.slice(match.index, end));
    done = end;
    opening.lastIndex = end;
  }
  return hidden + text.slice(done);
}

/** Null for a sign that opens nothing. */
function endOfSpan(text: string, start: number, mark: string): number | null {
  const from = start + mark.length;
  if (mark.startsWith('\\')) return from;
  if (mark === '%%' || mark === '<!--') {
    const closing = mark === '%%' ? mark : '-->';
    const at = text.indexOf(closing, from);
    return at === -1 ? text.length : at + closing.length;
  }
  if (mark.startsWith('`')) {
    const run = new RegExp(`(^|[^\`])(\`{${mark.length}})(?!\`)`, 'g');
    run.lastIndex = from;
    const found = run.exec(text);
    const end = found === null ? -1 : found.index + found[0].length;
    return end === -1 || /\n[ \t]*\r?\n/.test(text.slice(from, end)) ? null : end;
  }
  if (mark === '$$') {
    const at = text.indexOf('$$', from);
    return at === -1 ? null : at + 2;
  }
  const inner = /^(?![\s$])(?:\\.|[^$\\\n])*?[^\s$\\]\$(?!\d)/.exec(text.slice(from, from + 1_000));
  return inner === null ? null : from + inner[0].length;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
