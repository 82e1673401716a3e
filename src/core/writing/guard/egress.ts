/** Egress: finds new addresses in a change, and network calls, that would send text of notes out of the vault (6.9). */
import { decodeEntities } from '../../markdown/links';
import type { SessionEntry } from '../../session/entry';
import { type FileChange, textAfter, textBefore } from '../changeset/changeset';

const found = new WeakMap<FileChange, { readonly last: SessionEntry | undefined; readonly passages: string[] }>();

/**
 * Finds passages of text the chat has read inside new addresses of a change. Cached per state of the log, which only
 * grows, because a review asks at every click.
 */
export function findLeakedText(change: FileChange, entries: readonly SessionEntry[]): readonly string[] {
  const last = entries.at(-1);
  const known = found.get(change);
  if (known !== undefined && known.last === last) return known.passages;
  const passages = findCarried(change, entries);
  found.set(change, { last, passages });
  return passages;
}

function findCarried(change: FileChange, entries: readonly SessionEntry[]): string[] {
  if (change.to === null) return [];
  const before = textBefore(change);
  const added = addressesIn(textAfter(change)).filter((address) => !before.includes(address));
  if (added.length === 0) return [];
  const known = knownText(entries);
  const earlier = knownText(entriesBefore(change, entries));
  // An address copied whole from a note reveals nothing new to its host.
  const isCopied = (address: string): boolean => [...earlier.read, ...known.own].some((text) => text.includes(address));
  const made = added.filter((address) => !isCopied(address));
  return carriedText(
    made.map((address) => address.replace(/^[a-z]+:(?:\/\/)?/i, '')),
    known,
  );
}

/**
 * Finds passages of text the chat has read inside the arguments of a network call. Checks all of the arguments, in
 * overlapping pieces, so that long text cannot hide a passage.
 */
export function findLeakedTextInCall(argumentsText: string, entries: readonly SessionEntry[]): readonly string[] {
  return carriedText(piecesOf(plainText(argumentsText)), knownText(entries));
}

/** Characters of a piece, and how many of them the next piece repeats. */
const pieceLength = 15_000;
const pieceOverlap = 500;

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  do {
    pieces.push(text.slice(at, at + pieceLength));
    at += pieceLength - pieceOverlap;
  } while (at + pieceOverlap < text.length);
  return pieces;
}

/** Returns all keys and strings of JSON arguments, without JSON escapes. */
function plainText(json: string): string {
  const texts: string[] = [];
  JSON.parse(json, (key, value: unknown) => {
    texts.push(key);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
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
  return { read, own: entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])) };
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
  const found = text.match(/(?:https?:\/\/|mailto:)[^\s<>"`]{1,4096}/gi) ?? [];
  return [...new Set(found.map((address) => address.replace(/[.,;:!?'*_)\]}]+$/, '')))];
}

// Leaked text: text the chat has read that an address or argument contains, plain or encoded (rules 6.9).

/** Shared characters in a row that cannot be a coincidence. */
const shortest = 24;
/** Characters of a block: every passage of the minimum length contains one aligned block. */
const block = shortest / 2;
/** Limits per outgoing text: characters checked, occurrences checked per block, and passages reported. */
const maxCharacters = 16_000;
const maxPlaces = 50;
const maxPassages = 5;

interface ReadText {
  /** The text that the chat has read. */
  readonly read: readonly string[];
  /** The user's own text, which may be sent. */
  readonly own: readonly string[];
}

/** Returns the leaked passages in lower case and without line breaks, each once. */
export function carriedText(outgoing: readonly string[], { read, own }: ReadText): string[] {
  const [texts, said] = [read.map(fold), own.map(fold)];
  return [...new Set(outgoing.flatMap((each) => passagesIn(each, texts, said)))];
}

function passagesIn(outgoing: string, texts: readonly string[], said: readonly string[]): string[] {
  const found = new Set<string>();
  for (const form of formsOf(outgoing.slice(0, maxCharacters))) {
    for (let at = 0; at + block <= form.length; at += block) {
      const passages = texts.flatMap((text) => passagesAt(form, at, text));
      const unsaid = passages.filter((passage) => !said.some((words) => words.includes(passage)));
      for (const passage of unsaid) found.add(passage);
    }
  }
  return [...found].slice(0, maxPassages);
}

/** Returns the longest common passages around each occurrence of a block in a text. */
function passagesAt(form: string, at: number, text: string): string[] {
  const wanted = form.slice(at, at + block);
  const passages: string[] = [];
  let place = text.indexOf(wanted);
  for (let count = 0; place !== -1 && count < maxPlaces; count += 1) {
    let head = 0;
    while (head < at && head < place && form[at - head - 1] === text[place - head - 1]) head += 1;
    let end = block;
    while (at + end < form.length && place + end < text.length && form[at + end] === text[place + end]) end += 1;
    if (head + end >= shortest) passages.push(form.slice(at - head, at + end).trim());
    place = text.indexOf(wanted, place + 1);
  }
  return passages;
}

/** Returns the text itself and its percent, hexadecimal, and Base64 decodings. */
function formsOf(text: string): ReadonlySet<string> {
  const plain = decodePercent(text);
  const encoded = [...plain.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].flatMap(([run]) => [readHex(run), readBase64(run)]);
  return new Set([text, plain, decodePercent(plain), ...encoded].map(fold).filter((form) => form.length >= shortest));
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s+]+/g, ' ');
}

/** Decodes percent escapes; invalid ones stay unchanged. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function readHex(run: string): string {
  const pairs = /^(?:[0-9a-f]{2})+$/i.test(run) ? (run.match(/../g) ?? []) : [];
  return new TextDecoder().decode(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function readBase64(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of run.replace(/-/g, '+').replace(/_/g, '/')) {
    held = ((held << 6) | alphabet.indexOf(sign)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
