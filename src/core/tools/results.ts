/** Tool results as sent to the model: their budget, the reports of writes, and stopped calls. */
import { words } from '../../text';
import { byteLength, headWithin, startWithEllipsis } from '../base/cut';
import { cutToTokens, tokensByRule } from '../markup/budget';
import { nameOnLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { NoteWrites } from '../writing/stage/note-writes';
import type { StagedWrite } from '../writing/stage/staged-base';
import type { ToolContext, ToolResult } from './tool';

// Result budget: the maximum size of a tool result, and how lists and numbers are written in one.

/** Maximum tokens of one result, at four bytes of UTF-8 per token. */
export const resultTokens = 8_000;
const bytesPerToken = 4;
export const resultBytes = resultTokens * bytesPerToken;
/** Bytes reserved for the line that says what was cut. */
const noticeBytes = 400;
export const bodyBytes = resultBytes - noticeBytes;
/** Of a short result, the share for that line. */
const noticeShare = 0.3;

/** Returns how many bytes a result may have in this turn; a longer one loses its middle. */
export function wholeBytesFor({ outputs }: Pick<ToolContext, 'outputs'>): number {
  return Math.min(resultBytes, (outputs?.tokens ?? resultTokens) * bytesPerToken);
}

/** Returns the same without the line that says what was cut, so that the tool cuts the result where it can be read on. */
export function bytesFor(place: Pick<ToolContext, 'outputs'>): number {
  const bytes = wholeBytesFor(place);
  return bytes - Math.min(noticeBytes, Math.ceil(bytes * noticeShare));
}

/** Returns the same for lines that are chosen because they match. */
export function matchingBytesFor(place: Pick<ToolContext, 'outputs'>): number {
  const bytes = Math.min(wholeBytesFor(place), (place.outputs?.matching?.tokens ?? Infinity) * bytesPerToken);
  return bytes - Math.min(noticeBytes, Math.ceil(bytes * noticeShare));
}

/** Bytes; larger files are not read into a result. */
export const readableBytes = 10_000_000;

/** Returns how many rows, from the first one, fit in a number of bytes including line ends. */
function rowsWithin(rows: readonly string[], bytes: number): number {
  let used = 0;
  let count = 0;
  for (const row of rows) {
    used += byteLength(row) + 1;
    if (used > bytes) break;
    count += 1;
  }
  return count;
}

/** Returns the beginning of a text that is in a note, as far as it fits a result; says where all of it is if it is cut. */
export function beginningOf(text: string, path: string): string {
  const notice = `\n[Cut here: ${toolNames.readNote} returns all of ${nameOnLine(path)}.]`;
  const whole = cutToTokens(text, resultTokens);
  return whole.cut ? cutToTokens(text, resultTokens - tokensByRule(notice)).text + notice : whole.text;
}

/** Formats a whole number with commas between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun: "1 note", "2 notes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

export interface Page {
  readonly rows: readonly string[];
  /** One-based number of the next row; undefined if all rows are shown. */
  readonly next?: number;
}

/** Returns the rows from a one-based number that fit a limit and the budget; at least one row. */
export function pageOf(rows: readonly string[], startAt: number, limit: number, bytes: number = bodyBytes): Page {
  const from = rows.slice(startAt - 1, startAt - 1 + limit);
  const shown = from.slice(0, Math.max(1, rowsWithin(from, bytes))).map((row) => headWithin(row, bytes));
  const next = startAt + shown.length;
  return next <= rows.length ? { rows: shown, next } : { rows: shown };
}

/** Says of how many notes Obsidian does not know yet what was asked for; empty for none. */
export function formatUnindexed(count: number): string {
  return count === 0 ? '' : ` Obsidian has not indexed ${counted(count, 'note')} yet. Search again later.`;
}

/** Says which rows a page shows, and how to continue. */
export function formatRange(startAt: number, { rows, next }: Page, noun = ''): string {
  if (next === undefined && startAt === 1) return 'all shown.';
  if (rows.length === 0) return `nothing from ${startAt} on.`;
  const range = `${noun}${startAt}-${startAt + rows.length - 1} shown.`;
  return next === undefined ? range : `${range} Continue with startAt ${next}.`;
}

// Reports of writes: what happens to them, and the new lines, so that the model need not read the note again.

/** Characters of the new lines that a report quotes. */
const maxEchoLength = 1_200;

/** Returns the writes of this call, or why there are none. */
export function requireWrites({ writes }: ToolContext): Outcome<NoteWrites> {
  return writes === undefined
    ? fail({ kind: 'refused', words: words.writing.noWrites, remedy: words.writing.deniedRemedy })
    : succeed(writes);
}

/** Creates a file and reports it without its text, which the model has just written. */
export async function describeCreated(writes: NoteWrites, path: string, text: string): Promise<Outcome<ToolResult>> {
  const made = await writes.create(path, text);
  if (!made.ok) return made;
  const { path: place } = made.value;
  return succeed({ text: `${place}: ${writes.outlook(made.value)}`, sources: [{ path: place }] });
}

/** Runs a write and reports it with the lines that it changed. */
export async function describeWrite(
  place: ToolContext,
  write: (writes: NoteWrites) => Promise<Outcome<StagedWrite>>,
): Promise<Outcome<ToolResult>> {
  const writes = requireWrites(place);
  if (!writes.ok) return writes;
  const written = await write(writes.value);
  if (!written.ok) return written;
  const { path, lines, startLine } = written.value;
  const head = `${nameOnLine(path)}: ${writes.value.outlook(written.value)}`;
  const echo = startWithEllipsis(lines, maxEchoLength);
  const text = echo === '' ? head : `${head} From line ${startLine} it now reads:\n\n${echo}`;
  return succeed({ text, sources: [{ path }] });
}

/** Returns the failure of a call that the user stopped. */
export function callStopped(): Failure {
  return { kind: 'aborted', words: words.failures.aborted, remedy: words.failures.abortedRemedy };
}
