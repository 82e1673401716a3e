/**
 * Reads the notes of a prompt: pinned notes, then mentioned notes and parts, each once and in parallel. A note that
 * cannot be read carries the problem instead of a text; a long one is sent in part unless the user attached it whole.
 */
import { createWorkBudget } from '../../base/async';
import { fingerprint } from '../../base/equality';
import { contextFileIn, memoryPath } from '../../library/context-files';
import { splitPart, takePart } from '../../markdown/structure';
import { outlineNote, tokensByRule, tokensFor } from '../../markup/budget';
import { describeFailure, type Outcome } from '../../ports/failure';
import type { FileEntry, NoteText, Vault } from '../../ports/vault';
import type { Mention } from '../../session/entry';
import { listNotes } from '../listing/list-notes';
import type { Fact } from '../section';
import type { AttachedList, AttachedNote, World } from '../world';
import { countIfLong, writeLongNote } from './long-note';
import { hasSection } from './turn-state';

export const attachedNotes: Fact<readonly AttachedNote[]> = {
  id: 'attached-notes',
  gather: async (world, signal) => {
    const whole = attachedPaths(world);
    const parts = mentionedParts(world).filter(({ path }) => !whole.has(path));
    const pinned = pinnedPaths(world);
    const named = mentionsByPath(world);
    const known = pathsInPrompt(world);
    const attached = await Promise.all([
      ...[...whole].map((path) => {
        const mention = named.get(path);
        return readMentioned(world, { path, mention, isPinned: pinned.has(path), known }, signal);
      }),
      ...parts.map(async ({ path, part }) => {
        const note = await readWhole(world, path, signal);
        if (note.text !== null) return takePart(note.path, note.text, part);
        return { ...note, ...(part.startsWith('^') ? { block: part } : { heading: part }) };
      }),
    ]);
    return attached.filter((note) => note !== null);
  },
};

interface MentionedNote {
  readonly path: string;
  /** Undefined for a note that is only pinned. */
  readonly mention: Mention | undefined;
  readonly isPinned: boolean;
  /** The paths of the notes whose text the system prompt may contain. */
  readonly known: ReadonlySet<string>;
}

/**
 * Reads a mentioned note; resolves to null for a pinned note, whose text is in the reference. Of a long one, the
 * reference has no more than the outline and the beginning.
 */
async function readMentioned(
  world: World,
  mentioned: MentionedNote,
  signal: AbortSignal,
): Promise<AttachedNote | null> {
  const { turn } = world;
  const { path, mention, isPinned, known } = mentioned;
  if (isOnlyPinned(world, mentioned)) return null;
  const note = await readOnce(world, path, known, signal);
  const budget = createWorkBudget(signal);
  const tokens = note.text === null ? null : await countIfLong(world, note.text, budget);
  if (isPinned && tokens === null && turn.pinsInPart?.includes(note.path) !== true) return null;
  if (tokens === null || note.text === null) return onceOnly(world, note);
  if (mention?.form === 'whole' || isSentWhole(world, note)) return onceOnly(world, { ...note, isLong: true });
  const message = messageWithout(turn, mention?.label ?? path);
  const long = { text: note.text, tokens, message, outlined: !isPinned };
  const text = await writeLongNote(long, turn, budget);
  return onceOnly(world, { ...note, text, whole: note.text, isLong: true });
}

/** Whether a note belongs to the reference alone. */
function isOnlyPinned({ turn }: World, { path, mention, isPinned }: MentionedNote): boolean {
  return isPinned && (mention === undefined || turn.noteForms?.[path] === 'pinned');
}

/** Returns the message without the note's own name, which says nothing about its parts. */
function messageWithout({ message = '' }: World['turn'], label: string): string {
  return message.replaceAll(`[[${label}]]`, ' ');
}

function pathOf({ vault }: Pick<World, 'vault'>, path: string): string {
  return vault.file(path)?.path ?? path;
}

/** Returns the first mention of each note that is mentioned whole, by path. */
function mentionsByPath({ vault, turn }: World): ReadonlyMap<string, Mention> {
  const notes = turn.mentions.filter(({ kind }) => kind === 'note');
  return new Map([...notes].reverse().map((mention) => [pathOf({ vault }, mention.id), mention]));
}

interface PinnedPaths {
  readonly files: readonly FileEntry[];
  readonly paths: ReadonlySet<string>;
}

/** The paths of the pinned notes, which several facts of one prompt need, by the files that decide them. */
const pinnedIn = new WeakMap<World, PinnedPaths>();

