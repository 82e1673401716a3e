/** Results of tools as models read them: their budget, what a write tells, a call that was stopped. */
import { words } from '../../text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { NoteWrites } from '../writing/stage/note-writes';
import type { StagedWrite } from '../writing/stage/staged-base';
import type { ToolContext, ToolResult } from './tool';

// Result budget: how much a tool result may hold, and how lists and numbers are written in one.

/** Tokens of one result, at four bytes of UTF-8 a token. */
export const resultTokens = 8_000;
export const resultBytes = resultTokens * 4;
/** Bytes kept for the line that says what was cut. */
const noticeBytes = 400;
export const bodyBytes = resultBytes - noticeBytes;

/** Larger files are not read into a result. */
export const readableBytes = 10_000_000;

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair counts two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

/** The longest start of a text that fits in so many bytes, never half a character. */
export function headWithin(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += utf8Length(character);
    if (used > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** How many of the rows, from the first on, fit in so many bytes with their line ends. */
export function rowsWithin(rows: readonly string[], bytes: number): number {
  let used = 0;
  let count = 0;
  for (const row of rows) {
    used += utf8Length(row) + 1;
    if (used > bytes) break;
    count += 1;
  }
  return count;
}

/** A whole number with commas between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 note", "2 notes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

export interface Page {
  readonly rows: readonly string[];
  /** One-based number of the row to go on with, when not all rows are shown. */
  readonly next?: number;
}

/** The rows from a one-based number on that fit a limit and the budget; at least one. */
export function pageOf(rows: readonly string[], startAt: number, limit: number, bytes: number = bodyBytes): Page {
  const from = rows.slice(startAt - 1, startAt - 1 + limit);
  const shown = from.slice(0, Math.max(1, rowsWithin(from, bytes))).map((row) => headWithin(row, bytes));
  const next = startAt + shown.length;
  return next <= rows.length ? { rows: shown, next } : { rows: shown };
}

// What a write tells the model: what becomes of it, and the lines as they now stand, so that it need not read again.

/** Characters of a write that are told back. */
const maxEchoLength = 1_200;

/** The writes of this call, or why there are none. */
export function requireWrites({ writes }: ToolContext): Outcome<NoteWrites> {
  return writes === undefined
    ? fail({ kind: 'refused', words: words.writing.noWrites, remedy: words.writing.deniedRemedy })
    : succeed(writes);
}

/** Makes a file and tells of it without its text, which the model has just written. */
export async function describeCreated(writes: NoteWrites, path: string, text: string): Promise<Outcome<ToolResult>> {
  const made = await writes.create(path, text);
  if (!made.ok) return made;
  const { path: place } = made.value;
  return succeed({ text: `${place}: ${writes.outlook(made.value)}`, sources: [{ path: place }] });
}

/** Carries a write out and tells of it. */
export async function describeWrite(
  place: ToolContext,
  write: (writes: NoteWrites) => Promise<Outcome<StagedWrite>>,
): Promise<Outcome<ToolResult>> {
  const writes = requireWrites(place);
  if (!writes.ok) return writes;
  const written = await write(writes.value);
  if (!written.ok) return written;
  const { path, lines, startLine } = written.value;
  const outlook = writes.value.outlook(written.value);
  const echo = lines.length > maxEchoLength ? `${lines.slice(0, maxEchoLength)}…` : lines;
  const text = echo === '' ? `${path}: ${outlook}` : `${path}: ${outlook} From line ${startLine} it reads:\n\n${echo}`;
  return succeed({ text, sources: [{ path }] });
}

/** The failure of a call that the user stopped. */
export function callStopped(): Failure {
  return { kind: 'aborted', words: words.failures.aborted, remedy: words.failures.abortedRemedy };
}
