/** Taint: whose text, other than the user's, stands in a conversation (rules 6.9). It never falls inside one. */
import * as z from 'zod/v4';
import { words } from '../../../text';
import { lazy } from '../../base/lazy';
import type { DeviceStorage } from '../../ports/device';
import { type Outcome, succeed } from '../../ports/failure';
import type { Vault } from '../../ports/vault';
import type { Addition, EntryBody, Mention, SessionEntry } from '../../session/entry';
import type { Operation } from '../changeset/journal-records';

/** What was sent or is about to be, as far as it can hold others' text. */
export interface TaintCarriers {
  /** Whose text it is where no note holds it, in words. */
  readonly foreign?: string | null;
  readonly mentions?: readonly Mention[];
  readonly additions?: readonly Addition[];
  readonly notes?: readonly SentNote[];
}

/** A note of which something is shown, and what is shown of it. */
export interface SentNote {
  readonly path: string;
  readonly text?: string | null;
}

/** Where notes of others' text are told apart. */
export interface TaintPlaces {
  readonly vault: Pick<Vault, 'outline'>;
  /** Folders of clipped pages, without a trailing slash. */
  readonly clippings: readonly string[];
  /** What chats wrote with others' text in view; nothing where nothing can be written. */
  readonly foreign?: Pick<UntrustedNotes, 'has'> | undefined;
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
function foldTaint(entries: readonly SessionEntry[]): string | null {
  return entries.find((entry) => entry.kind === 'tainted')?.source ?? null;
}

function isExternal(path: string, { vault, clippings }: TaintPlaces): boolean {
  const folded = path.toLowerCase();
  if (clippings.some((folder) => folder !== '' && folded.startsWith(`${folder.toLowerCase()}/`))) return true;
  const properties = Object.entries(vault.outline(path)?.properties ?? {});
  return properties.some(([key, value]) => /^(?:source|url)$/i.test(key) && [value].flat().some(isAddress));
}

/** The index has nothing of a block that it cannot read, so that its text is looked at. */
function isUnread({ path, text }: SentNote, { vault }: TaintPlaces): boolean {
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

// Foreign notes: what chats wrote while others' text was in view; theirs until the user opens and keeps it (rules 6.9).

const key = 'foreign-notes';

const stored = lazy(() => z.record(z.string(), z.object({ source: z.string(), operations: z.array(z.string()) })));

interface Mark {
  /** Whose text was in view, in words. */
  readonly source: string;
  /** Operations of the journal that wrote into it and were not taken back. */
  readonly operations: readonly string[];
}

/** Kept on this device beside the journal, since the journal forgets old writes and a note in the vault could free itself. */
export class UntrustedNotes {
  private held: Map<string, Mark> | null = null;

  constructor(private readonly device: DeviceStorage) {}

  has(path: string): boolean {
    return this.marks.has(path);
  }

  /** To be told of each write as it ends, of undos and redos as well. */
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

  /** @param operation what wrote it; its undo takes the mark back */
  mark(path: string, source: string, operation: string): void {
    const known = this.marks.get(path);
    const operations = [...new Set([...(known?.operations ?? []), operation])];
    this.marks.set(path, { source: known?.source ?? source, operations });
    this.save();
  }

  /** A file or a folder that moved takes its marks along. */
  moved(from: string, to: string): void {
    const moving = [...this.marks].filter(([path]) => path === from || path.startsWith(`${from}/`));
    if (moving.length === 0) return;
    for (const [path] of moving) this.marks.delete(path);
    for (const [path, mark] of moving) this.marks.set(to + path.slice(from.length), mark);
    this.save();
  }

  /** The user has it open and takes it as their own. */
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

/** ChatTaint: whose text, other than the user's, stands in a conversation; kept in its log, and never less than before. */
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

  /** In words that name it; null for nobody's. */
  get source(): string | null {
    return this.marked;
  }

  /** Holds from here on: what was marked once stays so. Null changes nothing. */
  mark(source: string | null): void {
    if (source === null || this.marked !== null) return;
    this.marked = source;
    this.changed();
  }

  /** To be called before the text is stored that was marked, so that a reload finds no text without its mark. */
  async record(): Promise<Outcome<unknown>> {
    if (this.marked === null || this.isRecorded) return succeed(undefined);
    const stored = await this.store({ kind: 'tainted', source: this.marked });
    this.isRecorded = stored.ok;
    return stored;
  }
}
