/** Result budget: how much a tool result may hold, and how lists and numbers are written in one. */

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
