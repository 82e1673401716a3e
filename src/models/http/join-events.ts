/**
 * Joins the pieces of text that arrive at once. A fast model sends some ten events in one chunk of bytes, and each costs
 * the libraries many times what its few characters do.
 *
 * Events are split here and not by `eventsource-parser`, which reports what events say and not where they are. What
 * is not joined must go on byte for byte: comments, ids, other line endings, and an event that is cut off. Splitting
 * takes the same time either way, a twentieth of what reading the JSON takes.
 */
import { concatBytes } from '@noble/hashes/utils.js';
import type { WireFormat } from '../providers/provider';
import { isRecord, parseJson } from './wire-format';

/** Returns the same bytes, or fewer that say the same. */
export type JoinEvents = (bytes: Uint8Array) => Uint8Array;

/** Where an event has a piece of text. */
interface Piece {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** The texts of a delta. */
const texts = ['content', 'reasoning_content', 'reasoning'];

/** Returns null for an event that says anything else. */
function findPiece({ choices, usage, error }: Record<string, unknown>): Piece | null {
  const [choice, more] = Array.isArray(choices) ? (choices as unknown[]) : [];
  if (!isRecord(choice) || [more, usage, error, choice.finish_reason].some(isSaid)) return null;
  const { delta } = choice;
  if (!isRecord(delta)) return null;
  const said = Object.keys(delta).filter((key) => key !== 'role' && isSaid(delta[key]));
  const [key = ''] = said;
  return said.length === 1 && texts.includes(key) && typeof delta[key] === 'string' ? { holder: delta, key } : null;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/**
 * Returns what joins the events of one response; undefined for the formats that are read without a library. Only whole
 * events are joined, and only those that differ in nothing but their text, so that no byte waits for others.
 */
export function joinerFor(format: WireFormat): JoinEvents | undefined {
  if (format !== 'openai-compatible') return undefined;
  let isAtStart = true;
  const quieten = quietener();
  return (chunk) => {
    const bytes = quieten(chunk);
    const [length, isWhole] = [bytes.length, isAtStart];
    if (length === 0) return bytes;
    isAtStart = length > 1 && bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed;
    return isWhole && isAtStart ? joinWhole(bytes) : bytes;
  };
}

const lineFeed = 10;

/** Data that says nothing, as signs of life may have, and a last word with blanks around it. */
const emptyLine = /^data:(?! ?\[DONE\]\r?$)[ \t\r]*(?:\[DONE\][ \t\r]*)?$/;
/** What such a line may begin with. */
const emptyStart = /^d(?:a(?:t(?:a(?::[ \t\r]*(?:\[[DONE]*\]?[ \t\r]*)?)?)?)?)?$/;
/** In bytes; longer lines say something. */
const maxEmpty = 64;
const colon = 58;

/**
 * Returns what makes comments of lines whose data says nothing: the library reads it as JSON, and ends the answer. The
 * start of such a line at the end of a chunk waits for the rest, without which it is no event.
 */
function quietener(): JoinEvents {
  let held = new Uint8Array();
  let isAtLineStart = true;
  return (chunk) => {
    const bytes = held.length === 0 ? chunk : concatBytes(held, chunk);
    held = new Uint8Array();
    let quiet = bytes;
    let start = isAtLineStart ? 0 : bytes.indexOf(lineFeed) + 1;
    if (start === 0 && !isAtLineStart) return bytes;
    for (let end = bytes.indexOf(lineFeed, start); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (end - start <= maxEmpty && emptyLine.test(lineOf(bytes, start, end))) {
        if (quiet === bytes) quiet = bytes.slice();
        quiet[start] = colon;
      }
      start = end + 1;
    }
    isAtLineStart = start === bytes.length;
    if (isAtLineStart || bytes.length - start > maxEmpty) return quiet;
    if (!emptyStart.test(lineOf(bytes, start, bytes.length))) return quiet;
    held = bytes.slice(start);
    isAtLineStart = true;
    return quiet.subarray(0, start);
  };
}

function lineOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function joinWhole(bytes: Uint8Array): Uint8Array {
  const text = decode(bytes);
  const events = text?.split('\n\n').slice(0, -1) ?? [];
  if (events.length < 2) return bytes;
  const joined: string[] = [];
  let last: ReadEvent | null = null;
  for (const event of events) {
    const read = readEvent(event);
    if (read !== null && last !== null && read.rest === last.rest) last.pieces.push(...read.pieces);
    else {
      if (last !== null) joined[joined.length - 1] = write(last);
      joined.push(event);
      last = read;
    }
  }
  if (last !== null) joined[joined.length - 1] = write(last);
  return joined.length === events.length ? bytes : new TextEncoder().encode(`${joined.join('\n\n')}\n\n`);
}

interface ReadEvent {
  readonly event: string;
  /** All of the event but its text. */
  readonly rest: string;
  readonly pieces: string[];
  readonly write: (text: string) => string;
}

function write({ event, pieces, write: writeText }: ReadEvent): string {
  return pieces.length === 1 ? event : writeText(pieces.join(''));
}

/** Returns null for an event without a piece of text, and for one that is framed in an unusual way. */
function readEvent(event: string): ReadEvent | null {
  const start = event.startsWith('data: ') ? 0 : event.indexOf('\ndata: ') + 1;
  const data = event.slice(start + 'data: '.length);
  if (!event.startsWith('data: ', start) || /[\r\n]/.test(data) || event.includes('\r')) return null;
  const value = parseJson(data);
  const piece = isRecord(value) ? findPiece(value) : null;
  if (piece === null) return null;
  const { holder, key } = piece;
  const text = holder[key] as string;
  const head = event.slice(0, start);
  const writeText = (all: string): string => {
    holder[key] = all;
    return `${head}data: ${JSON.stringify(value)}`;
  };
  try {
    return { event, rest: writeText(''), pieces: [text], write: writeText };
  } catch {
    // JSON can be nested too deep to be written again.
    return null;
  }
}

/** Returns null for bytes that are no text. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
