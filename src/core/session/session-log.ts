/** SessionLog: one conversation's log as this process sees and extends it; appends go out one after the other. */
import type { Clock, Digest, Identifiers, SessionStore } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import type { EntryBody, SessionEntry } from './entry';
import { encodeEntry } from './log-lines';
import { type MergedLog, mergeShards } from './merge-shards';

export interface SessionLogPorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly digest: Digest;
  /** Stays the same on a device. */
  readonly writer: string;
  /** New each time the plugin loads. */
  readonly session: string;
}

export class SessionLog {
  private readonly appended: SessionEntry[] = [];
  private lamport: number;
  /** Whether the last append may have left half a line, so that the next one must start on a fresh line. */
  private torn = false;
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly conversation: string,
    private readonly ports: SessionLogPorts,
    private readonly loaded: MergedLog,
  ) {
    this.lamport = loaded.entries.reduce((highest, entry) => Math.max(highest, entry.lamport), 0);
  }

  /** A conversation that nobody has written to yet. Nothing is stored before its first entry. */
  static start(conversation: string, ports: SessionLogPorts): SessionLog {
    return new SessionLog(conversation, ports, { entries: [], damaged: 0, unknown: 0 });
  }

  static async open(conversation: string, ports: SessionLogPorts): Promise<Outcome<SessionLog>> {
    const shards = await ports.store.shards(conversation);
    if (!shards.ok) return shards;
    return succeed(new SessionLog(conversation, ports, mergeShards(shards.value, ports.digest)));
  }

  /** In order, those of this process included. */
  get entries(): readonly SessionEntry[] {
    return [...this.loaded.entries, ...this.appended];
  }

  /** Lines found damaged when the log was opened. */
  get damaged(): number {
    return this.loaded.damaged;
  }

  /** On disk when the outcome is ok. A failed entry is not part of the log, so that a later try may write it again. */
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
