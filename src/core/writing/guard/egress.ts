/** Egress: finds new addresses in a change, and network calls, that would send text of notes out of the vault (6.9). */
import { decodeEntities } from '../../markdown/links';
import type { SessionEntry } from '../../session/entry';
import { type FileChange, textAfter, textBefore } from '../changeset/changeset';
import { decodeSpelling, decodeYamlEscapes, webAddressesIn } from './addresses';
import { carriedText, type ReadText } from './carried-text';

export { carriedText };

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
  const before = new Set(addressesIn(textBefore(change)));
  const added = addressesIn(textAfter(change)).filter((address) => !before.has(address));
  if (added.length === 0) return [];
  const known = knownText(entries);
  const earlier = knownText(entriesBefore(change, entries));
  // An address copied whole from a note reveals nothing new to its host.
  const copied = new Set([...earlier.read, ...known.own].flatMap(addressesIn));
  const made = added.filter((address) => !copied.has(address));
  if (made.length === 0) return [];
  // Pieces of a passage may be in addresses of several calls.
  const others = addressesOfTurn(entries).filter((address) => !copied.has(address) && !made.includes(address));
  const bare = (address: string): string => address.replace(/^[a-z]+:(?:\/\/)?/i, '');
  return carriedText([...others, ...made].slice(-maxAddresses).map(bare), known);
}

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
  const views = [text, decodeSpelling(text)];
  const found = views.flatMap((view) => view.match(/(?:https?:\/\/|mailto:)[^\s<>"`]{1,4096}/gi) ?? []);
  return [...new Set(found.map((address) => address.replace(/[.,;:!?'*_)\]}]{1,100}$/, '')))];
}
