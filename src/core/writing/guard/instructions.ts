/**
 * Instruction files: notes that direct the agent, such as AGENTS.md, skills, prompts, and workspaces. They do so only
 * after the user let them in on this device, text by text (design 9).
 */
import * as z from 'zod/v4';
import { subscribeTo } from '../../base/async';
import { isEqual } from '../../base/equality';
import { foldPlace } from '../../base/fold';
import { lazy } from '../../base/lazy';
import { compareText, type FollowingList } from '../../base/list-edits';
import type { DeviceStorage, Digest } from '../../ports/device';
import type { FileEntry } from '../../ports/vault';
import type { Operation, Rewritten } from '../changeset/journal-records';
import { type FindKind, followInstructions, kindFinder, type ListedFiles, settingsFile } from './instruction-places';
import type { InstructionKind, InstructionPlace } from './instruction-places';
import { OwnEdits, printOf, type SavedTexts } from './own-edits';

export interface InstructionPorts {
  readonly device: DeviceStorage;
  readonly digest: Digest;
  /** The same array while nothing changes. */
  places(): readonly InstructionPlace[];
  /** What the settings say to the model in the user’s words; empty by default. */
  inSettings?(): string;
  /** The saved files of the vault. */
  readonly saved: ListedFiles & SavedTexts;
}

/** A file that directs nobody until the user lets it in. */
export interface WaitingInstruction {
  readonly path: string;
  readonly kind: InstructionKind;
  /** Milliseconds since the epoch; 0 for the text in the settings, of which it is not known. */
  readonly modified: number;
  /** Whether an earlier text of it was let in. */
  readonly isChanged: boolean;
  /** Whether the user never wants to be asked about it. */
  readonly isDeclined: boolean;
}

/** A file that was let in on this device. */
export interface AllowedInstruction {
  readonly path: string;
  /** Null for a file that directs nobody any more. */
  readonly kind: InstructionKind | null;
  /** Whether the vault has it as it was let in; else it waits, or is missing. */
  readonly isUsed: boolean;
}

/** A text that the user has seen. */
export interface InstructionText {
  readonly path: string;
  readonly text: string;
}

const storageKey = 'let-in';
const declinedKey = 'let-in-declined';
/** Characters of a text that is stored to show its later changes, and of all of them together. */
const maxStored = 16_000;
const maxStoredInAll = 200_000;
/** Hashes of earlier texts of one file. */
const maxEarlier = 20;
/** Characters, and bytes of a file; a longer text is never let in, so that none is hashed at length. */
export const maxInstruction = 4_000_000;

const storedShape = lazy(() =>
  z.record(
    z.string(),
    z.object({ hash: z.string(), text: z.string().nullable(), earlier: z.array(z.string()).optional() }),
  ),
);
const declinedShape = lazy(() => z.record(z.string(), z.boolean()));

/** The text that was let in at a path; null for one that is too long to store, or that was only hashed. */
interface LetIn {
  readonly hash: string;
  readonly text: string | null;
  /** Hashes of the texts that were let in before it, newest first: an undo may bring one of them back. */
  readonly earlier?: readonly string[] | undefined;
}

/** What a write left. */
interface WrittenText {
  readonly post: string | null;
  readonly rewritten: readonly Rewritten[];
  /** Whether the user accepted the text of the operation in this process. */
  readonly isAccepted: boolean;
}

