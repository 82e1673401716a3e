/**
 * Egress: finds new addresses in a change, and network calls, that would send text of notes out of the vault, in any
 * spelling (6.9).
 */
import { rememberOf } from '../../base/lazy';
import { decodeEntities } from '../../markdown/links';
import type { SessionEntry } from '../../session/entry';
import { type FileChange, textAfter, textBefore } from '../changeset/changeset';
import { decodePercent, decodeSpelling, decodeYamlEscapes, webAddressesIn } from './addresses';
import { findChosenAnswers } from './scope';

const leaks = new WeakMap<FileChange, { readonly last: SessionEntry | undefined; readonly passages: string[] }>();

/**
 * Finds passages of text the chat has read inside new addresses of a change. Cached per state of the log, which only
 * grows, because a review asks at every click.
 */
export function findLeakedText(change: FileChange, entries: readonly SessionEntry[]): readonly string[] {
  const last = entries.at(-1);
  const known = leaks.get(change);
  if (known !== undefined && known.last === last) return known.passages;
  const passages = findCarried(change, entries);
  leaks.set(change, { last, passages });
  return passages;
}

function findCarried(change: FileChange, entries: readonly SessionEntry[]): string[] {
  if (change.to === null) return [];
  const added = addedBy(change);
  if (added.length === 0) return [];
  const known = knownText(entries);
  const earlier = knownText(entriesBefore(change, entries));
  // An address copied whole from a note reveals nothing new to its host.
  const copied = new Set([...earlier.read, ...known.own].flatMap(addressesIn));
  const made = added.filter((address) => !copied.has(address));
  if (made.length === 0) return [];
  // Pieces of a passage may be in addresses of several calls.
  const others = addressesOfTurn(entries).filter((address) => !copied.has(address) && !made.includes(address));
  const bare = (address: string): string => address.replace(/^[a-z]+:[\\/]*/i, '');
  return carriedText([...others, ...made].slice(-maxAddresses).map(bare), known);
}

/** The log grows with every turn, and the texts of a change stay. */
const addedBy = rememberOf((change: FileChange) => {
  const before = new Set(addressesIn(textBefore(change)));
  return addressesIn(textAfter(change)).filter((address) => !before.has(address));
});

/** Addresses of one change that are compared with what the chat has read. */
const maxAddresses = 2_000;

/** Returns the addresses in the calls of the newest turn. */
function addressesOfTurn(entries: readonly SessionEntry[]): string[] {
  return callsOfTurn(entries).flatMap(({ argumentsText }) => addressesIn(plainText(argumentsText)).slice(0, 200));
}

interface Call {
  readonly name: string;
  readonly argumentsText: string;
}

/** Returns the calls since the newest message of the user. */
function callsOfTurn(entries: readonly SessionEntry[]): Call[] {
  const start = entries.map(({ kind }) => kind).lastIndexOf('user');
  return entries
    .slice(start + 1)
    .flatMap((entry) => (entry.kind === 'assistant' ? entry.parts.filter((part) => part.type === 'tool-call') : []));
}

/**
 * Returns the web addresses of a change that neither the note nor the user's messages held before; nobody else vouches
 * for them.
 */
export function findNewAddresses(change: FileChange, entries: readonly SessionEntry[]): readonly string[] {
  if (change.to === null) return [];
  const held = new Set([textBefore(change), ...knownText(entries).own].flatMap(allAddressesIn));
  return allAddressesIn(textAfter(change)).filter((address) => !held.has(address));
}

function allAddressesIn(text: string): string[] {
  return text.includes('\\')
    ? [...webAddressesIn(text), ...webAddressesIn(decodeYamlEscapes(text))]
    : webAddressesIn(text);
}

/**
 * Finds passages of text the chat has read inside the arguments of a network call, and of earlier calls of the same tool
 * in this turn, which may have carried pieces of the same passage.
 */
export function findLeakedTextInCall(argumentsText: string, entries: readonly SessionEntry[]): readonly string[] {
  const calls = callsOfTurn(entries);
  const name = calls.filter((call) => call.argumentsText === argumentsText).at(-1)?.name;
  const earlier = calls.filter((call) => call.name === name && call.argumentsText !== argumentsText);
  const known = knownText(entries);
  const own = carriedText([plainText(argumentsText)], known);
  if (own.length > 0 || earlier.length === 0) return own;
  const texts = [...earlier.map((call) => call.argumentsText), argumentsText].slice(-maxCalls);
  return carriedText(texts.map(plainText), known);
}

