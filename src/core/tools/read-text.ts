/** Read text: the part of a note that fits a budget, under a first line that says what it is and how to get the rest. */
import { words } from '../../text';
import { blockRange, headingRange, type LineRange, structureOf } from '../markdown/structure';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { NoteText } from '../ports/vault';
import { bodyBytes, grouped, headWithin, utf8Length } from './results';

export interface PartAsked {
  readonly heading?: string | undefined;
  readonly block?: string | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  /** One-based, in the first line. */
  readonly startCharacter?: number | undefined;
}

export interface PartRead {
  /** One line, ending in a full stop. */
  readonly head: string;
  /** The text as it stands in the note. */
  readonly body: string;
}

/** Cuts at line ends; a line that alone is too long is cut inside. */
export function readPart(note: NoteText, asked: PartAsked, bytes: number = bodyBytes): Outcome<PartRead> {
  const { path, text } = note;
  const structure = structureOf(text);
  const { lines } = structure;
  // A final line end does not begin another line.
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  if (text === '') return succeed({ head: `${path} is empty.`, body: '' });
  let part: LineRange = { start: 1, end: count };
  if (asked.heading !== undefined && asked.heading.trim() !== '') {
    const found = headingRange(structure, path, asked.heading);
    if (!found.ok) return found;
    part = { start: found.value.start, end: Math.min(found.value.end, count) };
  } else if (asked.block !== undefined && asked.block.trim() !== '') {
    const found = blockRange(text, structure, path, asked.block);
    if (!found.ok) return found;
    part = found.value;
  }
  const start = Math.max(asked.startLine ?? part.start, part.start);
  const end = Math.min(asked.endLine ?? part.end, part.end);
  if (start > count || start > end) {
    const whole = part.start === 1 && part.end === count;
    return fail({
      kind: 'invalid-input',
      words: whole
        ? words.tools.linesMissing(path, grouped(count))
        : words.tools.linesOutsidePart(path, `${part.start}-${part.end}`),
      remedy: words.tools.linesMissingRemedy,
    });
  }
  const firstLine = lines[start - 1] ?? { start: 0, end: 0 };
  const from = Math.min(firstLine.end, firstLine.start + Math.max(0, (asked.startCharacter ?? 1) - 1));
  const last = takeLines(text, lines, start, end, from, bytes);
  if (last === 0) {
    const body = headWithin(text.slice(from, firstLine.end), bytes);
    const next = from + body.length - firstLine.start + 1;
    const length = firstLine.end - firstLine.start;
    return succeed({
      head:
        `${path}, characters ${grouped(next - body.length)}-${grouped(next - 1)} of ${grouped(length)} in line ` +
        `${grouped(start)} of ${grouped(count)}. Read on with startLine ${start}, startCharacter ${next}.`,
      body,
    });
  }
  const body = text.slice(from, lines[last - 1]?.end ?? text.length);
  const all = start === 1 && last === count && from === 0;
  const range = all
    ? `all ${count === 1 ? '1 line' : `${grouped(count)} lines`}`
    : `${start === last ? 'line' : 'lines'} ${start === last ? grouped(start) : `${grouped(start)}-${grouped(last)}`} of ${grouped(count)}`;
  const limit = asked.endLine !== undefined || part.end < count ? `, endLine ${end}` : '';
  const rest = last < end ? ` Read on with startLine ${last + 1}${limit}.` : '';
  return succeed({ head: `${path}, ${range}.${rest}`, body });
}

/** The last line of the range that still fits; zero when not even the first one does. */
function takeLines(
  text: string,
  lines: readonly { readonly start: number; readonly end: number }[],
  start: number,
  end: number,
  from: number,
  bytes: number,
): number {
  let used = 0;
  let last = 0;
  for (let number = start; number <= end; number += 1) {
    const line = lines[number - 1];
    if (line === undefined) break;
    const begin = number === start ? from : line.start;
    if (line.end - begin > bytes) break;
    used += utf8Length(text.slice(begin, line.end)) + 1;
    if (used > bytes) break;
    last = number;
  }
  return last;
}

/** The text of one read: its first line, an empty line, and the note's own text to the end. */
export function formatRead({ head, body }: PartRead): string {
  return body === '' ? head : `${head}\n\n${body}`;
}

/** The note's own text in a read; empty when there is none. */
export function bodyOfRead(text: string): string {
  const gap = text.indexOf('\n\n');
  return gap === -1 ? '' : text.slice(gap + 2);
}
