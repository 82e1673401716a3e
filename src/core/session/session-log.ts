/** SessionLog: the log of one chat, as this process sees and extends it. Appends run one after another. */
import type { Clock, Digest, Identifiers, SessionStore } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import { type EntryBody, messageKinds, type SessionEntry } from './entry';
import { renameIds } from './goal-entry';
import { encodeEntry, type MergedLog, mergeShards } from './log-format';

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

export class SessionLog {
  private readonly appended: SessionEntry[] = [];
  private lamport: number;
  /** Whether the last append may have left an incomplete line, so that the next one must start on a new line. */
  private torn = false;
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly conversation: string,
    private readonly ports: SessionLogPorts,
    private readonly loaded: MergedLog,
  ) {
    this.lamport = loaded.entries.reduce((highest, entry) => Math.max(highest, entry.lamport), 0);
  }

  /** Creates a log for a new conversation. Nothing is stored before its first entry. */
  static start(conversation: string, ports: SessionLogPorts): SessionLog {
    return new SessionLog(conversation, ports, { entries: [], damaged: 0, unknown: 0 });
  }

  static async open(conversation: string, ports: SessionLogPorts): Promise<Outcome<SessionLog>> {
    const shards = await ports.store.shards(conversation);
    if (!shards.ok) return shards;
    return succeed(new SessionLog(conversation, ports, mergeShards(shards.value, ports.digest)));
  }

  /** All entries in order, including those of this process. */
  get entries(): readonly SessionEntry[] {
    return [...this.loaded.entries, ...this.appended];
  }

  /** Lines found damaged when the log was opened. */
  get damaged(): number {
    return this.loaded.damaged;
  }

  /** Resolves to ok once the entry is on disk. A failed entry is not part of the log, so it can be appended again. */
  append(body: EntryBody): Promise<Outcome<SessionEntry>> {
    const write = (): Promise<Outcome<SessionEntry>> => this.write(body);
    const next = this.tail.then(write, write);
    this.tail = next;
    return next;
  }

  private async write(body: EntryBody): Promise<Outcome<SessionEntry>> {
    const { store, clock, identifiers, digest, writer, session } = this.ports;
    const entry: SessionEntry = {
      ...body,
      id: identifiers.next(),
      conversation: this.conversation,
      writer,
      session,
      lamport: this.lamport + 1,
      time: clock.now(),
    };
    const stored = await store.append(this.conversation, (this.torn ? '\n' : '') + encodeEntry(entry, digest));
    this.torn = !stored.ok;
    if (!stored.ok) return stored;
    this.lamport += 1;
    this.appended.push(entry);
    return succeed(entry);
  }
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
  return [...entries, { ...further, id, conversation, writer, session, lamport, time }];
}

/** The entries before untrusted text came in, for a chat that continues without it (6.9). */
export interface UntaintedEntries {
  readonly entries: readonly SessionEntry[];
  /** The user's own words of the turn in which the text came in; empty if it never did. */
  readonly request: string;
}

/**
 * Returns the entries up to the turn that tainted the chat. Later turns have seen the text, so only the user's choices
 * are taken from them.
 */
export function entriesBeforeTaint(entries: readonly SessionEntry[]): UntaintedEntries {
  const tainted = entries.findIndex(({ kind }) => kind === 'tainted');
  if (tainted === -1) return { entries: entries.filter(isTakenOver), request: '' };
  const kinds = entries.slice(0, tainted).map(({ kind }) => kind);
  const turn = kinds.lastIndexOf('user');
  const request = entries[turn];
  const later = entries.slice(Math.max(turn, 0)).filter(({ kind }) => kind === 'choices');
  return {
    entries: [...entries.slice(0, Math.max(turn, 0)).filter(isTakenOver), ...later],
    request: request?.kind === 'user' ? request.text : '',
  };
}

/** Reviews stay with the chat that made them, and what was sent of the vault is written again. */
function isTakenOver({ kind }: SessionEntry): boolean {
  if (kind === 'changes-settled' || kind === 'changes-undone') return false;
  return (
    messageKinds.has(kind) || ['choices', 'title', 'goal', 'summary', 'summary-edited', 'summary-undone'].includes(kind)
  );
}

/** Appends entries to another log, where they get new ids and cost nothing: they were paid for in their own chat. */
export async function copyEntries(
  entries: readonly SessionEntry[],
  log: { append(body: EntryBody): Promise<Outcome<SessionEntry>> },
): Promise<Outcome<void>> {
  const names = new Map<string, string>();
  for (const entry of entries) {
    const stored = await log.append(withoutCost(renamed(entry, names)));
    if (!stored.ok) return stored;
    names.set(entry.id, stored.value.id);
  }
  return succeed(undefined);
}

function withoutCost(body: EntryBody): EntryBody {
  if (!('usage' in body) || body.usage === undefined) return body;
  const { cost: _cost, ...usage } = body.usage;
  return { ...body, usage };
}

function renamed(entry: SessionEntry, names: ReadonlyMap<string, string>): EntryBody {
  const {
    id: _id,
    conversation: _conversation,
    writer: _writer,
    session: _session,
    lamport: _lamport,
    time: _time,
    ...body
  } = entry;
  const named = (id: string): string => names.get(id) ?? id;
  if (body.kind === 'summary') return { ...body, covers: body.covers.map(named) };
  if (body.kind === 'summary-edited' || body.kind === 'summary-undone')
    return { ...body, summary: named(body.summary) };
  if (body.kind !== 'goal') return body;
  const { event, answer } = body;
  return { ...body, event: renameIds(event, named), ...(answer === undefined ? {} : { answer: named(answer) }) };
}