export class InstructionFiles {
  /** By path: how the index described the file when its text was compared, and what came of it. */
  private readonly seen = new Map<string, { readonly print: string; readonly isIn: boolean }>();
  private readonly stale = new Set<string>();
  private stored: ReadonlyMap<string, LetIn> = new Map();
  private declined: ReadonlyMap<string, boolean> = new Map();
  /** Both records as they are stored. */
  private raw: string | null = null;
  private rawDeclined: string | null = null;
  /** Whether another window of the vault wrote the record since files were compared with it. */
  private isReplaced = false;
  /** The files that direct the agent or wait to, as the vault has them now. */
  readonly list: FollowingList<FileEntry>;
  private finder: { readonly places: unknown; readonly find: FindKind } | null = null;
  private found: readonly FileEntry[] = [];
  /** The list with the text in the settings as its last file; the same while neither changes. */
  private joined: {
    readonly list: readonly FileEntry[];
    readonly text: string;
    readonly all: readonly FileEntry[];
  } | null = null;
  private readonly ownEdits: OwnEdits;
  private running: Promise<void> = Promise.resolve();
  private count = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly ports: InstructionPorts) {
    this.load();
    this.isReplaced = false;
    this.list = followInstructions(ports.saved, () => this.kindOf);
    this.ownEdits = new OwnEdits({
      digest: ports.digest,
      saved: ports.saved,
      isIn: (entry) => {
        const seen = this.seen.get(entry.path);
        return seen?.print === printOf(entry) ? seen.isIn : null;
      },
      isLetIn: (path, text) => this.isStored(path, text),
    });
  }

  /** Increases whenever a file was let in or began to wait. */
  get revision(): number {
    return this.count;
  }

  /** Returns the kind of a file; null for one that directs nobody. The same function while the places are the same. */
  get kindOf(): FindKind {
    const places = this.ports.places();
    if (this.finder?.places !== places) this.finder = { places, find: kindFinder(places) };
    return this.finder.find;
  }

  /** Whether the file would direct the agent, but its text as it is now was not let in. */
  isOut(entry: FileEntry, kindOf = this.kindOf): boolean {
    if (entry.size === 0 || kindOf(entry.path) === null) return false;
    const seen = this.seen.get(entry.path);
    return seen?.isIn !== true || seen.print !== printOf(entry);
  }

  /**
   * Whether a file that was let in was saved again and its text is not compared yet. It is out for that moment, which
   * nothing that people see has to show.
   */
  isBeingCompared(path: string): boolean {
    const entry = this.ports.saved.file(path);
    if (entry === undefined || !this.stored.has(foldPlace(path)) || this.kindOf(entry.path) === null) return false;
    return this.seen.get(entry.path)?.print !== printOf(entry);
  }

  /** Whether a text that was just read, which may be newer than the index, was not let in. */
  isTextOut(path: string, text: string): boolean {
    if (text === '' || this.kindOf(path) === null) return false;
    return !this.isStored(path, text) && !this.ownEdits.isKnownOwn(path, text);
  }

  /** The files that wait, by path. */
  waiting(): readonly WaitingInstruction[] {
    const { kindOf } = this;
    return this.found
      .filter((entry) => this.isOut(entry, kindOf))
      .map((entry) => ({
        path: entry.path,
        kind: kindOf(entry.path) ?? 'context',
        modified: entry.modified,
        isChanged: this.stored.has(foldPlace(entry.path)),
        isDeclined: this.declined.has(foldPlace(entry.path)),
      }));
  }

  /** Returns the text that was let in before; null if there is none, or if it was not stored. */
  letInBefore(path: string): string | null {
    return this.stored.get(foldPlace(path))?.text ?? null;
  }

  /** Must be called with the paths of files that changed. */
  heard(paths: readonly string[]): void {
    for (const path of paths) if (this.seen.has(path) || this.ownEdits.has(path)) this.stale.add(path);
  }

  /** The files that were let in, whether the vault still has them, by path. */
  allowed(): readonly AllowedInstruction[] {
    const { kindOf } = this;
    const entries = new Map(this.found.map((entry) => [foldPlace(entry.path), entry]));
    return [...this.stored.keys()].sort(compareText).map((place) => {
      const entry = entries.get(place);
      const path = entry?.path ?? place;
      return { path, kind: kindOf(path), isUsed: entry !== undefined && !this.isOut(entry, kindOf) };
    });
  }

  /**
   * Compares the files that were let in once and have changed since the last call; one that cannot be read waits. The
   * others wait unread.
   */
  refresh(): Promise<void> {
    const looked = this.running.then(() => this.look());
    this.running = looked.catch(() => undefined);
    return looked;
  }

  /** Lets in texts that the user has seen, or made through Docent. */
  letIn(texts: readonly InstructionText[]): void {
    for (const { path } of texts) this.ownEdits.forget(path);
    this.record(texts);
    this.compareAgain(texts.map(({ path }) => path));
  }

  /** Takes back what was let in; the files wait again. */
  withdraw(paths: readonly string[]): void {
    for (const path of paths) this.ownEdits.forget(path);
    this.change((stored) => {
      for (const path of paths) stored.delete(foldPlace(path));
      return paths;
    });
    this.compareAgain(paths);
    this.changed();
  }

  /** Must be called with each text that the user writes in an editor of the app, before it is saved. */
  typed(path: string, text: () => string): void {
    const entry = this.kindOf(path) === null ? undefined : this.ports.saved.file(path);
    if (entry !== undefined) this.ownEdits.typed(entry, text());
  }

  /**
   * Lets in a text that the user made through Docent, unless it continues one that waits.
   * @param before empty for a text that continues none
   */
  edited(path: string, before: string, text: string): void {
    if (!this.isTextOut(path, before)) this.letIn([{ path, text }]);
  }

  /**
   * Lets in what a write of Docent left that the user accepted, unless it continues a text that waits. A move alone shows
   * the user no text, so it lets none in. Of what was not accepted in a review, such as an undo, only a text is let in
   * that was before: it comes from the files of the journal, which a sync can bring along with the note.
   */
  written({ call, pre, post: wanted }: Operation, { post, rewritten, isAccepted }: WrittenText): void {
    const followed: string[] = [];
    this.change((stored) => {
      const follow = (path: string, from: string | null, hash: string, isSeen: boolean): void => {
        const known = stored.get(foldPlace(path));
        if (this.kindOf(path) === null || (from !== null && known?.hash !== from) || known?.hash === hash) return;
        if (!isSeen && known?.earlier?.includes(hash) !== true) return;
        stored.set(foldPlace(path), { hash, text: null, earlier: earlierOf(known, hash) });
        followed.push(path);
      };
      // Something else may have changed the text while it was saved.
      if (post !== null && call.step !== 'move') follow(call.path, pre, post, isAccepted && post === wanted);
      for (const each of rewritten) follow(each.path, each.pre, each.post, isAccepted);
      return followed;
    });
    this.compareAgain(followed);
  }

  /** Leaves these files out without asking again, or has them asked about again. */
  decline(paths: readonly string[], isDeclined = true): void {
    this.setDeclined(paths, isDeclined);
    this.changed();
  }

  /** A file that Obsidian moves keeps what was let in of it; at a place of its own, another file has to ask. */
  moved(from: string, to: string): void {
    this.ownEdits.moved(from, to);
    const [old, fresh] = [foldPlace(from), foldPlace(to)];
    this.change((stored) => {
      const moving = [...stored].filter(([path]) => path === old || path.startsWith(`${old}/`));
      for (const [path] of moving) stored.delete(path);
      for (const [path, value] of moving) stored.set(fresh + path.slice(old.length), value);
      return moving.map(([path]) => path);
    });
  }

  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  private async look(): Promise<void> {
    this.load();
    const { isReplaced } = this;
    this.isReplaced = false;
    const found = this.withSettings(this.list.current());
    if (found === this.found && this.stale.size === 0 && !isReplaced) return;
    const due = found.filter(
      (entry) =>
        (this.stored.has(foldPlace(entry.path)) || this.ownEdits.has(entry.path)) &&
        (this.stale.has(entry.path) || this.seen.get(entry.path)?.print !== printOf(entry)),
    );
    this.stale.clear();
    const isSame = isEqual(found, this.found);
    const room = roomIn(this.stored);
    const unstored = await Promise.all(due.map((entry) => this.compare(entry, room)));
    // Until then, what was only saved again, or deleted, would be listed among those that wait.
    this.found = found;
    const paths = new Set(found.map(({ path }) => path));
    for (const path of this.seen.keys()) if (!paths.has(path)) this.seen.delete(path);
    this.load();
    // What another window wrote is newer than what was typed in this one.
    const isOld = isReplaced || this.isReplaced;
    this.record(unstored.flat().filter((each) => (each.isTyped && !isOld) || this.isStored(each.path, each.text)));
    if (!isSame || isReplaced || due.length > 0) this.changed();
    if (this.isReplaced) await this.look();
  }

  private withSettings(list: readonly FileEntry[]): readonly FileEntry[] {
    const text = this.ports.inSettings?.() ?? '';
    if (this.joined?.list === list && this.joined.text === text) return this.joined.all;
    this.stale.add(settingsFile);
    const entry: FileEntry = { path: settingsFile, kind: 'note', size: text.length, modified: 0 };
    this.joined = { list, text, all: text === '' ? list : [...list, entry] };
    return this.joined.all;
  }

  /** Returns the text of a file that was let in, unless it is stored; `room` is how many characters still can be. */
  private async compare(entry: FileEntry, room: number) {
    const { path } = entry;
    const text = entry.size > maxInstruction ? null : await this.ports.saved.readSaved(path);
    const isTyped = text !== null && (await this.ownEdits.isOwn(path, text));
    const isStored = text !== null && this.isStored(path, text);
    this.seen.set(path, { print: printOf(entry), isIn: isTyped || isStored });
    // What was only hashed when it was written is stored now, so that its later changes can be shown.
    const isHashed = isStored && this.letInBefore(path) === null && text.length <= Math.min(maxStored, room);
    return text !== null && (isHashed || (isTyped && !isStored)) ? [{ path, text, isTyped }] : [];
  }

  private record(texts: readonly InstructionText[]): void {
    const short = texts.filter(({ path, text }) => text.length <= maxInstruction && this.kindOf(path) !== null);
    if (short.length === 0) return;
    const paths = short.map(({ path }) => path);
    this.change((stored) => {
      let room = roomIn(stored);
      for (const { path, text } of short) {
        const before = stored.get(foldPlace(path));
        const hash = this.ports.digest(text);
        room += before?.text?.length ?? 0;
        const shown = text.length <= Math.min(maxStored, room) ? text : null;
        room -= shown?.length ?? 0;
        stored.set(foldPlace(path), { hash, text: shown, earlier: earlierOf(before, hash) });
      }
      return paths;
    });
    this.setDeclined(paths, false);
  }

  private isStored(path: string, text: string): boolean {
    const known = this.stored.get(foldPlace(path));
    if (known === undefined || text.length > maxInstruction) return false;
    // The journal hashes bytes, and a text is read without its byte order mark.
    return known.hash === this.ports.digest(text) || known.hash === this.ports.digest(`\ufeff${text}`);
  }

  /** Reads the records again if another window wrote them; every file is then compared again. */
  private load(): void {
    const declined = this.ports.device.get(declinedKey);
    if (declined !== this.rawDeclined) this.declined = readStored(declined, declinedShape());
    this.rawDeclined = declined;
    const raw = this.ports.device.get(storageKey);
    if (raw === this.raw) return;
    this.raw = raw;
    this.stored = readStored(raw, storedShape());
    this.seen.clear();
    // Every file is out until it is compared, in the lists as well.
    this.count += 1;
    this.isReplaced = true;
  }

  /**
   * Changes the record as it is stored now: another window may have let in, or taken back, since it was read.
   * @param edit changes what it gets; returns the paths of the files that it changed
   */
  private change(edit: (stored: Map<string, LetIn>) => readonly string[]): void {
    this.load();
    const stored = new Map(this.stored);
    if (edit(stored).length === 0) return;
    this.stored = stored;
    this.raw = JSON.stringify(Object.fromEntries(stored));
    this.ports.device.set(storageKey, this.raw);
  }

  private compareAgain(paths: readonly string[]): void {
    for (const path of paths) {
      this.seen.delete(path);
      this.stale.add(path);
    }
  }

  private setDeclined(paths: readonly string[], isDeclined: boolean): void {
    this.load();
    const declined = new Map(this.declined);
    for (const path of paths) {
      if (isDeclined) declined.set(foldPlace(path), true);
      else declined.delete(foldPlace(path));
    }
    if (declined.size === this.declined.size) return;
    this.declined = declined;
    this.rawDeclined = JSON.stringify(Object.fromEntries(declined));
    this.ports.device.set(declinedKey, this.rawDeclined);
  }

  private changed(): void {
    this.count += 1;
    for (const listener of this.listeners) listener();
  }
}

function earlierOf(known: LetIn | undefined, hash: string): readonly string[] | undefined {
  const hashes = [...(known === undefined ? [] : [known.hash]), ...(known?.earlier ?? [])];
  const earlier = [...new Set(hashes)].filter((each) => each !== hash).slice(0, maxEarlier);
  return earlier.length === 0 ? undefined : earlier;
}

/** Returns how many characters of texts may still be stored. */
function roomIn(stored: ReadonlyMap<string, LetIn>): number {
  return [...stored.values()].reduce((room, { text }) => room - (text?.length ?? 0), maxStoredInAll);
}

/** Damaged storage lets nothing in. */
function readStored<Value>(text: string | null, shape: z.ZodType<Record<string, Value>>): ReadonlyMap<string, Value> {
  try {
    const read = shape.safeParse(JSON.parse(text ?? '{}'));
    return new Map(Object.entries(read.success ? read.data : {}));
  } catch {
    return new Map();
  }
}
