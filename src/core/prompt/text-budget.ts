/** Text budgets: how much of a window a listing may take, and the measuring of text against it while it is made. */
import { write } from './markup';

/**
 * Bytes that a token of names, paths and headings has at least, on the average of a listing. Prose has more than four;
 * dates, marks and short names pull it down.
 */
const bytesPerToken = 3;

/** Bytes for a share of the window, and never more than a number of tokens. */
export function bytesFor(window: number, share: number, mostTokens: number): number {
  return Math.floor(Math.min(window * share, mostTokens)) * bytesPerToken;
}

/** Bytes of UTF-8 that a text takes once it is written as markup. */
export function writtenBytes(text: string): number {
  return byteLength(write([text]).text);
}

export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair stands for two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

/** Takes texts until the budget is used up. */
export class Meter {
  constructor(private left: number) {}

  /** False, for good, once a text did not fit with the line end after it. */
  take(text: string): boolean {
    this.left -= writtenBytes(text) + 1;
    return this.left >= 0;
  }

  hasRoom(bytes: number): boolean {
    return bytes <= this.left;
  }
}
