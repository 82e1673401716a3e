/** Finds passages of notes in the JSON that carries them, whatever case, spaces and escapes it has. */

export interface PassagePart {
  readonly text: string;
  /** Whether a note says it. */
  readonly isCarried: boolean;
}

/** One character as it is compared, and where it stands in the JSON. */
interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const pieces = /\\u[0-9a-f]{4}|\\.|[^]/gi;
const escapes: Readonly<Record<string, string>> = { '\\n': ' ', '\\r': ' ', '\\t': ' ', '\\f': ' ', '\\b': '\b' };

/** @param passages in small letters, with one space for any run of them */
export function markPassages(json: string, passages: readonly string[]): PassagePart[] {
  const folded = fold(json);
  const ranges = passages.flatMap((passage) => findAll(folded, passage)).sort((one, other) => one.start - other.start);
  const parts: PassagePart[] = [];
  let at = 0;
  const add = (end: number, isCarried: boolean): void => {
    if (end > at) parts.push({ text: json.slice(at, end), isCarried });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges) {
    add(start, false);
    add(end, true);
  }
  add(json.length, false);
  return parts;
}

function findAll({ text, starts, ends }: Folded, passage: string): { readonly start: number; readonly end: number }[] {
  const wanted = fold(JSON.stringify(passage).slice(1, -1)).text.trim();
  const found = [];
  for (let at = wanted === '' ? -1 : text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? 0 });
  }
  return found;
}

function fold(json: string): Folded {
  const [starts, ends]: [number[], number[]] = [[], []];
  let text = '';
  for (const { 0: piece, index } of json.matchAll(pieces)) {
    const plain = plainOf(piece);
    const end = index + piece.length;
    const folded = /[\s+]/.test(plain) ? ' ' : plain.toLowerCase();
    if (folded === ' ' && text.endsWith(' ')) {
      ends[ends.length - 1] = end;
      continue;
    }
    text += folded;
    for (let count = 0; count < folded.length; count += 1) {
      starts.push(index);
      ends.push(end);
    }
  }
  return { text, starts, ends };
}

function plainOf(piece: string): string {
  if (piece.length === 6) return String.fromCharCode(parseInt(piece.slice(2), 16));
  return piece.length === 1 ? piece : (escapes[piece] ?? piece.slice(1));
}
