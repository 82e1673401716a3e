/** Terms: the units that notes and questions are compared by, in any script. */
import { foldText } from '../base/fold-text';
import { lazy } from '../base/lazy';

const word = lazy(() => /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu);
/** English endings behind an apostrophe; elsewhere an apostrophe parts two words, as in French. */
const contraction = /['’ʼ](?:s|t|re|ve|ll|d|m)\b/g;
/** Scripts written without spaces between words, or with particles that cling to them. */
const unspaced = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu,
);
const hasUnspaced = lazy(() => new RegExp(unspaced().source, 'u'));

/** Words and pictographs in order, folded but not stemmed; runs of unspaced script are one word each. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return (/['’ʼ]/.test(folded) ? folded.replace(contraction, '') : folded).match(word()) ?? [];
}

/** Terms of a text that is searched: stems, and for unspaced scripts each character and each pair. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const each of wordsOf(text)) {
    if (isSpaced(each)) terms.push(stem(each));
    else terms.push(...termsOfMixed(each));
  }
  return terms;
}

/** Terms of a word that holds unspaced script. */
export function termsOfMixed(folded: string): string[] {
  return partsOf(folded).flatMap((part) => (part.unspaced ? gramsOf(part.text, true) : [stem(part.text)]));
}

/** Whether a word holds no unspaced script. */
export function isSpaced(folded: string): boolean {
  return isPlain(folded) || !hasUnspaced().test(folded);
}

export interface Part {
  readonly text: string;
  readonly unspaced: boolean;
}

/** A word cut where spaced and unspaced scripts meet. */
export function partsOf(folded: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of folded.matchAll(unspaced())) {
    if (match.index > end) parts.push({ text: folded.slice(end, match.index), unspaced: false });
    parts.push({ text: match[0], unspaced: true });
    end = match.index + match[0].length;
  }
  if (end < folded.length) parts.push({ text: folded.slice(end), unspaced: false });
  return parts;
}

/** Neighbouring pairs of a run; with singles, also each character, so that a one-character question finds it. */
export function gramsOf(run: string, singles: boolean): string[] {
  const characters = Array.from(run);
  const grams = characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
  return singles || characters.length === 1 ? [...characters, ...grams] : grams;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= 0x0e00) return false;
  return true;
}

/**
 * A light English stem: plural, -ing and -ed endings, a final e, y or doubled letter. It need not be a word; it only
 * has to be the same for forms of one word. Words with other than plain letters stay as they are.
 */
export function stem(folded: string): string {
  if (folded.length < 4 || !/^[a-z]+$/.test(folded)) return folded;
  let root = withoutPlural(folded);
  for (let shorter = withoutEnding(root); shorter !== root; shorter = withoutEnding(root)) root = shorter;
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
  if (root.length > 3 && root.endsWith('y')) root = `${root.slice(0, -1)}i`;
  return withoutDoubling(root);
}

function withoutPlural(text: string): string {
  if (text.length > 4 && text.endsWith('ies')) return `${text.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(text)) return text.slice(0, -2);
  if (text.endsWith('s') && !/[siu]s$/.test(text)) return text.slice(0, -1);
  return text;
}

function withoutEnding(text: string): string {
  const match = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(text);
  const root = match?.[1];
  return root === undefined || root.length < 3 ? text : withoutDoubling(root);
}

function withoutDoubling(text: string): string {
  const last = text.at(-1);
  return text.length > 3 && last === text.at(-2) && last !== undefined && !'aeiou'.includes(last)
    ? text.slice(0, -1)
    : text;
}