/** Empty where the prompt leaves pinned notes out: one that is mentioned then goes with its message. */
function pinnedPaths(world: World): ReadonlySet<string> {
  if (!hasSection(world.turn, 'context-notes')) return new Set();
  const files = world.vault.files();
  const known = pinnedIn.get(world);
  if (known?.files === files) return known.paths;
  const paths = new Set(world.turn.contextNotes.map((path) => pathOf(world, path)));
  pinnedIn.set(world, { files, paths });
  return paths;
}

/** Returns the paths of the notes that are sent whole, pinned notes first. */
function attachedPaths(world: World): ReadonlySet<string> {
  const mentioned = world.turn.mentions.filter(({ kind }) => kind === 'note').map(({ id }) => pathOf(world, id));
  return new Set([...pinnedPaths(world), ...mentioned]);
}

/** Returns each mentioned part once, without mentions that name no part. */
function mentionedParts({ vault, turn }: World) {
  const mentions = turn.mentions.filter(({ kind }) => kind === 'heading' || kind === 'block');
  const parts = mentions.map(({ id }) => {
    const { path, part } = splitPart(id, vault);
    return { path: pathOf({ vault }, path), part };
  });
  return parts.filter(
    (each, index) =>
      each.part !== '' && parts.findIndex(({ path, part }) => path === each.path && part === each.part) === index,
  );
}

/** The starts of a fingerprint of a note that was sent in part, so that the whole can be sent later. */
const partStarts = { outline: 'part ', shortened: 'cut ' } as const;
export type PartForm = keyof typeof partStarts;

/**
 * Returns what is remembered of a note that was sent; null if nothing of it was.
 * @param isShortened whether its share of the tokens was too small for the text
 */
export function printOfNote({ text, whole }: AttachedNote, isShortened = false): string | null {
  if (text === null) return null;
  // What was shortened is never taken for sent, since next time there may be space for all of it.
  if (isShortened) return partStarts.shortened + fingerprint(text);
  return whole === undefined ? fingerprint(text) : partStarts.outline + fingerprint(text);
}

/** Returns how a note was sent in part, by what is remembered of it; null if it was sent whole. */
export function partFormOf(print: string): PartForm | null {
  const forms = Object.keys(partStarts) as PartForm[];
  return forms.find((form) => print.startsWith(partStarts[form])) ?? null;
}

function isSentWhole({ turn }: World, { path, text }: AttachedNote): boolean {
  const known = turn.sentNotes?.get(path);
  return text !== null && known !== undefined && known === fingerprint(text);
}

/** Replaces an unchanged note that was sent before with its name, so that its text is sent only once (R227). */
function onceOnly({ turn }: World, note: AttachedNote): AttachedNote {
  const known = turn.sentNotes?.get(note.path);
  if (known === undefined || known !== printOfNote(note)) return note;
  return { path: note.path, text: null, asBefore: true, ...(partFormOf(known) === null ? {} : { isLong: true }) };
}

/** Applies the form that the user chose to a pinned note. */
function inForm({ turn }: World, note: AttachedNote): AttachedNote {
  const form = turn.noteForms?.[note.path];
  if (form === undefined || note.text === null) return note;
  return form === 'pinned' ? { ...note, pinned: true } : { ...note, text: outlineNote(note.text), whole: note.text };
}

/** The share of the context window up to which the system prompt has the user's own instructions whole. */
const ownShare = 0.03;

/** Returns the paths of the notes whose text the system prompt contains, unless they are long. */
function pathsInPrompt({ vault, agentFolder, settings, turn }: World): ReadonlySet<string> {
  const hasContext = hasSection(turn, 'project-context') && settings.contextFilesIn !== 'first-touch';
  const context = hasContext ? contextFileIn(vault, '', settings.contextFiles) : undefined;
  return new Set([
    ...(hasSection(turn, 'user-memory') ? [memoryPath(agentFolder)] : []),
    ...(context === undefined ? [] : [context]),
  ]);
}

