/** The exact counter returns the same count as js-tiktoken for any text. */
import * as fc from 'fast-check';
import { finish, TextCount } from '../../src/tokens/count-text';
import { openTiktoken } from '../bench/baselines/tiktoken';
import { unpackedO200k } from '../unit/tokens/o200k';
import { drawn } from './drawn-cases';
import { hostileText } from './hostile-text';

jest.setTimeout(300_000);

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0x24ff }),
  fc.integer({ min: 0x2e80, max: 0xdfff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
);
const anyText = fc.array(codePoint, { maxLength: 24 }).map((codes) => String.fromCodePoint(...codes));

/** Halves of pairs where they fall. */
const units = fc
  .array(fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe00f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 24 })
  .map((codes) => String.fromCharCode(...codes));

/** Few characters, often: the runs on which merges depend. */
const runs = fc
  .array(
    fc.constantFrom('a', 'b', 'A', 'Z', ' ', '\n', '\r', '\t', '1', '.', '/', "'s", "'LL", 'é', '漢', '\u0301', '😀'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .chain((parts) => fc.array(fc.tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 24 })), { maxLength: 6 }))
  .map((pieces) => pieces.map(([part, times]) => part.repeat(times)).join(''));

/** On both sides of the length from which pieces are merged in another way; js-tiktoken takes the cube of it. */
const longRun = fc
  .tuple(fc.constantFrom('a', 'aA', ' ', '\n', '=', '漢', '\u0301', '\ud800', 'ß1'), fc.integer({ min: 60, max: 300 }))
  .map(([part, bytes]) => part.repeat(Math.ceil(bytes / Buffer.byteLength(part))));

const words = fc
  .array(
    fc.constantFrom('the ', 'Keel', ' bolts', "'re", 'ing', ', ', '## ', '[[', ']]', 'const x=', '\n- ', '日本', 'мир'),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

const text = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: anyText },
  { weight: 4, arbitrary: runs },
  { weight: 3, arbitrary: units },
  { weight: 3, arbitrary: words },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: longRun },
);

it('counts each hostile text as js-tiktoken does', () => {
  const oracle = openTiktoken();
  const counter = new TextCount(unpackedO200k());
  let tokens = 0;
  const cases = drawn(20_000);
  fc.assert(
    fc.property(text, (each) => {
      const expected = oracle.count(each);
      tokens += expected;
      const counted = finish(counter.count(each));
      // An expectation takes as long as a count, so only what is wrong pays for one.
      if (counted !== expected) expect(counted).toBe(expected);
    }),
    cases,
  );
  // The cases are not empty ones.
  expect(tokens).toBeGreaterThan(10 * cases.numRuns);
});
