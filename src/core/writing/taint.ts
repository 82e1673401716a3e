/** Taint: whose text, other than the user's, stands in a conversation (rules 6.9). It never falls inside one. */
import { words } from '../../text';
import type { Vault } from '../ports/vault';
import type { Addition, Mention, SessionEntry } from '../session/entry';
import type { ForeignNotes } from './foreign-notes';

/** What was sent or is about to be, as far as it can hold others' text. */
export interface TaintCarriers {
  /** Whose text it is where no note holds it, in words. */
  readonly foreign?: string | null;
  readonly mentions?: readonly Mention[];
  readonly additions?: readonly Addition[];
  readonly notes?: readonly ToldNote[];
}

/** A note of which something is shown, and what is shown of it. */
export interface ToldNote {
  readonly path: string;
  readonly text?: string | null;
}

/** Where notes of others' text are told apart. */
export interface TaintPlaces {
  readonly vault: Pick<Vault, 'outline'>;
  /** Folders of clipped pages, without a trailing slash. */
  readonly clippings: readonly string[];
  /** What chats wrote with others' text in view; nothing where nothing can be written. */
  readonly foreign?: Pick<ForeignNotes, 'has'> | undefined;
}

/** The first of them that others wrote, in words that name it; null when all is the user's own. */
export function taintOf(
  { foreign = null, mentions = [], additions = [], notes = [] }: TaintCarriers,
  places: TaintPlaces,
): string | null {
  if (foreign !== null) return foreign;
  const hook = additions.find(({ kind }) => kind === 'hook');
  if (hook !== undefined) return words.keeping.taintOfHook(hook.source);
  const external = notes.find(({ path }) => isExternal(path, places)) ?? notes.find((note) => isUnread(note, places));
  if (external !== undefined) return external.path;
  const written = notes.find(({ path }) => places.foreign?.has(path) === true);
  if (written !== undefined) return words.keeping.taintOfWritten(written.path);
  const disguised = notes.find(({ text }) => text !== null && text !== undefined && hasInvisible(text));
  if (disguised !== undefined) return words.keeping.taintOfInvisible(disguised.path);
  return mentions.some(({ kind }) => kind === 'image') ? words.keeping.taintOfImage : null;
}

/** Whose text a conversation holds by its log. */
export function foldTaint(entries: readonly SessionEntry[]): string | null {
  return entries.find((entry) => entry.kind === 'tainted')?.source ?? null;
}

function isExternal(path: string, { vault, clippings }: TaintPlaces): boolean {
  const folded = path.toLowerCase();
  if (clippings.some((folder) => folder !== '' && folded.startsWith(`${folder.toLowerCase()}/`))) return true;
  const properties = Object.entries(vault.outline(path)?.properties ?? {});
  return properties.some(([key, value]) => /^(?:source|url)$/i.test(key) && [value].flat().some(isAddress));
}

/** The index has nothing of a block that it cannot read, so that its text is looked at. */
function isUnread({ path, text }: ToldNote, { vault }: TaintPlaces): boolean {
  const properties = vault.outline(path)?.properties ?? {};
  return text != null && Object.keys(properties).length === 0 && unreadAddress.test(text);
}

/** As it is written in a block of properties, wherever that stands in what is shown. */
const unreadAddress = /^---[ \t]*\r?\n(?:[^\n]*\n){0,60}?(?:source|url)[ \t]*:[ \t]*["']?https?:\/\//im;

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(?:\[[^\]]*\]\(|<)?https?:\/\//i.test(value);
}

/** Marks that hide text or turn it round; no one types them. */
function hasInvisible(text: string): boolean {
  return /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]/u.test(text);
}
