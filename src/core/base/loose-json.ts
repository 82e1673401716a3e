/**
 * Reads JSON as models write it: with trailing commas, curly or single quotation marks, bare keys, words of Python, and
 * line ends in strings. What is valid JSON reads as `JSON.parse` reads it.
 */

export type LooseJson =
  | { readonly ok: true; readonly value: unknown; readonly end: number }
  /** Nothing before `at` needs to be read again; `isCut` if the text ended inside the value. */
  | { readonly ok: false; readonly at: number; readonly isCut: boolean };

/** Deeper values are refused, since no tool takes them. */
const maxDepth = 64;

/** Reads the value that starts at `start`. Linear in the length of the value; never throws. */
export function readLooseJson(text: string, start = 0): LooseJson {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    return { ok: true, value, end: reader.at };
  } catch (thrown) {
    if (thrown !== stopped) throw thrown;
    return { ok: false, at: reader.at, isCut: reader.at >= text.length && !reader.hasLooseEnd };
  }
}

/** Thrown inside this file alone, to leave nested values. */
const stopped = new Error('The text is not a value.');

const blanks = /[\s\ufeff]*/y;
const numbers = /[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const names = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const plain = /[^"'“”„‘’‚\\]+/y;
const afterKey = /[\s\ufeff]*(?::|$)/y;
const afterValue = /[\s\ufeff]*(?:[,}\]]|$)/y;

/** The characters that close a string, by the one that opens it. */
const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”“',
  '”': '”“',
  '„': '“”',
  '‘': '’‘',
  '’': '’‘',
  '‚': '‘’',
};

const literals = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
]);

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  /** Whether a string that does not end has a quotation mark after which something is missing. */
  hasLooseEnd = false;

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): unknown {
    this.take(blanks);
    const next = this.peek();
    if (depth > maxDepth) throw stopped;
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (Object.hasOwn(closers, next)) return this.string(next, afterValue);
    const number = this.take(numbers);
    if (number !== '') return Number(number);
    const start = this.at;
    const word = this.take(names);
    if (literals.has(word)) return literals.get(word);
    if (this.at < this.text.length) this.at = start;
    throw stopped;
  }

  private object(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    this.list('}', () => {
      const key = this.key();
      this.expect(':');
      members.push([key, this.value(depth + 1)]);
    });
    return Object.fromEntries(members);
  }

  private array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.list(']', () => void items.push(this.value(depth + 1)));
    return items;
  }

  /** Reads what is between brackets, commas between the items and maybe one after the last. */
  private list(end: string, item: () => void): void {
    this.at += 1;
    for (;;) {
      this.take(blanks);
      if (this.peek() === end) break;
      item();
      this.take(blanks);
      if (this.peek() === end) break;
      this.expect(',');
    }
    this.at += 1;
  }

  private key(): string {
    const next = this.peek();
    if (Object.hasOwn(closers, next)) return this.string(next, afterKey);
    const name = this.take(names);
    if (name === '') throw stopped;
    return name;
  }

  /**
   * Reads a string. A quotation mark ends it only where what must come after a string follows, so that one that the
   * model forgot to escape is part of it.
   */
  private string(opener: string, follows: RegExp): string {
    const ends = closers[opener] ?? '';
    let written = '';
    let isOpen = true;
    this.at += 1;
    for (;;) {
      written += this.take(plain);
      const next = this.peek();
      if (next === '') {
        this.hasLooseEnd = !isOpen;
        throw stopped;
      }
      this.at += 1;
      if (next === '\\') written += this.escaped();
      else if (ends.includes(next)) {
        if (this.isAt(follows)) return written;
        isOpen = false;
        written += next;
      } else written += next;
    }
  }

  /** Keeps the backslash of an escape that JSON does not have. */
  private escaped(): string {
    const next = this.peek();
    if (next === '') throw stopped;
    this.at += 1;
    if (next !== 'u') return escapes[next] ?? (next === '\n' ? '\n' : `\\${next}`);
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return '\\u';
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private expect(sign: string): void {
    this.take(blanks);
    if (this.peek() !== sign) throw stopped;
    this.at += 1;
  }

  private peek(): string {
    return this.text.charAt(this.at);
  }

  private isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  /** Takes what a sticky pattern matches here; empty if it matches nothing. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.text)?.[0] ?? '';
    this.at += taken.length;
    return taken;
  }
}