/** Reads a note whose text the system prompt does not contain; of the others, the name is enough (R227). */
async function readOnce(
  world: World,
  path: string,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<AttachedNote> {
  const note = await readWhole(world, path, signal);
  if (note.text === null || !known.has(note.path)) return note;
  const isShort = tokensByRule(note.text) <= world.turn.contextWindow * ownShare;
  return isShort ? { path: note.path, text: null, inPrompt: true } : note;
}

async function readWhole(world: World, path: string, signal: AbortSignal): Promise<AttachedNote> {
  const outcome = await world.readNote(path, signal);
  return outcome.ok
    ? { path: outcome.value.path, text: outcome.value.text }
    : { path, text: null, problem: describeFailure(outcome.failure) };
}

/** Shares of the context window, and maximum tokens, for all lines and for all full texts. */
const lineShare = 0.02;
const maxLineTokens = 4_000;
const textShare = 0.05;
const maxTextTokens = 10_000;

/** Reads the folders and tags that the user mentioned, one after another, so that no note is sent in full twice. */
export const attachedLists: Fact<readonly AttachedList[]> = {
  id: 'attached-lists',
  gather: async (world, signal) => {
    const mentions = world.turn.mentions.filter(({ kind }) => kind === 'folder' || kind === 'tag');
    const keyOf = (mention: (typeof mentions)[number]): string => `${mention.kind}:${mention.id}`;
    const each = [...new Map(mentions.map((mention) => [keyOf(mention), mention])).values()];
    if (each.length === 0) return [];
    const window = world.turn.contextWindow;
    const budget = {
      lines: Math.floor(tokensFor(window, lineShare, maxLineTokens) / each.length),
      texts: Math.floor(tokensFor(window, textShare, maxTextTokens) / each.length),
    };
    const taken = new Set(attachedPaths(world));
    const lists: AttachedList[] = [];
    for (const { kind, id } of each) {
      const isTag = kind === 'tag';
      const name = isTag ? `#${id.replace(/^#/, '')}` : id.replace(/^\/+|\/+$/g, '');
      lists.push(await listNotes(world, isTag ? 'tag' : 'folder', name, budget, taken, signal));
    }
    return lists;
  },
};

/** The pinned notes of a chat, which are sent apart from those of one message (R221). */
export const contextNotes: Fact<readonly AttachedNote[]> = {
  id: 'context-notes',
  gather: (world, signal) => {
    const known = pathsInPrompt(world);
    return Promise.all([...pinnedPaths(world)].map((path) => readPinned(world, path, known, signal)));
  },
};

/** Reads a pinned note; a long one is sent in part unless the user chose a form for it. */
async function readPinned(
  world: World,
  path: string,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<AttachedNote> {
  const read = await readOnce(world, path, known, signal);
  const note = inForm(world, read);
  if (note !== read || note.text === null) return note;
  const budget = createWorkBudget(signal);
  const tokens = await countIfLong(world, note.text, budget);
  if (tokens === null) return note;
  const long = { text: note.text, tokens, message: '', outlined: true };
  const text = await writeLongNote(long, world.turn, budget);
  return { ...note, text, whole: note.text, isLong: true };
}

/** Maximum characters in the cache; the notes read longest ago are dropped first. */
const capacity = 8_000_000;

/** A cache of note texts for prompts and display. Cleared on change; never base a write on it. */
export class NoteCache {
  private readonly held = new Map<string, { readonly entry: FileEntry; readonly note: NoteText }>();
  private characters = 0;
  /** The reads that `begin` has started and that have not ended, by the path that was asked for. */
  private readonly begun = new Map<string, Promise<void>>();

  constructor(private readonly vault: Vault) {}

  /** Starts to read a note that is not in the cache, so that the next `read` of it takes less time. */
  begin(path: string): void {
    if (this.held.has(path) || this.begun.has(path)) return;
    const end = (): void => void this.begun.delete(path);
    this.begun.set(path, this.readFresh(path, this.vault.file(path)).then(end, end));
  }

  async read(path: string, signal: AbortSignal): Promise<Outcome<NoteText>> {
    // Looked up first: the note may have been changed or hidden since the read of it was begun.
    const entry = this.vault.file(path);
    const begun = this.begun.get(path);
    if (begun !== undefined) await begun;
    const held = entry && this.held.get(entry.path);
    if (entry && held && held.entry.modified === entry.modified && held.entry.size === entry.size) {
      return { ok: true, value: held.note };
    }
    return this.readFresh(path, entry, signal);
  }

  private async readFresh(path: string, entry: FileEntry | undefined, signal?: AbortSignal) {
    const outcome = await this.vault.read(path, signal);
    if (outcome.ok && entry) this.keep(entry, outcome.value);
    return outcome;
  }

  /** Removes the given paths, even if their modification times are unchanged. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) {
      const held = this.held.get(path);
      if (held === undefined) continue;
      this.characters -= held.note.text.length;
      this.held.delete(path);
    }
  }

  private keep(entry: FileEntry, note: NoteText): void {
    this.forget([entry.path]);
    // One that is larger than all of the cache would only push the others out.
    if (note.text.length > capacity) return;
    this.held.set(entry.path, { entry, note });
    this.characters += note.text.length;
    for (const path of this.held.keys()) {
      if (this.characters <= capacity) return;
      this.forget([path]);
    }
  }
}
