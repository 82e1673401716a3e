/** Unpacks the ranks of an encoding: each token is the joined bytes of two earlier tokens. */
import { RankTable } from './rank-table';

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
const headBits = 10;

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
    // Local variables, because this loop runs five million times.
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
