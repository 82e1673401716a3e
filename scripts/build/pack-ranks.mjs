// Packs the ranks of an encoding into a string of 91 printable characters; src/tokens/unpack-ranks.ts reads it.
//
// A token longer than a byte is written as two tokens before it that make it up: the first by its number; the second by
// its first byte, which the end of the first one predicts, and its place among the tokens that begin with that byte. An
// adaptive range coder writes both. Its bits become characters by a prefix code, of which a download in gzip takes no
// more than the bits themselves; 91 equally likely characters took 6 KB more.

/** The characters that a string in double or single quotes contains without an escape. */
export const alphabet = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index))
  .filter((character) => !`"'\\`.includes(character))
  .join('');

const digitBits = 7;
const radix = 1 << digitBits;
/** The first characters are six bits each, the others seven: 37 / 64 + 54 / 128 = 1. */
const shortCodes = 2 * 64 - alphabet.length;
const maxRange = radix ** 4;
const minRange = radix ** 3;
const singleBytes = 256;

/** @returns {{ pattern: string, tokens: number, digits: string }} */
export function packRanks({ pat_str: pattern, bpe_ranks: ranks }) {
  const tokens = readTokens(ranks);
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const model = createModel(tokens.length);
  for (const byte of tokens.slice(0, singleBytes)) {
    if (byte.length !== 1) throw new Error('The first 256 tokens are not the single bytes.');
    model.writeByte(byte.charCodeAt(0));
  }
  for (let number = singleBytes; number < tokens.length; number++) {
    model.writePair(cheapestHalves(model, tokens[number], number, numbers));
  }
  return { pattern, tokens: tokens.length, digits: model.finish() };
}

/** Returns tokens by number, each as a string of bytes; a line gives a start number and the tokens from there on. */
function readTokens(ranks) {
  const tokens = [];
  for (const line of ranks.split('\n').filter(Boolean)) {
    const [, start, ...rest] = line.split(' ');
    for (const [index, token] of rest.entries()) {
      tokens[Number(start) + index] = Buffer.from(token, 'base64').toString('latin1');
    }
  }
  for (let number = 0; number < tokens.length; number++) {
    if (tokens[number] === undefined) throw new Error(`There is no token ${number}.`);
  }
  return tokens;
}

/** Finds the two earlier tokens that form this one and take the fewest bits. */
function cheapestHalves(model, token, number, numbers) {
  const pairs = [];
  for (let cut = 1; cut < token.length; cut++) {
    const first = numbers.get(token.slice(0, cut));
    const second = numbers.get(token.slice(cut));
    if (first < number && second < number) pairs.push([first, second]);
  }
  if (pairs.length === 0) throw new Error(`Token ${number} is not made of two before it.`);
  if (pairs.length === 1) return pairs[0];
  const costs = pairs.map((pair) => model.costOf(pair));
  return pairs[costs.indexOf(Math.min(...costs))];
}

