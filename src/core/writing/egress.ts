/** Egress: which new addresses of a change, and which calls to the network, would take text of notes out of the vault (6.9). */
import { decodeEntities } from '../markdown/links';
import type { SessionEntry } from '../session/entry';
import { carriedText, type KnownText } from './carried-text';
import { type FileChange, textAfter, textBefore } from './changeset';

const found = new WeakMap<FileChange, { readonly last: SessionEntry | undefined; readonly passages: string[] }>();

/**
 * Passages of what was read that stand in addresses of the change which nobody has written before. A review asks at
 * every click, so that they are looked for once for each state of the log, which only grows.
 */
export function carriedBy(change: FileChange, entries: readonly SessionEntry[]): readonly string[] {
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
  // An address that stood in a note as a whole tells its host nothing new.
  const isCopied = (address: string): boolean => [...earlier.read, ...known.own].some((text) => text.includes(address));
  const made = added.filter((address) => !isCopied(address));
  return carriedText(
    made.map((address) => address.replace(/^[a-z]+:(?:\/\/)?/i, '')),
    known,
  );
}

/**
 * Passages of what was read that a call would take to the network. All of the arguments are looked through, in pieces that
 * reach into one another, so that nothing is hidden behind much other text.
 */
export function carriedByCall(argumentsText: string, entries: readonly SessionEntry[]): readonly string[] {
  return carriedText(piecesOf(plainText(argumentsText)), knownText(entries));
}

/** Characters of a piece, and how many of them stand in the next one as well. */
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

/** Every text of some arguments, whatever escapes JSON puts into them. */
function plainText(json: string): string {
  const texts: string[] = [];
  JSON.parse(json, (key, value: unknown) => {
    texts.push(key);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}

/** What a conversation has read, without what its own writes echoed, and what its user said. */
function knownText(entries: readonly SessionEntry[]): KnownText {
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

/** Up to the answer that began the change: what it reads back of its own is no source. */
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
