/** Texts to count: slices of notes, and characters of many kinds at random; the same ones each time. */

/**
 * Sample characters of each kind of text. Some consist of two UTF-16 units, and some combine with the character before
 * them.
 */
const alphabets = [
  ['a', 'b', 'A', 'B', ' ', '\n', '1', '.', "'s", '/', '='],
  ['the ', 'Boat', 'HULL', "'re ", 'ing', 'é', 'ß', '-', ', '],
  ['漢', '字', '。', 'ひ', 'カ', '한', '，', '１'],
  ['к', 'ф', 'Ж', ' ', 'ъ', 'ש', 'ل', 'ก', '\u0301'],
  ['😀', '\u200d', '👩', '\ufe0f', '🏽', ' ', '\ud83d', '\udc00'],
  [' ', '  ', '\n', '\r\n', '\t', '\u00a0', '\u2003', 'x'],
  ['{', '}', '(', ');', '=>', '"', 'const ', '_', '<', '/>', '0x', '\\n'],
  ['A', 'b', '3', '+', '/', 'Z', 'q', '9', '='],
  ['<|endoftext|>', '<|im_start|>', '<|', '|>', 'end', '\0', '\ufeff'],
];

const maxSliceLength = 1_200;
const maxParts = 240;

export function makeTexts(notes: readonly string[], count: number): string[] {
  const random = seededRandom(20_261_120);
  const below = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, (_, index) => {
    const note = notes[below(notes.length)] ?? '';
    if (index % 2 === 0 && note !== '') {
      const start = below(note.length);
      return note.slice(start, start + 1 + below(maxSliceLength));
    }
    const alphabet = [...(alphabets[below(alphabets.length)] ?? []), ...(alphabets[below(alphabets.length)] ?? [])];
    const few = alphabet.filter(() => random() < 0.5);
    const parts = few.length === 0 ? alphabet : few;
    return Array.from({ length: 1 + below(maxParts) }, () => parts[below(parts.length)] ?? '').join('');
  });
}

/** From 0 up to, not including, 1; a sequence of its own for each seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
