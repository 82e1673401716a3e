/** Bytes, byte order mark, and line endings of a text. */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';

/** Text decoded from strict UTF-8, with its byte order mark separate from the text. */
export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly mark: boolean;
}

export const byteOrderMark = '\ufeff';

/**
 * Returns text that encodes to exactly the same bytes, or a refusal: a file that is not entirely UTF-8 is never
 * rewritten (F37).
 */
export function decodeText(path: string, bytes: Uint8Array): Outcome<DecodedText> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return succeed(splitMark(text));
  } catch {
    // Refused below, as is text that contains NUL.
  }
  return fail({
    kind: 'not-text',
    words: words.writing.notPlainText(path),
    remedy: words.writing.notPlainTextRemedy,
  });
}

export function encodeText({ text, mark }: DecodedText): Uint8Array {
  return new TextEncoder().encode((mark ? byteOrderMark : '') + text);
}

export function splitMark(text: string): DecodedText {
  const mark = text.startsWith(byteOrderMark);
  return { text: mark ? text.slice(1) : text, mark };
}

const unwritable = /\0|[\ud800-\udfff]/u;

/** Whether a text survives on disk: no lone surrogates, which would become other characters, and no NUL. */
export function isWritable(text: string): boolean {
  return !unwritable.test(text);
}

/** Returns a text without what does not survive on disk, for a text that nobody would want to have refused. */
export function withoutUnwritable(text: string): string {
  return isWritable(text) ? text : text.replace(/[\0\p{Cs}]/gu, '');
}

export type LineEnd = '\n' | '\r\n';

/** Returns the first line ending at or after an offset, else the last one before it, else a plain newline. */
export function lineEndAt(text: string, offset: number): LineEnd {
  const after = text.indexOf('\n', offset);
  const at = after === -1 ? text.lastIndexOf('\n', offset) : after;
  return at > 0 && text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
}

/** Returns the last line of a text, with its line ending. */
export function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
}

export function withLineEnd(text: string, lineEnd: LineEnd): string {
  const plain = text.replace(/\r\n/g, '\n');
  return lineEnd === '\n' ? plain : plain.replace(/\n/g, '\r\n');
}

/** Returns the line ending of a text in which all are alike; null if they differ or there is none. */
export function onlyLineEnd(text: string): LineEnd | null {
  let found: LineEnd | null = null;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const lineEnd = at > 0 && text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
    if (found !== null && found !== lineEnd) return null;
    found = lineEnd;
  }
  return found;
}

/** Whether two texts are the same apart from their line endings. */
export function isSameText(one: string, other: string): boolean {
  return one === other || withLineEnd(one, '\n') === withLineEnd(other, '\n');
}

/** A text with plain newlines, and a mapping from its offsets to those of the original. */
export interface PlainLines {
  readonly text: string;
  original(offset: number): number;
}

export function plainLines(text: string): PlainLines {
  const dropped: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) dropped.push(at - dropped.length);
  return {
    text: dropped.length === 0 ? text : text.replace(/\r\n/g, '\n'),
    original: (offset) => offset + countBelow(dropped, offset),
  };
}

/** Returns how many of the sorted numbers are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One-based. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
