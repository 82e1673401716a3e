/** An arbitrary of characters for texts of fast-check: `fc.string({ unit: anyCharacter })`. */
import * as fc from 'fast-check';

const [firstHalf, halves, last] = [0xd800, 0x800, 0x10_ffff];

/**
 * Draws the same characters as `unit: 'binary'`: any but halves of pairs. That one makes a table of all 1.1 million
 * first, which takes a second.
 */
export const anyCharacter = fc.nat(last - halves).map(
  (place) => String.fromCodePoint(place < firstHalf ? place : place + halves),
  (value) => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (code === undefined || value !== String.fromCodePoint(code)) throw new Error('This is not one character.');
    if (code < firstHalf) return code;
    if (code < firstHalf + halves) throw new Error('This is half of a pair.');
    return code - halves;
  },
);
