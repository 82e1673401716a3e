/** SessionLog: the log of one chat, as this process sees and extends it. Appends run one after another. */
import { words } from '../../text';
import { createWorkBudget, takeStepsWithin, yieldToEventLoop } from '../base/async';
import type { AppendedShard, Clock, Digest, Identifiers, SessionStore, Shard, ShardMark } from '../ports/device';
import { fail, type Outcome, succeed } from '../ports/failure';
import { ActivePath, stampOf } from './branches';
import { type EntryBody, heldKinds, type SessionEntry } from './entry';
import { encodeEntry, LogUnion, type MergedLog, readEnd } from './log-format';
import { continueWith, findLast } from './running-fold';

export interface SessionLogPorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly digest: Digest;
  /** The same for all sessions on a device. */
  readonly writer: string;
  /** New each time the plugin loads. */
  readonly session: string;
}

/** What a shard held when it was last read or written; without a mark it is read again. */
interface KnownShard {
  readonly mark: ShardMark | null;
  readonly held: LogUnion;
  readonly isUnread?: boolean | undefined;
}

/** Characters of entries after which they are written: little enough for a write on a phone. */
const batchSize = 100_000;

/** Kinds after which a chat goes on that the user had deleted. */
const saidKinds: ReadonlySet<SessionEntry['kind']> = new Set(['user', 'branch', 'assistant']);

