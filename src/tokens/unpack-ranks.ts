/** Unpacks the ranks of an encoding into a table: each token is the joined bytes of two earlier tokens. */

/** PackedRanks: an encoding as the build packs it (scripts/build/pack-ranks.mjs), and Ranks, its unpacked form. */
export interface PackedRanks {
  /** The regular expression that splits text into pieces, which are merged one by one. */
  readonly pattern: string;
  /** The number of tokens. */
  readonly tokens: number;
  /** The tokens in the digits of a range coder. */
  readonly digits: string;
}

export interface Ranks {
  readonly pattern: string;
  /** A lower rank is merged earlier. */
  readonly table: RankTable;
}

const singleBytes = 256;

/** Tokens between two yields: about two milliseconds. */
const tokensAtOnce = 4_096;

/** Unpacks the ranks. Yields so that other work can run. */
export function* unpackRanks({ pattern, tokens, digits }: PackedRanks): Generator<void, Ranks> {
  const decoder = new TokenDecoder(digits, tokens);
  const table = new RankTable(tokens);
  for (let rank = 0; rank < tokens; rank += 1) {
    if (rank < singleBytes) table.addByte(decoder.readByte());
    else table.addPair(decoder.readFirst(), decoder.readSecond());
    if (rank % tokensAtOnce === 0) yield;
  }
  return { pattern, table };
}

/** Where the probability trees of each kind of number start, as in the packer. */
const contexts = { firstLength: 0, first: 32, firstByte: 64, byte: 320, group: 1024 } as const;
/** Contexts of one group: one for each bit length. */
const groupContexts = 32;

/**
 * TokenDecoder: reads tokens as the packer writes them. The first half of a pair is a number; the second is a place
 * among the tokens that begin with the same byte, and that byte depends on the end of the first half.
 */
class TokenDecoder {
  private readonly decoder: RangeDecoder;
  private readonly firstBytes: Uint8Array;
  /** The last byte of each token that starts a character. */
  private readonly ends: Uint8Array;
  /** The tokens by their first byte. */
  private readonly groups = Array.from({ length: singleBytes }, (): number[] => []);
  private size = 0;
  private first = 0;

  constructor(digits: string, tokens: number) {
    this.decoder = new RangeDecoder(digits);
    this.firstBytes = new Uint8Array(tokens);
    this.ends = new Uint8Array(tokens);
  }

  readByte(): number {
    const byte = this.decoder.readTree(contexts.byte, 8);
    this.add(byte, byte);
    return byte;
  }

  readFirst(): number {
    this.first = this.decoder.readNumber(contexts.firstLength + bitLength(this.size), contexts.first);
    return this.first;
  }

  readSecond(): number {
    const { first, ends } = this;
    const end = ends[first] ?? 0;
    const byte = this.decoder.readTree(contexts.firstByte + end, 8);
    const group = contexts.group + byte * groupContexts;
    const second = this.groups[byte]?.[this.decoder.readNumber(group, group)] ?? 0;
    const secondEnd = ends[second] ?? 0;
    this.add(this.firstBytes[first] ?? 0, isContinuation(secondEnd) ? end : secondEnd);
    return second;
  }

  private add(firstByte: number, end: number): void {
    this.groups[firstByte]?.push(this.size);
    this.firstBytes[this.size] = firstByte;
    this.ends[this.size] = end;
    this.size += 1;
  }
}

/** Whether a byte is inside a character of UTF-8. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

const digitBits = 7;
const radix = 1 << digitBits;
const maxRange = radix ** 4;
const minRange = radix ** 3;

/**
 * The bits of each character by its code, of printable ASCII without the space and what a string literal escapes: the
 * first characters are six bits each, the others seven.
 */
const characters = 91;
const shortCodes = 2 * 64 - characters;
const values = new Uint8Array(128);
const lengths = new Uint8Array(128);
for (let index = 0, code = 0x21; index < characters; code += 1) {
  if (`"'\\`.includes(String.fromCharCode(code))) continue;
  lengths[code] = index < shortCodes ? 6 : 7;
  values[code] = index < shortCodes ? index : index + shortCodes;
  index += 1;
}

/** Probabilities are 65536ths; trees share one table, in which they start at places that a hash spreads. */
const evenOdds = 32_768;
const certainty = 65_535;
const mask = 2 ** 18 - 1;
/** A probability moves by the distance divided by the bits that it has seen and four, up to 130: in 8192ths. */
const maxSeen = 126;
const rateBits = 13;
const rates = Uint16Array.from({ length: maxSeen + 1 }, (_, seen) => Math.round(2 ** rateBits / (seen + 4)));

/** Bits of a number's bit length, and the bits after its first one that have probabilities of their own. */
const lengthBits = 5;
const headBits = 6;

/**
 * RangeDecoder: reads numbers from digits written by the build's range coder, with probabilities that adapt while it
 * reads.
 */
class RangeDecoder {
  private readonly odds = new Uint16Array(mask + 1).fill(evenOdds);
  private readonly seen = new Uint8Array(mask + 1);
  private range = maxRange;
  private code = 0;
  private at = 0;
  /** Bits that were read and are in no digit yet, and their number. */
  private held = 0;
  private bits = 0;

  constructor(private readonly digits: string) {
    for (let digit = 0; digit < 4; digit += 1) this.code = this.code * radix + this.nextDigit();
  }