/** Calls of one tool in a turn that are compared together. */
const maxCalls = 100;

/** Returns all keys and strings of JSON arguments, without JSON escapes; text that is no JSON as it is. */
function plainText(json: string): string {
  const texts: string[] = [];
  try {
    JSON.parse(json, (key, value: unknown) => {
      texts.push(key);
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    return json;
  }
  return texts.filter((text) => text !== '').join('\n');
}

/** Returns the text that the chat has read, without the echoes of its own writes, and the text of its user. */
function knownText(entries: readonly SessionEntry[]): ReadText {
  const writes = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'changes-staged' ? entry.changes.flatMap(({ calls }) => calls.map(({ id }) => id)) : [],
    ),
  );
  const read = entries.flatMap((entry) => {
    if (entry.kind === 'tool-result') return writes.has(entry.callId) ? [] : [entry.text, ...textsOf(entry.additions)];
    if (entry.kind === 'hook-context') return textsOf(entry.additions);
    return entry.kind === 'turn-zone' ? [...entry.before, ...entry.after].map(({ text }) => decodeEntities(text)) : [];
  });
  const chosen = findChosenAnswers(entries);
  return { read, own: entries.flatMap((entry) => (entry.kind === 'user' && !chosen.has(entry) ? [entry.text] : [])) };
}

function textsOf(additions: readonly { readonly text: string }[] = []): string[] {
  return additions.map(({ text }) => text);
}

/** Returns the entries before the answer that began the change, since its own text read back is not a source. */
function entriesBefore({ calls }: FileChange, entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const first = calls[0]?.id;
  const at = entries.findIndex(
    (entry) => entry.kind === 'assistant' && entry.parts.some((part) => part.type === 'tool-call' && part.id === first),
  );
  return at === -1 ? [] : entries.slice(0, at);
}