export class SessionLog {
  /** All that was ever read or appended. */
  private readonly union: LogUnion;
  private merged: MergedLog;
  private path: ActivePath;
  private readonly shards = new Map<string, KnownShard>();
  /** Entries that have happened but could not be stored yet: see heldKinds. */
  private unstored: SessionEntry[] = [];
  /** The entry that could not be stored last. */
  private refused: { readonly id: string; readonly body: string } | null = null;
  /** Whether entries of other devices have been read that are not among the entries yet. */
  private isWaiting = false;
  /** The id of the message that is being answered. */
  private turn: string | null = null;
  /** Whether the last append may have left an incomplete line, so that the next one must start on a new line. */
  private torn = false;
  private isLeft = false;
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly conversation: string,
    private readonly ports: SessionLogPorts,
  ) {
    this.union = new LogUnion(ports.digest);
    this.merged = this.union.merged();
    this.path = new ActivePath(this.merged.entries);
  }

  /** Creates a log for a new conversation. Nothing is stored before its first entry. */
  static start(conversation: string, ports: SessionLogPorts): SessionLog {
    return new SessionLog(conversation, ports);
  }

  /**
   * Opens a stored log.
   * @param showEnd gets the entries at the end of a long log, before the rest is read; it is read once this resolves
   */
  static async open(
    conversation: string,
    ports: SessionLogPorts,
    showEnd?: (entries: readonly SessionEntry[]) => Promise<void>,
  ): Promise<Outcome<SessionLog>> {
    const log = new SessionLog(conversation, ports);
    // What is written after the marks were taken is noticed later; the other way round it would not be.
    const marks = await ports.store.marks?.(conversation);
    const known = marks?.ok === true ? marks.value : [];
    const newest = showEnd === undefined ? [] : newestShards(known);
    const first = newest.length === 0 ? succeed([]) : await ports.store.shards(conversation, newest);
    if (!first.ok) return first;
    const shown = await showEndOf(first.value, ports.digest, showEnd);
    const others = known.map(({ name }) => name).filter((name) => !newest.includes(name));
    const rest = await ports.store.shards(conversation, newest.length === 0 ? undefined : others);
    if (!rest.ok) return rest;
    const shards = [...first.value, ...rest.value];
    if (!shown) await showEndOf(shards, ports.digest, showEnd);
    await log.read(shards, known);
    log.join();
    return succeed(log);
  }

  /**
   * The entries of the branch in view in order, including those of this process. The array grows as entries are added,
   * until `join`, and until another branch is in view.
   */
  get entries(): readonly SessionEntry[] {
    return this.path.entries;
  }

  /** The entries of all branches; the array grows until `join`. */
  get all(): readonly SessionEntry[] {
    return this.merged.entries;
  }

  /** What is known of the branches of the chat. */
  get branches(): Omit<ActivePath, 'entries' | 'with'> {
    return this.path;
  }

  /** Whether a newer version of Docent wrote a part of it, which would be misread by what is added here. */
  get isReadOnly(): boolean {
    return this.merged.unknown > 0;
  }

  /** Whether each of its files could be read. */
  get isWhole(): boolean {
    return ![...this.shards.values()].some(({ isUnread }) => isUnread);
  }

  /** Whether it has no files. */
  get isEmpty(): boolean {
    return this.shards.size === 0;
  }

  /** Whether its files were taken away for good, on this device or on another one. */
  get isTrashed(): boolean {
    return this.isLeft;
  }

  /** Lines found damaged in the shards. */
  get damaged(): number {
    return this.merged.damaged;
  }

  /** From now on, entries belong to the turn that answers this message; null for none. */
  answering(message: string | null): void {
    this.turn = message;
  }

  /**
   * Resolves to ok once the entry is on disk. A failed entry is not part of the log, so it can be appended again, unless
   * it is of a held kind: that one is part of the log at once, and is stored with the next entry.
   * @param turn the id of the message whose turn it belongs to, if that is not the current one
   * @param branch the branch that it belongs to, if that is not the one in view
   */
  append(body: EntryBody, turn: string | null = this.turn, branch?: string): Promise<Outcome<SessionEntry>> {
    return this.enqueue(() => this.write(body, turn, branch));
  }

  /**
   * Appends entries in their order, many with each write, until one cannot be stored.
   * @param bodies gets the id of each entry before it makes the next one
   */
  appendAll(bodies: Generator<EntryBody, void, string>): Promise<Outcome<void>> {
    return this.enqueue(async () => {
      if (this.isReadOnly) return readOnly();
      for (let next = bodies.next(); next.done !== true;) {
        const missing = await this.compare();
        if (this.isLeft) return trashed();
        const added: SessionEntry[] = [];
        for (let size = 0; next.done !== true && size < batchSize; next = bodies.next(added.at(-1)?.id ?? '')) {
          added.push(this.entryOf(next.value, this.turn, { ahead: added.length + (missing.length === 0 ? 1 : 2) }));
          size += JSON.stringify(next.value).length;
        }
        const stored = await this.store(missing, added);
        if (!stored.ok) return stored;
      }
      return succeed(undefined);
    });
  }

  /**
   * Looks whether others changed the files. Lines that are missing there are written back; entries of other devices wait
   * until `join`.
   * @returns whether entries wait or lines were written back
   */
  look(): Promise<boolean> {
    return this.enqueue(async () => {
      const missing = await this.compare();
      const isRestored = missing.length > 0 && (await this.store(missing, [])).ok;
      return this.isWaiting || isRestored;
    });
  }

  /**
   * Takes its files away once all that was begun before has been written. If that succeeds, nothing is stored in them from
   * then on, not even what is missing there.
   */
  leave(takeAway: () => Promise<Outcome<void>>): Promise<Outcome<void>> {
    return this.enqueue(async () => {
      const taken = await takeAway();
      this.isLeft = taken.ok;
      return taken;
    });
  }

  /** Puts the entries that were read since among the entries, each at its place. */
  join(): void {
    this.isWaiting = false;
    const before = this.merged.entries.length > 0 ? this.path.active : null;
    this.merged = this.union.merged([...this.shards.values()].map(({ held }) => held));
    // The branch that the user reads stays in view, even if another device has chosen one since.
    this.path = new ActivePath(this.merged.entries, before);
  }

  private enqueue<Value>(act: () => Promise<Value>): Promise<Value> {
    const next = this.tail.then(act, act);
    this.tail = next;
    return next;
  }

  private async write(body: EntryBody, turn: string | null, branch?: string): Promise<Outcome<SessionEntry>> {
    if (this.isReadOnly && body.kind !== 'title' && body.kind !== 'chat-list') return readOnly();
    const missing = await this.compare();
    if (this.isLeft) {
      // What has happened all the same is still shown.
      if (heldKinds.has(body.kind)) this.hold(this.entryOf(body, turn, { branch }));
      return trashed();
    }
    const entry = this.entryOf(body, turn, { ahead: missing.length === 0 ? 1 : 2, branch });
    const stored = await this.store(missing, [entry]);
    this.refused = stored.ok ? null : { id: entry.id, body: JSON.stringify(body) };
    if (stored.ok) return succeed(entry);
    if (heldKinds.has(body.kind)) {
      this.unstored.push(entry);
      this.hold(entry);
    }
    return stored;
  }

  private entryOf(
    body: EntryBody,
    turn: string | null,
    { ahead = 1, branch = this.path.active }: { readonly ahead?: number; readonly branch?: string | undefined } = {},
  ): SessionEntry {
    const { clock, identifiers, writer, session } = this.ports;
    const { conversation } = this;
    const lamport = this.union.lamport + ahead;
    // An entry that was refused may be on disk all the same: the second try must not be another one.
    const id =
      this.refused !== null && this.refused.body === JSON.stringify(body) ? this.refused.id : identifiers.next();
    const header = { id, conversation, writer, session, lamport, time: clock.now() };
    return { ...body, ...header, ...(turn === null ? {} : { turn }), ...stampOf(body.kind, branch) };
  }

  /** Writes missing lines back, says so in the log, and appends what is new and what waits to be stored. */
  private async store(missing: readonly string[], fresh: readonly SessionEntry[]): Promise<Outcome<void>> {
    const { digest, store } = this.ports;
    const report = missing.length === 0 ? [] : [this.entryOf({ kind: 'log-restored', lines: missing.length }, null)];
    const added = [...this.unstored, ...report, ...fresh];
    const lines = [...missing, ...added.map((entry) => encodeEntry(entry, digest))].join('');
    const stored = await store.append(this.conversation, (this.torn ? '\n' : '') + lines);
    this.torn = !stored.ok;
    if (!stored.ok) return stored;
    this.unstored = [];
    if (stored.value !== undefined) this.knowAppend(stored.value, missing, added);
    for (const entry of [...report, ...fresh]) this.hold(entry);
    return succeed(undefined);
  }

  private hold(entry: SessionEntry): void {
    this.union.addEntry(entry);
    this.merged.entries.push(entry);
    this.path = this.path.with(entry);
  }

  /**
   * Compares the files with what this log knows of them, reads again those that differ, and returns the lines that are
   * in none of them any more. A file that cannot be read is taken for what was read of it last, and compared the next
   * time. Of a deleted chat nothing is missing: if none of its files is there, they are in the trash of another device.
   */
  private async compare(): Promise<readonly string[]> {
    if (this.isLeft) return [];
    const { store, digest } = this.ports;
    const marks = await store.marks?.(this.conversation);
    if (marks?.ok !== true) return [];
    const names = new Set(marks.value.map(({ name }) => name));
    const vanished = [...this.shards.keys()].filter((name) => !names.has(name));
    const changed = marks.value
      .filter((mark) => !isSame(mark, this.shards.get(mark.name)?.mark))
      .map(({ name }) => name);
    if (vanished.length + changed.length === 0) return [];
    const shards =
      changed.length === 0 ? succeed<readonly Shard[]>([]) : await store.shards(this.conversation, changed);
    if (!shards.ok) return [];
    const read = shards.value.filter(({ isUnread }) => isUnread !== true);
    // A new file that cannot be read yet may have the lines of one that vanished.
    const isElsewhere = shards.value.some(({ name, isUnread }) => isUnread && !this.shards.has(name));
    const before = new LogUnion(digest);
    for (const { name } of read) before.absorb(this.heldOf(name));
    await this.read(read, marks.value);
    const isDeleted = vanished.length > 0 && this.isDeleted;
    this.isLeft = isDeleted && names.size === 0;
    for (const name of isDeleted || isElsewhere ? [] : vanished) {
      before.absorb(this.heldOf(name));
      this.shards.delete(name);
    }
    return before.linesMissingIn([...this.shards.values()].map(({ held }) => held));
  }

  private heldOf(name: string): LogUnion {
    return this.shards.get(name)?.held ?? new LogUnion(this.ports.digest);
  }

  /** Whether the user deleted the chat, on any device; one that goes on since, or has more to store, is not to be lost. */
  private get isDeleted(): boolean {
    if (this.turn !== null || this.unstored.length > 0) return false;
    const last = findLast(
      this.union.merged().entries,
      (entry) => saidKinds.has(entry.kind) || (entry.kind === 'chat-list' && entry.deleted !== undefined),
    );
    return last?.kind === 'chat-list' && last.deleted === true;
  }

  /** Reads shards in slices, so that a long log holds up nothing else. */
  private async read(shards: readonly Shard[], marks: readonly ShardMark[]): Promise<void> {
    const markOf = new Map(marks.map((mark) => [mark.name, mark]));
    const budget = createWorkBudget(new AbortController().signal);
    for (const { name, text, isUnread } of shards) {
      const held = new LogUnion(this.ports.digest);
      await takeStepsWithin(held.read(text), budget);
      // The file may be as it is when it can be read.
      this.shards.set(name, { mark: (isUnread !== true && markOf.get(name)) || null, held, isUnread });
      this.isWaiting = this.union.absorb(held) || this.isWaiting;
      // One that others cut off may end in the middle of a line.
      this.torn ||= text !== '' && !text.endsWith('\n');
    }
  }

  /** The shard must have grown by just what was appended; if it has not, the next comparison reads it. */
  private knowAppend(
    { added, ...mark }: AppendedShard,
    lines: readonly string[],
    entries: readonly SessionEntry[],
  ): void {
    const known = this.shards.get(mark.name);
    const held = this.heldOf(mark.name);
    held.add(lines.join(''));
    for (const entry of entries) held.addEntry(entry);
    const isExpected = mark.size === (known === undefined ? 0 : (known.mark?.size ?? NaN)) + added;
    this.shards.set(mark.name, { ...known, mark: isExpected ? mark : null, held });
  }
}