  /** Returns the next number; the contexts of its length and of its bits are those with which it was written. */
  readNumber(lengthContext: number, context: number): number {
    const length = this.readTree(lengthContext, lengthBits);
    if (length < 2) return length;
    const modelled = Math.min(headBits, length - 1);
    const head = this.readTree(context + length, modelled);
    const rest = length - 1 - modelled;
    return (1 << (length - 1)) | (head << rest) | this.readPlain(rest);
  }

  /** Reads bits, the highest first, each with the probability that belongs to the bits before it. */
  readTree(context: number, bits: number): number {
    // Local variables, because this loop runs over four million times.
    const { odds, seen } = this;
    let { range, code } = this;
    const tree = Math.imul(context, 0x9e3779b1) >>> 8;
    let node = 1;
    for (let bit = 0; bit < bits; bit += 1) {
      const at = (tree + node) & mask;
      const chance = odds[at] ?? evenOdds;
      const count = seen[at] ?? 0;
      const bound = (range >>> 12) * (chance >>> 4);
      if (count < maxSeen) seen[at] = count + 1;
      const rate = rates[count] ?? 0;
      if (code < bound) {
        range = bound;
        odds[at] = chance + (((certainty - chance) * rate) >> rateBits);
        node <<= 1;
      } else {
        code -= bound;
        range -= bound;
        odds[at] = chance - ((chance * rate) >> rateBits);
        node = (node << 1) | 1;
      }
      while (range <= minRange) {
        range *= radix;
        code = code * radix + this.nextDigit();
      }
    }
    this.range = range;
    this.code = code;
    return node - (1 << bits);
  }

  private readPlain(bits: number): number {
    if (bits === 0) return 0;
    this.range >>>= bits;
    const value = Math.floor(this.code / this.range);
    this.code -= value * this.range;
    while (this.range <= minRange) {
      this.range *= radix;
      this.code = this.code * radix + this.nextDigit();
    }
    return value;
  }

  private nextDigit(): number {
    while (this.bits < digitBits) {
      const code = this.digits.charCodeAt(this.at);
      const length = lengths[code] ?? digitBits;
      this.held = (this.held << length) | (values[code] ?? 0);
      this.bits += length;
      this.at += 1;
    }
    this.bits -= digitBits;
    const digit = this.held >> this.bits;
    this.held &= (1 << this.bits) - 1;
    return digit;
  }
}

/** Returns the number of bits up to the highest one set. */
function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

/** The rank of bytes that are not a token. */
export const unmerged = 0x7fffffff;

/** Average bytes per token for the initial size; the array grows if needed. */
const usualBytes = 8;

/**
 * RankTable: maps the bytes of an encoding's tokens to ranks, in flat arrays, which fill three times as fast as a map
 * of strings.
 */
export class RankTable {
  /** Tokens so far. */
  size = 0;
  /** Bytes in the longest token. */
  maxTokenLength = 1;
  /** All tokens in sequence, and the start of each; the last start is the end. */
  private bytes: Uint8Array;
  private readonly starts: Int32Array;
  /** Ranks plus one, by the hash of their bytes; a collision uses the next free slot. */
  private readonly slots: Int32Array;

  /** @param maxTokens how many tokens will be added */
  constructor(maxTokens: number) {
    this.bytes = new Uint8Array(maxTokens * usualBytes);
    this.starts = new Int32Array(maxTokens + 1);
    // At least twice as many slots as tokens, so that few collide.
    this.slots = new Int32Array(2 ** (33 - Math.clz32(maxTokens)));
  }

  /** Adds the next rank for one byte. */
  addByte(byte: number): void {
    const start = this.starts[this.size] ?? 0;
    this.reserve(start + 1);
    this.bytes[start] = byte;
    this.add(start, start + 1);
  }

  /** Adds the next rank for the joined bytes of two lower ranks. */
  addPair(first: number, second: number): void {
    const start = this.starts[this.size] ?? 0;
    this.reserve(start + 2 * this.maxTokenLength);
    this.add(start, this.copy(second, this.copy(first, start)));
  }

  /** Returns the rank of the bytes from start to end, or `unmerged`. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.maxTokenLength) return unmerged;
    const mask = this.slots.length - 1;
    for (let slot = hash(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const rank = (this.slots[slot] ?? 0) - 1;
      if (rank < 0) return unmerged;
      const from = this.starts[rank] ?? 0;
      if ((this.starts[rank + 1] ?? 0) - from === length && this.isAt(from, bytes, start, end)) return rank;
    }
  }

  private isAt(from: number, bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.bytes[from + at - start] !== bytes[at]) return false;
    return true;
  }

  /** Copies the bytes of a token and returns their end. */
  private copy(rank: number, to: number): number {
    const { bytes } = this;
    const end = this.starts[rank + 1] ?? 0;
    let at = to;
    for (let from = this.starts[rank] ?? 0; from < end; from += 1) bytes[at++] = bytes[from] ?? 0;
    return at;
  }

  private add(start: number, end: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash(this.bytes, start, end) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    this.size += 1;
    slots[slot] = this.size;
    this.starts[this.size] = end;
    this.maxTokenLength = Math.max(this.maxTokenLength, end - start);
  }

  private reserve(end: number): void {
    if (end <= this.bytes.length) return;
    const longer = new Uint8Array(2 * end);
    longer.set(this.bytes);
    this.bytes = longer;
  }
}

/** FNV-1a, with its high bits mixed into the low ones, which select the slot. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