/** Uses the same probabilities as the reader: see src/tokens/unpack-ranks.ts. */
function createModel(maxTokens) {
  const mask = 2 ** 18 - 1;
  const modelledBits = 6;
  const maxSeen = 126;
  const rateBits = 13;
  const odds = new Uint16Array(mask + 1).fill(32768);
  const seen = new Uint8Array(mask + 1);
  const firstBytes = new Uint8Array(maxTokens);
  const ends = new Uint8Array(maxTokens);
  const places = new Uint32Array(maxTokens);
  const groupSizes = new Uint32Array(256);
  let size = 0;

  const add = (firstByte, end) => {
    firstBytes[size] = firstByte;
    ends[size] = end;
    places[size++] = groupSizes[firstByte]++;
  };

  /** Writes bits, the highest first, each with the probability that belongs to the bits before it. */
  const writeTree = (coder, context, bits, value) => {
    const tree = Math.imul(context, 0x9e3779b1) >>> 8;
    for (let shift = bits - 1, node = 1; shift >= 0; shift--) {
      const bit = (value >> shift) & 1;
      const at = (tree + node) & mask;
      coder.bit(odds[at] >>> 4, bit);
      if (coder.learns) {
        const rate = Math.round(2 ** rateBits / (seen[at] + 4));
        odds[at] += bit === 0 ? ((65535 - odds[at]) * rate) >> rateBits : -((odds[at] * rate) >> rateBits);
        if (seen[at] < maxSeen) seen[at]++;
      }
      node = node * 2 + bit;
    }
  };
  const writeNumber = (coder, lengthContext, context, value) => {
    const length = bitLength(value);
    writeTree(coder, lengthContext, 5, length);
    const modelled = Math.max(0, Math.min(modelledBits, length - 1));
    const rest = Math.max(0, length - 1 - modelled);
    writeTree(coder, context + length, modelled, (value >> rest) & ((1 << modelled) - 1));
    coder.plain(value & ((1 << rest) - 1), rest);
  };
  const writeHalves = (coder, [first, second]) => {
    writeNumber(coder, contexts.firstLength + bitLength(size), contexts.first, first);
    writeTree(coder, contexts.firstByte + ends[first], 8, firstBytes[second]);
    const group = contexts.group + firstBytes[second] * 32;
    writeNumber(coder, group, group, places[second]);
  };

  const encoder = createEncoder();
  return {
    writeByte(byte) {
      writeTree(encoder, contexts.byte, 8, byte);
      add(byte, byte);
    },
    writePair([first, second]) {
      writeHalves(encoder, [first, second]);
      add(firstBytes[first], isContinuation(ends[second]) ? ends[first] : ends[second]);
    },
    costOf(pair) {
      const meter = createMeter();
      writeHalves(meter, pair);
      return meter.bits();
    },
    finish: () => encoder.finish(),
  };
}

/** Where the trees of the reader's contexts start. */
const contexts = { firstLength: 0, first: 32, firstByte: 64, byte: 320, group: 1024 };

/** Whether a byte is inside a character of UTF-8. */
const isContinuation = (byte) => (byte & 0xc0) === 0x80;

/** Counts bits in place of writing them. */
function createMeter() {
  let sum = 0;
  return {
    learns: false,
    bit(chance, bit) {
      sum -= Math.log2((bit === 0 ? chance : 4096 - chance) / 4096);
    },
    plain(_value, bits) {
      sum += bits;
    },
    bits: () => sum,
  };
}

function createEncoder() {
  const digits = [];
  let low = 0;
  let range = maxRange;
  const settle = () => {
    if (low >= maxRange) {
      low -= maxRange;
      let at = digits.length - 1;
      while (digits[at] === radix - 1) digits[at--] = 0;
      digits[at]++;
    }
    while (range <= minRange) shift();
  };
  const shift = () => {
    digits.push(Math.floor(low / minRange));
    low = (low % minRange) * radix;
    range *= radix;
  };
  return {
    learns: true,
    /** Writes one bit; `chance` is the probability of a 0 in 4096ths. */
    bit(chance, bit) {
      const bound = (range >>> 12) * chance;
      if (bit === 0) range = bound;
      else {
        low += bound;
        range -= bound;
      }
      settle();
    },
    /** Writes up to 12 bits whose values are all equally likely. */
    plain(value, bits) {
      if (bits === 0) return;
      range >>>= bits;
      low += value * range;
      settle();
    },
    finish() {
      settle();
      for (let rest = 0; rest < 4; rest++) shift();
      return toCharacters(digits);
    },
  };
}

/** Writes the bits of the digits as characters. */
function toCharacters(digits) {
  const text = [];
  let held = 0;
  let bits = 0;
  // Zeros at the end fill the last character.
  for (const digit of [...digits, 0]) {
    held = (held << digitBits) | digit;
    bits += digitBits;
    while (bits >= digitBits) {
      const six = held >> (bits - 6);
      const length = six < shortCodes ? 6 : 7;
      text.push(alphabet[length === 6 ? six : (held >> (bits - 7)) - shortCodes]);
      bits -= length;
      held &= (1 << bits) - 1;
    }
  }
  return text.join('');
}

function bitLength(value) {
  return 32 - Math.clz32(value);
}