function readOnly(): Outcome<never> {
  return fail({ kind: 'refused', words: words.branches.readOnly, remedy: words.branches.readOnlyRemedy });
}

export function trashed(): Outcome<never> {
  return fail({ kind: 'refused', words: words.branches.trashed, remedy: words.branches.trashedRemedy });
}

async function showEndOf(
  shards: readonly Shard[],
  digest: Digest,
  showEnd?: (entries: readonly SessionEntry[]) => Promise<void>,
): Promise<boolean> {
  const entries = showEnd === undefined ? null : readEnd(shards, digest);
  if (entries === null) return false;
  // Reading and drawing are two tasks: together they would be a long one.
  await yieldToEventLoop();
  await showEnd?.(entries);
  return true;
}

/** Bytes of the shards that are read first: they hold the end of most logs. */
const firstBytes = 600_000;

/** Returns the shards written last, to be read before the others; none if the others are few or as new. */
function newestShards(marks: readonly ShardMark[]): readonly string[] {
  const sorted = [...marks].sort((a, b) => b.modified - a.modified);
  let bytes = 0;
  const last = sorted.findIndex(({ size }) => (bytes += size) >= firstBytes);
  const [oldest, next] = [sorted[last], sorted[last + 1]];
  if (oldest === undefined || next === undefined || next.modified === oldest.modified) return [];
  return sorted.slice(0, last + 1).map(({ name }) => name);
}

function isSame(mark: ShardMark, known: ShardMark | null | undefined): boolean {
  return known?.size === mark.size && known.modified === mark.modified;
}

/** MemoryLog: the entries of a turn that is not stored, such as a subagent's, in the form that folds read. */
export class MemoryLog {
  private readonly appended: SessionEntry[] = [];

  constructor(readonly conversation: string) {}

  get entries(): readonly SessionEntry[] {
    return this.appended;
  }

  append(body: EntryBody): void {
    const lamport = this.appended.length + 1;
    const { conversation } = this;
    this.appended.push({ ...body, id: `${lamport}`, conversation, writer: '', session: '', lamport, time: 0 });
  }
}

/** Returns the log with one more entry; only folds may read it. */
export function withFurther(entries: readonly SessionEntry[], further: EntryBody | undefined): readonly SessionEntry[] {
  const last = entries.at(-1);
  if (further === undefined || last === undefined) return entries;
  const { id, conversation, writer, session, lamport, time } = last;
  return continueWith(entries, { ...further, id, conversation, writer, session, lamport, time });
}
