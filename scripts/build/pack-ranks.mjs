// Packs the ranks of an encoding into a string of 91 printable characters; src/tokens/unpack-ranks.ts reads it.
//
// A token longer than a byte is written as two tokens before it that make it up, and their numbers by an adaptive
// range coder. Deflated and in base64 the same ranks are a sixth longer. Its bits become characters by a prefix code, of
// which a download in gzip takes no more than the bits themselves; 91 equally likely characters took 6 KB more.

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
  const model = createModel(createEncoder());
  for (const byte of tokens.slice(0, singleBytes)) {
    if (byte.length !== 1) throw new Error('The first 256 tokens are not the single bytes.');
    model.write(2, 0, byte.charCodeAt(0));
  }
  for (let number = singleBytes; number < tokens.length; number++) {
    const [first, second] = cheapestHalves(tokens[number], number, numbers);
    model.write(0, bitLength(number), first);
    model.write(1, bitLength(first), second);
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

/** Finds the two earlier tokens that form this one at the lowest cost; small numbers take the fewest digits. */
function cheapestHalves(token, number, numbers) {
  let halves = null;
  let minCost = Infinity;
  for (let cut = 1; cut < token.length; cut++) {
    const first = numbers.get(token.slice(0, cut));
    const second = numbers.get(token.slice(cut));
    if (first === undefined || second === undefined || first >= number || second >= number) continue;
    const cost = (first + 2) * (second + 2);
    if (cost >= minCost) continue;
    minCost = cost;
    halves = [first, second];
  }
  if (halves === null) throw new Error(`Token ${number} is not made of two before it.`);
  return halves;
}

/** Uses the same probabilities as the reader: see src/tokens/unpack-ranks.ts. */
function createModel(encoder) {
  const kinds = 3;
  const lengths = 32;
  const modelledBits = 12;
  const lengthOdds = new Uint16Array(kinds * lengths * 32).fill(2048);
  const headOdds = new Uint16Array((kinds * lengths) << modelledBits).fill(2048);
  return {
    write(kind, context, value) {
      const length = bitLength(value);
      const lengthTree = (kind * lengths + context) * 32;
      for (let shift = 4, node = 1; shift >= 0; shift--) {
        const bit = (length >> shift) & 1;
        encoder.bit(lengthOdds, lengthTree + node, bit);
        node = node * 2 + bit;
      }
      const headTree = (kind * lengths + length) << modelledBits;
      const rest = Math.max(0, length - 1 - modelledBits);
      for (let shift = length - 2, node = 1; shift >= rest; shift--) {
        const bit = (value >> shift) & 1;
        encoder.bit(headOdds, headTree + node, bit);
        node = node * 2 + bit;
      }
      encoder.plain(value & ((1 << rest) - 1), rest);
    },
    finish: () => encoder.finish(),
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
    /** Writes one bit; `odds[at]` is the probability of a 0 in 4096ths, and adapts. */
    bit(odds, at, bit) {
      const bound = (range >>> 12) * odds[at];
      if (bit === 0) {
        range = bound;
        odds[at] += (4096 - odds[at]) >> 5;
      } else {
        low += bound;
        range -= bound;
        odds[at] -= odds[at] >> 5;
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