function addressesIn(text: string): string[] {
  const views = [text, decodeSpelling(text)];
  const found = views.flatMap((view) => view.match(/(?:https?:|mailto:)[^\s<>"`]+/gi) ?? []);
  return [...new Set(found.map((address) => address.replace(/[.,;:!?'*_)\]}]{1,100}$/, '')))];
}

// Carried text: passages of known text inside text that goes out, read as its bytes say: plain or encoded, in any case,
// with any separators, reversed, or in pieces (6.9). Everything here takes linear time for any texts.

interface ReadText {
  /** The text that the chat has read. */
  readonly read: readonly string[];
  /** The user's own text, which may be sent. */
  readonly own: readonly string[];
}

/** Shared characters in a row that cannot be a coincidence: with blanks, and as letters and digits alone. */
const shortest = 24;
const shortestLetters = 20;
/** Characters of the blocks that are compared, of the shortest piece, and of all pieces together. */
const block = 12;
const shortestPiece = 14;
const piecesTogether = 60;
/** Limits: characters checked as they are, and of the many readings of a text; passages reported. */
const maxCharacters = 400_000;
const maxRead = 64_000;
const maxPassages = 5;
/** Passages beyond which the user's own text is no longer searched for them. */
const maxCompared = 200;

/** Returns the leaked passages in lower case and without line breaks, each once. */
export function carriedText(outgoing: readonly string[], known: ReadText): string[] {
  const plain = [...new Set(outgoing.flatMap((text) => [...formsOf(text.slice(0, maxCharacters))]))];
  const exact = passagesOf(plain, known, fold, shortest, Infinity);
  if (exact.length > 0) return exact;
  const read = readingsOf(outgoing).map((form) => lettersOf(form).text);
  return passagesOf(read, known, lettersOf, shortestLetters, piecesTogether);
}

/** A text as it is compared, and where its characters are in the text. */
interface Compared {
  readonly text: string;
  readonly offsets: Uint32Array | null;
}

/**
 * @param together characters of several short runs that count as a passage
 */
function passagesOf(
  forms: readonly string[],
  { read, own }: ReadText,
  compared: (text: string) => Compared,
  min: number,
  together: number,
): string[] {
  const index = indexOf(forms);
  if (index.places.size === 0) return [];
  const said = own.map((text) => compared(text).text);
  const found = new Set<string>();
  const pieces = new Map<string, string>();
  let asked = 0;
  for (const text of read) {
    const { text: body, offsets } = compared(text);
    for (const { start, end } of runsIn(body, index)) {
      const run = body.slice(start, end);
      if (found.size >= maxPassages || (asked < maxCompared && said.some((words) => words.includes(run)))) continue;
      asked += 1;
      const passage = offsets === null ? run : foldText(text.slice(offsets[start], (offsets[end - 1] ?? 0) + 1));
      if (end - start >= min) found.add(passage.trim());
      else if (run.length >= shortestPiece && pieces.size < maxCompared) pieces.set(run, passage.trim());
    }
  }
  const length = [...pieces.keys()].reduce((sum, run) => sum + run.length, 0);
  return [...found, ...(length >= together ? pieces.values() : [])].slice(0, maxPassages);
}

// Search: the blocks of all forms by a hash, and one pass over each known text with a rolling hash.

interface BlockIndex {
  readonly all: string;
  readonly places: ReadonlyMap<number, readonly number[]>;
}

const base = 0x01000193;
/** The factor of the character that leaves a block. */
const leaving = Array.from({ length: block }).reduce<number>((power) => Math.imul(power, base), 1);
const maxPlaces = 8;
/** Characters beyond which not every offset of the forms is indexed. */
const maxDense = 150_000;
const end = '\0';

function indexOf(forms: readonly string[]): BlockIndex {
  const all = forms.join(end);
  const step = all.length > maxDense ? block / 2 : 1;
  const places = new Map<number, number[]>();
  eachBlock(all, 0, (hash, at) => {
    if (at % step !== 0) return at;
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [at]);
    else if (known.length < maxPlaces) known.push(at);
    return at;
  });
  return { all, places };
}

/** Calls `visit` with the hash and the offset of each block; it returns the offset from which to go on. */
function eachBlock(text: string, from: number, visit: (hash: number, at: number) => number): void {
  let hash = 0;
  let count = 0;
  for (let at = from; at < text.length; at += 1) {
    hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
    count += 1;
    if (count > block) hash = (hash - Math.imul(leaving, text.charCodeAt(at - block))) | 0;
    if (count < block) continue;
    const start = at - block + 1;
    const next = visit(hash, start);
    if (next <= start) continue;
    [hash, count, at] = [0, 0, next - 1];
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Returns the longest common run at each place, without overlaps. */
function runsIn(text: string, { all, places }: BlockIndex): Run[] {
  const runs: Run[] = [];
  let done = 0;
  eachBlock(text, 0, (hash, at) => {
    let best: Run | null = null;
    for (const place of places.get(hash) ?? []) {
      const run = runAt(text, at, all, place, done);
      if (run !== null && run.end - run.start > (best === null ? 0 : best.end - best.start)) best = run;
    }
    if (best === null) return at;
    runs.push(best);
    done = best.end;
    return best.end;
  });
  return runs;
}

function runAt(text: string, at: number, all: string, place: number, done: number): Run | null {
  let length = 0;
  while (text.charCodeAt(at + length) === all.charCodeAt(place + length) && text.charAt(at + length) !== end)
    length += 1;
  if (length < block) return null;
  let head = 0;
  while (at - head > done && text.charCodeAt(at - head - 1) === all.charCodeAt(place - head - 1)) head += 1;
  return { start: at - head, end: at + length };
}

// Forms in which texts are compared.

function fold(text: string): Compared {
  return { text: foldText(text), offsets: null };
}

/** Lower case, with one blank for each run of blanks and plus signs; in one pass, as texts may be long. */
function foldText(text: string): string {
  const small = text.toLowerCase();
  const folded = new Uint16Array(small.length);
  let count = 0;
  let isAfterBlank = false;
  for (let at = 0; at < small.length; at += 1) {
    const code = small.charCodeAt(at);
    const isBlank = code < 0x80 ? blanks.includes(code) : /\s/.test(small.charAt(at));
    if (isBlank && isAfterBlank) continue;
    folded[count] = isBlank ? 0x20 : code;
    count += 1;
    isAfterBlank = isBlank;
  }
  return utf16.decode(folded.subarray(0, count));
}

/** Blanks below U+0080, and the plus sign, which is one in an address. */
const blanks = [0x20, 0x0a, 0x2b, 0x09, 0x0d, 0x0b, 0x0c];
const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Known texts in letters; bounded, because a chat compares the same texts at each of its changes. */
let inLetters = new Map<string, Compared>();
const maxInLetters = 64;

/** Returns the letters and digits of a text, in lower case. */
function lettersOf(text: string): Compared {
  const known = inLetters.get(text);
  if (known !== undefined) return known;
  const small = text.toLowerCase();
  // Where lower case has another length, offsets are only near the passage.
  const offsets = new Uint32Array(small.length);
  const letters = new Uint16Array(small.length);
  let count = 0;
  for (let at = 0; at < small.length; at += 1) {
    const code = small.charCodeAt(at);
    if (!isLetter(code)) continue;
    offsets[count] = at;
    letters[count] = code;
    count += 1;
  }
  const compared = { text: utf16.decode(letters.subarray(0, count)), offsets };
  if (text.length < 1_000) return compared;
  if (inLetters.size >= maxInLetters) inLetters = new Map();
  inLetters.set(text, compared);
  return compared;
}

function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f);
}

/** Returns the text itself and its percent, hexadecimal, and Base64 decodings. */
function formsOf(text: string): ReadonlySet<string> {
  const plain = decodePercent(text);
  const encoded = [...plain.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].flatMap(([run]) => [
    /^(?:[0-9a-f]{2})+$/i.test(run) ? readHex(run) : '',
    readBase64(run),
  ]);
  const forms = [text, plain, decodePercent(plain), ...encoded].map(foldText);
  return new Set(forms.filter((form) => form.length >= shortest));
}

/** Returns what all outgoing texts together, and each in its other spellings, may say. */
function readingsOf(outgoing: readonly string[]): string[] {
  const plain = outgoing.map((text) => decodePlain(text.slice(0, maxRead)));
  const texts = [plain.join(' ').slice(0, 2 * maxRead), decodePlain(joinPieces(outgoing).slice(0, maxRead))];
  return texts.flatMap((text) => {
    const turned = [...text].reverse().join('');
    return [text, turned, rotate(text), ...decodingsOf(text), ...decodingsOf(turned)];
  });
}

function decodePlain(text: string): string {
  return decodeYamlEscapes(decodeSpelling(decodePercent(decodePercent(text))));
}

/** Joins texts without what all of them begin and end with, such as the address to which pieces are sent. */
function joinPieces(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.length === 0) return '';
  const same = (at: (text: string, offset: number) => string): number => {
    let length = 0;
    while (length < first.length && others.every((text) => at(text, length) === at(first, length))) length += 1;
    return length;
  };
  const head = same((text, offset) => text.charAt(offset));
  const tail = same((text, offset) => text.charAt(text.length - 1 - offset));
  return texts.map((text) => text.slice(head, Math.max(head, text.length - tail))).join('');
}

/** Returns what the letters and digits of a text say as Base64, hexadecimal digits, or character codes. */
function decodingsOf(text: string): string[] {
  const strict = text.replace(/[^A-Za-z0-9+/]+/g, '');
  const forUrls = text.replace(/[^A-Za-z0-9+/_-]+/g, '');
  const digits = text.replace(/0x|\\x|&#x/gi, '').replace(/[^0-9a-f]+/gi, '');
  const once = [strict, ...(forUrls === strict ? [] : [forUrls])].flatMap((signs) =>
    [0, 1, 2, 3].map((offset) => readBase64(signs.slice(offset))),
  );
  const twice = once.flatMap((decoded) => (decoded.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).map(readBase64));
  const codes = (text.match(/\d{2,3}/g) ?? []).map(Number).filter((code) => code >= 32 && code < 256);
  return [
    ...once,
    twice.join(' '),
    readHex(digits),
    readHex(digits.slice(1)),
    String.fromCodePoint(...codes.slice(0, 10_000)),
  ];
}

function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}

function readHex(digits: string): string {
  const bytes = new Uint8Array(digits.length >> 1);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return decodeBytes(bytes);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map<string, number>([
  ...[...alphabet].map((sign, value) => [sign, value] as const),
  ['-', 62],
  ['_', 63],
]);

function readBase64(run: string): string {
  const bytes = new Uint8Array((run.length * 3) >> 2);
  let [bits, held, length] = [0, 0, 0];
  for (const sign of run) {
    held = ((held << 6) | (values.get(sign) ?? 0)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = (held >> bits) & 0xff;
    length += 1;
  }
  return decodeBytes(bytes.subarray(0, length));
}

/** Decodes UTF-8, and UTF-16 as far as it is one byte and a zero. */
function decodeBytes(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\0/g, '');
}
