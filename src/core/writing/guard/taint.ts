/** Taint: the source of untrusted text in a chat (rules 6.9). Within a chat it is never cleared. */
import { words } from '../../../text';
import { foldPlace, isAtPlace } from '../../base/fold';
import { type Outcome, succeed } from '../../ports/failure';
import type { Vault } from '../../ports/vault';
import { type Addition, type EntryBody, type Mention, type SessionEntry, splitResourceId } from '../../session/entry';
import { folderPrefixes } from './fence';
import type { Provenance } from './provenance';

/** The parts of a message or result that may contain untrusted text. */
export interface TaintCarriers {
  /** The source of untrusted text that is in no note, as words. */
  readonly untrusted?: string | null;
  readonly mentions?: readonly Mention[];
  readonly additions?: readonly Addition[];
  readonly notes?: readonly SentNote[];
}

/** A note sent to the model, and the text shown of it. */
interface SentNote {
  readonly path: string;
  readonly text?: string | null;
}

/** What identifies notes with untrusted text. */
export interface TaintPlaces {
  readonly vault: Pick<Vault, 'outline'>;
  /** Folders of web clippings. */
  readonly clippings: readonly string[];
  /** Notes that chats wrote with untrusted text in their context; undefined where writing is off. */
  readonly untrusted?: Pick<Provenance, 'has' | 'saidOf' | 'problem'> | undefined;
}

/** Returns the first source of untrusted text, as words that name it; null if all text is the user's own. */
export function taintOf(
  { untrusted: source = null, mentions = [], additions = [], notes = [] }: TaintCarriers,
  places: TaintPlaces,
): string | null {
  if (source !== null) return source;
  if (notes.length > 0 && places.untrusted?.problem != null) return places.untrusted.problem;
  const addition = additions.find(({ kind }) => kind !== 'context-file');
  if (addition !== undefined) return taintOfAddition(addition);
  const external = notes.find(({ path }) => isExternal(path, places)) ?? notes.find((note) => isUnread(note, places));
  if (external !== undefined) return external.path;
  const written = notes.find(({ path }) => places.untrusted?.has(path) === true);
  if (written !== undefined) return words.keeping.taintOfWritten(written.path);
  const disguised = notes.find(({ text }) => text !== null && text !== undefined && hasInvisible(text));
  if (disguised !== undefined) return words.keeping.taintOfInvisible(disguised.path);
  return mentions.some(({ kind }) => kind === 'image') ? words.keeping.taintOfImage : null;
}

function taintOfAddition({ kind, source }: Addition): string {
  return kind === 'resource'
    ? words.servers.taintOf(splitResourceId(source).server)
    : words.keeping.taintOfHook(source);
}

/** What the user said of a note decides; else its folder and its properties do. */
function isExternal(path: string, { vault, clippings, untrusted }: TaintPlaces): boolean {
  const said = untrusted?.saidOf(path) ?? null;
  if (said !== null) return said === 'others';
  if (folderPrefixes(clippings).some((place) => isAtPlace(place, path))) return true;
  if (isInClippingFolder(path)) return true;
  return Object.values(vault.outline(path)?.properties ?? {}).some((value) => holdsAddress(value));
}

/** Folders, at any depth, into which readers of pages, books, and mail put what others wrote. */
const clippingNames: ReadonlySet<string> = new Set(
  [
    ...['clippings', 'clipping', 'web clippings', 'web clips', 'webclips', 'readwise', 'omnivore', 'zotero'],
    ...['emails', 'email', 'e-mails', 'e-mail', 'mails', 'mail', 'mail inbox', 'email inbox', 'newsletters'],
    ...['instapaper', 'pocket', 'raindrop', 'hypothesis'],
  ].map(foldPlace),
);

function isInClippingFolder(path: string): boolean {
  return foldPlace(path)
    .split('/')
    .slice(0, -1)
    .some((folder) => clippingNames.has(folder.trim()));
}

/** How deep values inside properties are searched. */
const maxDepth = 8;

function holdsAddress(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return address.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return depth >= maxDepth || Object.values(value).some((each) => holdsAddress(each, depth + 1));
}

const address = /\bhttps?:\/\/\S|(?:^|[\s"'(<[])www\.[^\s.]+\.[^\s]/i;

/**
 * Whether the text of a note has a web address in properties that the index does not have, such as those that could not
 * be parsed, or that were written a moment ago.
 */
function isUnread({ path, text }: SentNote, { vault, untrusted }: TaintPlaces): boolean {
  if (text == null || (untrusted?.saidOf(path) ?? null) !== null) return false;
  const isParsed = Object.keys(vault.outline(path)?.properties ?? {}).length > 0;
  return isParsed
    ? text.startsWith('---') && hasAddressAt(text, 0)
    : findBlocks(text).some((at) => hasAddressAt(text, at));
}

/** Lines of a block of properties that are looked through. */
const maxBlockLines = 60;

/** Returns where a block of properties may begin: the text may be one of several in a result. */
function findBlocks(text: string): number[] {
  return [...text.matchAll(/^---[ \t]*\r?$/gm)].map(({ index }) => index);
}

function hasAddressAt(text: string, start: number): boolean {
  let at = text.indexOf('\n', start) + 1;
  // A line of dashes in the body is followed by no key.
  if (!isKey.test(text.slice(at, at + maxKey))) return false;
  for (let line = 0; line < maxBlockLines && at > 0; line += 1) {
    const end = text.indexOf('\n', at);
    const written = text.slice(at, end === -1 ? undefined : end);
    if (/^---[ \t]*\r?$/.test(written)) return false;
    if (isProperty.test(written) && address.test(written)) return true;
    at = end + 1;
  }
  return false;
}

const maxKey = 120;
const isKey = /^[^\s:#>|*-][^:\r\n]{0,80}:(?:\s|$)/;
/** A line as properties have it: a key, or an item of a list. */
const isProperty = /^(?:[^\s:#>|*-][^:]{0,80}:(?:\s|$)|\s*-\s|\s+\S)/;

/** Whether text contains invisible or direction-changing characters, which nobody types. */
function hasInvisible(text: string): boolean {
  return /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** ChatTaint: the source of untrusted text in one chat, recorded in its log; once set, it stays. */
export class ChatTaint {
  private marked: string | null;
  private isRecorded: boolean;

  constructor(
    entries: readonly SessionEntry[],
    private readonly store: (body: EntryBody) => Promise<Outcome<unknown>>,
    private readonly changed: () => void,
  ) {
    this.marked = foldTaint(entries);
    this.isRecorded = this.marked !== null;
  }

  /** The source as words; null for none. */
  get source(): string | null {
    return this.marked;
  }

  /** Marks the chat from now on; the first source stays. Null changes nothing. */
  mark(source: string | null): void {
    if (source === null || this.marked !== null) return;
    this.marked = source;
    this.changed();
  }

  /** Stores the mark. Must be called before the untrusted text is stored, so that a reload never finds it unmarked. */
  async record(): Promise<Outcome<unknown>> {
    if (this.marked === null || this.isRecorded) return succeed(undefined);
    const stored = await this.store({ kind: 'tainted', source: this.marked });
    this.isRecorded = stored.ok;
    return stored;
  }
}

/** Returns the source of untrusted text recorded in a log. */
export function foldTaint(entries: readonly SessionEntry[]): string | null {
  return entries.find((entry) => entry.kind === 'tainted')?.source ?? null;
}
