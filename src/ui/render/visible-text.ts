/** Shows characters that are invisible, or that reorder a line, as codes. */
import { startOf } from '../../core/base/cut';
import type { WordPart } from '../../core/writing/changeset/diff';

/** Control, format, and tag characters, line separators, lone surrogates, and letters without a shape. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u;
const UNSEEN_GLOBAL = new RegExp(UNSEEN.source, 'gu');

export function hasUnseenCharacters(text: string): boolean {
  return UNSEEN.test(text);
}

export function showUnseenCharacters(text: string): string {
  return text.replace(UNSEEN_GLOBAL, (character) => `{U+${codeOf(character)}}`);
}

/** Cuts the text to a length, and appends the number of characters that were left out. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${startOf(text, limit)}… (+${text.length - limit})`;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

export interface TextSegment {
  /** `unseen` is an invisible character as its code; `target` is where a link leads. */
  readonly kind: 'plain' | 'unseen' | 'target' | 'line-end';
  readonly text: string;
}

export interface MarkedPart {
  readonly kind: WordPart['kind'];
  readonly segments: readonly TextSegment[];
}

/** A joiner inside an emoji, or between letters of a script that uses joiners, is not suspicious. */
const joined =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)+|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}][\u200c\u200d](?=[\p{L}\p{M}])/u
    .source;
const tokens = new RegExp(`(${joined}|\\t)|(\\r?\\n)|(${UNSEEN.source})`, 'gu');

/** What follows `[[`, `](`, or `]:`, and bare addresses. */
const targets =
  /(\[\[)([^\]|\n]+)|(\]\()([^)\s]+)|^(\s*\[[^\]\n]+\]:\s*)(\S+)|()((?:https?|[a-z][a-z0-9+.-]{1,30}):\/\/[^\s)\]>"'`|]+)/gi;

/** Marks the parts of one line together, since a link may span several. */
export function markParts(parts: readonly WordPart[]): MarkedPart[] {
  const line = parts.map(({ text }) => text).join('');
  const ranges = targetsIn(line);
  let at = 0;
  let next = 0;
  return parts.map(({ kind, text }) => {
    const segments: TextSegment[] = [];
    const end = at + text.length;
    while (at < end) {
      while ((ranges[next]?.end ?? Infinity) <= at) next += 1;
      const range = ranges[next];
      const isTarget = range !== undefined && range.start <= at;
      const stop = Math.min(end, range === undefined ? end : isTarget ? range.end : range.start);
      segments.push(...segmentsOf(line.slice(at, stop), isTarget ? 'target' : 'plain'));
      at = stop;
    }
    return { kind, segments };
  });
}

/** Marks what a reader has to see in a line: invisible characters, and where links lead. */
export function markText(text: string): readonly TextSegment[] {
  return markParts([{ kind: 'same', text }])[0]?.segments ?? [];
}

function targetsIn(line: string): { readonly start: number; readonly end: number }[] {
  return [...line.matchAll(targets)].map((match) => {
    const [whole] = match;
    const opening = match[1] ?? match[3] ?? match[5] ?? '';
    return { start: match.index + opening.length, end: match.index + whole.length };
  });
}

function segmentsOf(text: string, kind: 'plain' | 'target'): TextSegment[] {
  const segments: TextSegment[] = [];
  const add = (from: number, to: number): void => {
    if (to > from) segments.push({ kind, text: text.slice(from, to) });
  };
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    const [token, plain, lineEnd] = match;
    if (plain !== undefined) continue;
    add(at, match.index);
    segments.push(
      lineEnd === undefined ? { kind: 'unseen', text: showUnseenCharacters(token) } : { kind: 'line-end', text: token },
    );
    at = match.index + token.length;
  }
  add(at, text.length);
  return segments;
}
