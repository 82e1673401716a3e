/** Taint: the source of untrusted text in a chat (rules 6.9). Within a chat it is never cleared. */
import * as z from 'zod/v4';
import { words } from '../../../text';
import { lazy } from '../../base/lazy';
import type { DeviceStorage } from '../../ports/device';
import { type Outcome, succeed } from '../../ports/failure';
import type { Vault } from '../../ports/vault';
import type { Addition, EntryBody, Mention, SessionEntry } from '../../session/entry';
import type { Operation } from '../changeset/journal-records';

/** The parts of a message or result that may contain untrusted text. */
export interface TaintCarriers {
  /** The source of untrusted text that is in no note, as words. */
  readonly untrusted?: string | null;
  readonly mentions?: readonly Mention[];
  readonly additions?: readonly Addition[];
  readonly notes?: readonly SentNote[];
}

/** A note sent to the model, and the text shown of it. */
export interface SentNote {
  readonly path: string;
  readonly text?: string | null;
}

/** What identifies notes with untrusted text. */
export interface TaintPlaces {
  readonly vault: Pick<Vault, 'outline'>;
  /** Folders of web clippings, without a trailing slash. */
  readonly clippings: readonly string[];
  /** Notes that chats wrote with untrusted text in their context; undefined where writing is off. */
  readonly untrusted?: Pick<UntrustedNotes, 'has'> | undefined;
}

/** Returns the first source of untrusted text, as words that name it; null if all text is the user's own. */
export function taintOf(
  { untrusted: source = null, mentions = [], additions = [], notes = [] }: TaintCarriers,
  places: TaintPlaces,
): string | null {
  if (source !== null) return source;
  const hook = additions.find(({ kind }) => kind === 'hook');
  if (hook !== undefined) return words.keeping.taintOfHook(hook.source);
  const external = notes.find(({ path }) => isExternal(path, places)) ?? notes.find((note) => isUnread(note, places));
  if (external !== undefined) return external.path;
  const written = notes.find(({ path }) => places.untrusted?.has(path) === true);
  if (written !== undefined) return words.keeping.taintOfWritten(written.path);
  const disguised = notes.find(({ text }) => text !== null && text !== undefined && hasInvisible(text));
  if (disguised !== undefined) return words.keeping.taintOfInvisible(disguised.path);
  return mentions.some(({ kind }) => kind === 'image') ? words.keeping.taintOfImage : null;
}

function isExternal(path: string, { vault, clippings }: TaintPlaces): boolean {
  const folded = path.toLowerCase();
  if (clippings.some((folder) => folder !== '' && folded.startsWith(`${folder.toLowerCase()}/`))) return true;
  const properties = Object.entries(vault.outline(path)?.properties ?? {});
  return properties.some(([key, value]) => /^(?:source|url)$/i.test(key) && [value].flat().some(isAddress));
}

/** Whether a note has a web address in properties that the index could not parse, judged by its text. */
function isUnread({ path, text }: SentNote, { vault }: TaintPlaces): boolean {
  const properties = vault.outline(path)?.properties ?? {};
  return text != null && Object.keys(properties).length === 0 && unreadAddress.test(text);
}

/** A `source` or `url` property with a web address, in a property block anywhere in the shown text. */
const unreadAddress = /^---[ \t]*\r?\n(?:[^\n]*\n){0,60}?(?:source|url)[ \t]*:[ \t]*["']?https?:\/\//im;

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(?:\[[^\]]*\]\(|<)?https?:\/\//i.test(value);
}

/** Whether text contains invisible or direction-changing characters, which nobody types. */
function hasInvisible(text: string): boolean {
  return /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]/u.test(text);
}

// Untrusted notes: those that chats wrote with untrusted text in their context, until the user trusts them (rules 6.9).

const key = 'foreign-notes';

const stored = lazy(() => z.record(z.string(), z.object({ source: z.string(), operations: z.array(z.string()) })));

interface Mark {
  /** The source of the untrusted text, as words. */
  readonly source: string;
  /** Journal operations that wrote to the note and were not undone. */
  readonly operations: readonly string[];
}

/**
 * Stores untrusted marks on the device: the journal prunes old writes, and a mark inside a note could be removed by it.
 */
export class UntrustedNotes {
  private held: Map<string, Mark> | null = null;

  constructor(private readonly device: DeviceStorage) {}

  has(path: string): boolean {
    return this.marks.has(path);
  }

  /** Updates the marks after each write, including undos and redos. */
  written(operation: Operation, find: (id: string) => Operation | undefined): void {
    const { taint, step, path, to } = operation.call;
    if (taint === null) return;
    let root = operation;
    let rootId = operation.id;
    let isUndo = false;
    for (let { undoes } = root.call; undoes !== null; undoes = root.call.undoes) {
      isUndo = !isUndo;
      rootId = undoes;
      const earlier = find(undoes);
      if (earlier === undefined) break;
      root = earlier;
    }
    if (isUndo) this.takeBack(rootId);
    else if (step !== 'delete') this.mark(step === 'move' ? (to ?? path) : path, taint, rootId);
  }

  /** @param operation the operation that wrote it; undoing it removes the mark */
  mark(path: string, source: string, operation: string): void {
    const known = this.marks.get(path);
    const operations = [...new Set([...(known?.operations ?? []), operation])];
    this.marks.set(path, { source: known?.source ?? source, operations });
    this.save();
  }

  /** Moves the marks of a file or folder to its new path. */
  moved(from: string, to: string): void {
    const moving = [...this.marks].filter(([path]) => path === from || path.startsWith(`${from}/`));
    if (moving.length === 0) return;
    for (const [path] of moving) this.marks.delete(path);
    for (const [path, mark] of moving) this.marks.set(to + path.slice(from.length), mark);
    this.save();
  }

  /** Removes the mark of a note that the user trusts. */
  keep(path: string): void {
    if (this.marks.delete(path)) this.save();
  }

  private takeBack(operation: string): void {
    const found = [...this.marks].find(([, { operations }]) => operations.includes(operation));
    if (found === undefined) return;
    const [path, { source, operations }] = found;
    const left = operations.filter((each) => each !== operation);
    if (left.length === 0) this.marks.delete(path);
    else this.marks.set(path, { source, operations: left });
    this.save();
  }

  private get marks(): Map<string, Mark> {
    this.held ??= new Map(Object.entries(readMarks(this.device.get(key))));
    return this.held;
  }

  private save(): void {
    this.device.set(key, this.marks.size === 0 ? null : JSON.stringify(Object.fromEntries(this.marks)));
  }
}

function readMarks(text: string | null): z.infer<ReturnType<typeof stored>> {
  try {
    const read = stored().safeParse(JSON.parse(text ?? '{}'));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
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
function foldTaint(entries: readonly SessionEntry[]): string | null {
  return entries.find((entry) => entry.kind === 'tainted')?.source ?? null;
}
