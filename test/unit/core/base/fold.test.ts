/** How spellings are folded into one key: of words, of the pairs in a name, and of paths after a move. */
import { foldPlace, foldText, isAscii, isAtPlace, pairsOf, pathAfterMove } from '../../../../src/core/base/fold';

it.each([
  ['Plain', 'plain'],
  ['Crème BRÛLÉE', 'creme brulee'],
  ['Æther Œuvre Ørsted', 'aether oeuvre orsted'],
  ['Straße Đorđe Eiði', 'strasse dorde eidi'],
  ['Þór Łódź ılık', 'thor lodz ilik'],
  ['ｆｕｌｌ ﬁt', 'full fit'],
  ['הַפְּגִישָׁה', 'הפגישה'],
  ['مُحَمَّد', 'محمد'],
  ['so\u00adft zero\u200bwidth 🚀\ufe0f', 'soft zerowidth 🚀'],
  ['ガ', 'ガ'],
])('reads %s as the word %s', (written, key) => {
  expect(foldText(written)).toBe(key);
  expect(foldText(key)).toBe(key);
});

it.each([
  ['\u007f', true],
  ['a\u0080', false],
  ['\u0080a', false],
  ['', true],
])('finds only characters of ASCII in %j: %s', (text, expected) => {
  expect(isAscii(text)).toBe(expected);
});

it('takes two spellings of a place for one where any disk does', () => {
  expect(foldPlace('ΟΔΟΣ/Straße\u200d.md')).toBe('οδοσ/strasse.md');
  expect([isAtPlace('Clips/', 'clips/A.md'), isAtPlace('Clips/', 'clipsy.md')]).toEqual([true, false]);
  expect([isAtPlace('A.md', 'a.MD'), isAtPlace('A.md', 'a.md/b')]).toEqual([true, false]);
});

it.each([
  ['a.md', 'a.md', 'b.md', 'b.md'],
  ['in/a.md', 'in', 'out', 'out/a.md'],
  ['in/in/a.md', 'in', '', '/in/a.md'],
  ['inner/a.md', 'in', 'out', null],
  ['a.md', 'b.md', 'c.md', null],
])('has %s after %s became %s as %s', (path, from, to, after) => {
  expect(pathAfterMove(path, from, to)).toBe(after);
});

it('pairs each character of a name with the one before it, and the ends with a space', () => {
  expect([...pairsOf('Ab')]).toEqual([' a', 'ab', 'b ']);
  expect([...pairsOf('🚀')]).toEqual([' 🚀', '🚀 ']);
  expect([...pairsOf('')]).toEqual(['  ']);
});
