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
/** What each number means, as the packer declares it to the coder. */
const kind = { firstHalf: 0, secondHalf: 1, byte: 2 } as const;

/** Tokens between two yields: about two milliseconds. */
const tokensAtOnce = 4_096;

/** Unpacks the ranks. Yields so that other work can run. */
export function* unpackRanks({ pattern, tokens, digits }: PackedRanks): Generator<void, Ranks> {
  const decoder = new RangeDecoder(digits);
  const table = new RankTable(tokens);
  for (let rank = 0; rank < tokens; rank += 1) {
    if (rank < singleBytes) table.addByte(decoder.read(kind.byte, 0));
    else {
      const first = decoder.read(kind.firstHalf, bitLength(rank));
      table.addPair(first, decoder.read(kind.secondHalf, bitLength(first)));
    }
    if (rank % tokensAtOnce === 0) yield;
  }
  return { pattern, table };
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

/** Probabilities are 4096ths and move by 1/32 of the distance at each bit. */
const evenOdds = 2048;
const certainty = 4096;
const inertia = 5;

const kinds = 3;
const contexts = 32;
/** Bits of a number's bit length, and the bits after its first one that have probabilities of their own. */
const lengthBits = 5;
const headBits = 12;

/**
 * RangeDecoder: reads numbers from digits written by the build's range coder, with probabilities that adapt while it
 * reads.
 */
class RangeDecoder {
  private readonly lengthOdds = new Uint16Array(kinds * contexts * 2 ** lengthBits).fill(evenOdds);
  private readonly headOdds = new Uint16Array(kinds * contexts * 2 ** headBits).fill(evenOdds);
  private range = maxRange;
  private code = 0;
  private at = 0;
  /** Bits that were read and are in no digit yet, and their number. */
  private held = 0;
  private bits = 0;

  constructor(private readonly digits: string) {
    for (let digit = 0; digit < 4; digit += 1) this.code = this.code * radix + this.nextDigit();
  }

  /** Returns the next number; kind and context are those with which it was written. */
  read(kind: number, context: number): number {
    const length = this.readTree(this.lengthOdds, (kind * contexts + context) << lengthBits, lengthBits);
    if (length < 2) return length;
    const modelled = Math.min(headBits, length - 1);
    const head = this.readTree(this.headOdds, (kind * contexts + length) << headBits, modelled);
    const rest = length - 1 - modelled;
    return (1 << (length - 1)) | (head << rest) | this.readPlain(rest);
  }

  /** Reads bits, the highest first, each with the probability that belongs to the bits before it. */
  private readTree(odds: Uint16Array, tree: number, bits: number): number {
    // Local variables, because this loop runs four million times.
    let { range, code } = this;
    let node = 1;
    for (let bit = 0; bit < bits; bit += 1) {
      const index = tree + node;
      const chance = odds[index] ?? evenOdds;
      const bound = (range >>> 12) * chance;
      if (code < bound) {
        range = bound;
        odds[index] = chance + ((certainty - chance) >> inertia);
        node <<= 1;
      } else {
        code -= bound;
        range -= bound;
        odds[index] = chance - (chance >> inertia);
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
