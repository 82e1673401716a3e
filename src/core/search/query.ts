/** Query: parses a search query into terms and exact phrases. */
import { foldText } from '../base/fold-text';
import { lazy } from '../base/lazy';

export interface QueryTerm {
  readonly term: string;
  /** The word as written, folded; shown to people. */
  readonly word: string;
  /** Whether the word says little about the subject: it weighs less and may be missing. */
  readonly light: boolean;
  /** Number of the run of unspaced script that the term was cut from. */
  readonly run?: number;
  /** Alternative terms: joined with a neighbor, such as "setup" for "set up", or the number in a date. */
  readonly joined: readonly string[];
}

export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** Folded texts in double quotes, which a passage must contain verbatim. */
  readonly phrases: readonly string[];
  /** All words in order, folded. */
  readonly words: readonly string[];
  /** The stems of all words, function words included, to find neighbors. */
  readonly sequence: readonly string[];
}

const quoted = /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」/g;

export function parseQuery(text: string): Query {
  const phrases = Array.from(text.matchAll(quoted), (match) =>
    foldPhrase(match.slice(1).find((part) => part !== undefined) ?? ''),
  ).filter((phrase) => phrase !== '');
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  const dated = datedWords(words);
  const places = [...words.keys()].filter((place) => dated.has(place) || !stop.has(words[place] ?? ''));
  const terms = termsOfQuestion(words, places.length === 0 ? [...words.keys()] : places, dated);
  return { text, terms, phrases, words, sequence: words.map(stem) };
}

/** Returns the words of a name that are no function words; all of them if it has no others. */
export function nameWords(text: string): string[] {
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  const content = words.filter((word) => !stop.has(word));
  return content.length === 0 ? words : content;
}

/** Folds a text and replaces each run of white space with one space. */
export function foldPhrase(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim();
}

/** Returns the words that carry the subject of a text, folded and in order. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  return words.filter((word) => !stop.has(word) && !isLight(word));
}

function termsOfQuestion(
  words: readonly string[],
  places: readonly number[],
  dated: ReadonlyMap<number, string>,
): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: QueryTerm): void => {
    if (!terms.has(term.term)) terms.set(term.term, term);
  };
  let runs = 0;
  for (const place of places) {
    const word = words[place] ?? '';
    for (const part of partsOf(word)) {
      if (!part.unspaced) {
        const term = stem(part.text);
        const number = dated.get(place);
        const joined = number === undefined ? joinedSpellings(words, place) : [number];
        add({ term, word, light: isLight(word), joined });
        continue;
      }
      runs += 1;
      for (const gram of gramsOf(part.text, false)) {
        add({ term: gram, word: gram, light: isLight(gram), run: runs, joined: [] });
      }
    }
  }
  const all = [...terms.values()];
  return all.every((each) => each.light) ? all.map((each) => ({ ...each, light: false })) : all;
}

function joinedSpellings(words: readonly string[], place: number): string[] {
  const word = words[place] ?? '';
  const around = [words[place - 1], words[place + 1]];
  return around.flatMap((other, side) =>
    other === undefined || other.length < 2 ? [] : [stem(side === 0 ? other + word : word + other)],
  );
}

// Dates: month names in a question as numbers, since notes are named like `2026-05-02`.

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'fevrier', 'febrero'],
  ['march', 'mar', 'marz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'aout', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'decembre', 'diciembre'],
];

/**
 * Returns the two-digit numbers of the words that form a date with a named month and a year, by word index. A day must
 * be adjacent to its month.
 */
export function datedWords(words: readonly string[]): ReadonlyMap<number, string> {
  const dated = new Map<number, string>();
  words.forEach((word, at) => {
    const month = months.findIndex((names) => names.includes(word));
    if (month === -1) return;
    const dayBefore = dayOf(words[at - 1]);
    const dayAfter = dayOf(words[at + 1]);
    const yearAt = isYear(words[at + 1]) ? at + 1 : dayAfter !== undefined && isYear(words[at + 2]) ? at + 2 : -1;
    if (yearAt === -1) return;
    dated.set(at, String(month + 1).padStart(2, '0'));
    if (dayBefore !== undefined) dated.set(at - 1, dayBefore);
    else if (yearAt === at + 2 && dayAfter !== undefined) dated.set(at + 1, dayAfter);
  });
  return dated;
}

function dayOf(word: string | undefined): string | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? day.padStart(2, '0') : undefined;
}

function isYear(word: string | undefined): boolean {
  return /^(?:19|20)\d\d$/.test(word ?? '');
}

// Stop words: function words by language, and words that say little about the subject.

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Folded as by `foldText`. English comes first, as the default for a text that matches no language. */
const byLanguage: readonly ReadonlySet<string>[] = [
  list(`a about after again all also am an and any are aren as at be because been before being between both but by can
    cannot could couldn d did didn do does doesn doing don done down during each either else ever every few for from
    further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
    itself just let ll m may me might mine more most must my myself neither no nor not now of off on once one ones only
    or other ought our ours out over own please re s same say says said shall she should shouldn so some such t tell
    than that the their theirs them then there these they this those through to too under until up upon us ve very was
    wasn we were weren what when where whether which while who whom whose why will with within without won would
    wouldn you your yours yourself`),
  list(`aber alle als also am an auch auf aus bei beim bin bis bist da dann das dass dein dem den der des die dies diese
    diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur gibt habe haben
    hast hat hatte ich ihr im in ins ist ja kann kannst kein keine konnen man mein meine meinem meinen meiner mich mir
    mit muss nach nicht noch nun nur ob oder ohne sagt sehr sein seine sich sie sind so soll uber um und uns unser unter
    vom von vor wann war waren warum was wegen weil welche welcher welches wem wen wenn wer werden wie wieder wir wird
    wo woher wohin wurde zu zum zur zwischen`),
  list(`a ai ainsi au aux avec avons avez c ce ces cet cette comme comment d dans de des dit donc du elle elles en est et
    etait etaient ete etes etre eu fait il ils j je jusqu l la le les leur leurs lui m ma mais me mes moi mon n ne nos
    notre nous on ont ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si
    son sont sous suis sur t ta te tes toi ton tu un une vos votre vous y`),
  list(`a al algo ante antes asi aunque como con contra cual cuales cuando de del desde dice donde dos el ella ellas ellos
    en entre era es esa ese eso esta estaba estan este esto fue ha hace han hasta hay la las le les lo los mas me mi mis
    muy nada ni no nos o os para pero por porque que quien se ser si sin sobre son su sus tambien te tiene tu tus un una
    uno y ya yo`),
  list(`a ad agli ai al alla alle anche c che chi ci ciascuno come con cosa cui da dal dalla dei del della delle di dove e
    ed era erano essere gli ha hai hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne nei nel nella noi non o
    per perche piu quale quali quando quanto quella quello questa questo se si sia sono su sua sul sulla suo ti tra tu un
    una uno vi voi`),
  list(`a ao aos as com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta este eu foi ha isso
    isto ja lhe mais mas me meu minha muito na nao nas no nos nossa nosso num numa o onde os ou para pela pelo por porque
    qual quais quando que quem sao se sem ser seu sua so tem um uma voce`),
];

const light =
  list(`actually allow always anything available away back bad become best better bit call called certain come
  correct correctly current currently describe different easily easy enough everything exactly example explain fast find
  first get gets getting give gives go goes going good got great happen happens help hint hints idea important info
  information instead keep kind know known last learn like little long look looking lot made main make makes making many
  mean means mention mentions method much my name need needs never new nice note notes number often part particular
  people place point possible properly put question quick quickly quite read reads reading really right safely see set shall show similar
  simple simply something sometimes sort still stuff sure take takes talk thing things think time tip tips today try
  type use used useful user users uses using usually vault want wants way ways well work working works write written
  wrong`);

const unspacedLight = list(
  `如何 什么 怎么 怎样 为什 哪里 请问 可以 是否 我的 什麼 怎麼 為什 哪裡 하는 어떻 무엇 방법 은요 나요 ですか`,
);

/** Returns the stop words of the language that most of a text's words belong to. */
function stopWordsFor(words: readonly string[]): ReadonlySet<string> {
  let best = byLanguage[0] ?? new Set<string>();
  let maxHits = 0;
  for (const language of byLanguage) {
    const hits = words.reduce((sum, word) => sum + (language.has(word) ? 1 : 0), 0);
    if (hits > maxHits) [best, maxHits] = [language, hits];
  }
  return best;
}

const hiragana = lazy(() => /^\p{Script=Hiragana}+$/u);

/** Whether a word says little about the subject: it may improve a rank, and its absence means nothing. */
function isLight(word: string): boolean {
  return light.has(word) || unspacedLight.has(word) || hiragana().test(word);
}

// Terms: the units by which notes and questions are compared, in any script.

const word = lazy(() => /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu);
/** English endings after an apostrophe; otherwise an apostrophe separates two words, as in French. */
const contraction = /['’ʼ](?:s|t|re|ve|ll|d|m)\b/g;
/** Scripts written without spaces between words, or with particles that cling to them. */
const unspaced = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu,
);
const hasUnspaced = lazy(() => new RegExp(unspaced().source, 'u'));

/** Returns words and pictographs in order, folded but not stemmed; runs of unspaced script are one word each. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return (/['’ʼ]/.test(folded) ? folded.replace(contraction, '') : folded).match(word()) ?? [];
}

/** Returns the terms of a searched text: stems, and for unspaced scripts each character and each pair. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const each of wordsOf(text)) {
    if (isSpaced(each)) terms.push(stem(each));
    else terms.push(...termsOfMixed(each));
  }
  return terms;
}

/** Returns the terms of a word that contains unspaced script. */
export function termsOfMixed(folded: string): string[] {
  return partsOf(folded).flatMap((part) => (part.unspaced ? gramsOf(part.text, true) : [stem(part.text)]));
}

/** Whether a word contains no unspaced script. */
export function isSpaced(folded: string): boolean {
  return isPlain(folded) || !hasUnspaced().test(folded);
}

export interface Part {
  readonly text: string;
  readonly unspaced: boolean;
}

/** Splits a word where spaced and unspaced scripts meet. */
function partsOf(folded: string): Part[] {
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

/** Returns the adjacent pairs of a run; with singles also each character, so that a one-character query matches. */
function gramsOf(run: string, singles: boolean): string[] {
  const characters = Array.from(run);
  const grams = characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
  return singles || characters.length === 1 ? [...characters, ...grams] : grams;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= 0x0e00) return false;
  return true;
}

/**
 * Returns a light English stem: removes plural, -ing and -ed endings, a final e, y or doubled letter. It need not be a
 * word, only equal for the forms of one word. Words with characters other than a-z are returned unchanged.
 */
export function stem(folded: string): string {
  if (folded.length < 4 || !/^[a-z]+$/.test(folded)) return folded;
  let root = withoutPlural(folded);
  for (let shorter = withoutEnding(root); shorter !== root; shorter = withoutEnding(root)) root = shorter;
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
  // Both spellings of a verb, and the noun it comes from: summarise, summarize, summary.
  if (root.length > 6 && /i[sz]$/.test(root)) root = root.slice(0, -1);
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
