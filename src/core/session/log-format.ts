/**
 * The log format on disk: one JSON record per line with a checksum that detects damage (S1, S2), and many shards merged
 * into one chat (S5).
 */
import * as z from 'zod/v4';
import { createWorkBudget, type Steps, takeSteps, takeStepsWithin } from '../base/async';
import { lazy } from '../base/lazy';
import { compareText } from '../base/list-edits';
import type { Digest, Shard } from '../ports/device';
import { imageTypesTaken } from '../ports/message';
import { modeIds, tiers } from '../settings/mode';
import { branchKinds, firstBranch, writtenBranch } from './branches';
import { changeEntryShapes } from './change-entry';
import { chatBeganShape } from './chat-start';
import { type EntryBody, type SessionEntry, type SnapshotPart, snapshotParts } from './entry';
import { goalEntryShape } from './goal-entry';
import { knownBody } from './known-body';

/** Increased if a reader of the old format could misread a line; so it would take branches for one conversation. */
const formatVersions = { first: 1, branches: 2 };

/** Hex digits of the checksum that are stored. */
const checksumLength = 16;

const checksumPattern = /,"c":"([0-9a-f]{16})"\}$/;

/** The milliseconds that are a date. */
const maxTime = 8.64e15;

const recordShape = lazy(() =>
  z.object({
    v: z.literal(Object.values(formatVersions)),
    id: z.string().min(1),
    conv: z.string().min(1),
    w: z.string(),
    s: z.string(),
    lam: z.number().min(0),
    t: z.number().min(-maxTime).max(maxTime),
    q: z.string().optional(),
    br: z.string().optional(),
    k: z.string(),
    b: z.record(z.string(), z.unknown()),
  }),
);

const bodies = lazy((): { readonly [Kind in EntryBody['kind']]: z.ZodType } => {
  const text = z.string();
  const additions = z.array(
    z.looseObject({
      kind: z.enum(['context-file', 'hook', 'resource']),
      source: text,
      text,
      missing: text.optional(),
    }),
  );
  const zoneParts = z.array(z.looseObject({ section: text, text }));
  const editorState = z
    .looseObject({
      activeNote: z
        .looseObject({
          path: text,
          cursor: z.looseObject({ line: z.number(), character: z.number() }).nullable(),
          selectedText: text,
          selectedLength: z.number().optional(),
        })
        .nullable(),
      otherOpenNotes: z.array(text),
    })
    .nullable();
  const image = z
    .looseObject({
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      mediaType: z.enum(imageTypesTaken),
      width: z.number().int().min(1),
      height: z.number().int().min(1),
      bytes: z.number().int().min(1),
      conversation: z.string().regex(/^[\w-]+$/),
    })
    .optional();
  const snapshot = z.record(z.enum(Object.keys(snapshotParts) as [SnapshotPart, ...SnapshotPart[]]), text);
  const trigger = z.enum(['automatic', 'manual']);
  const usage = z.looseObject({ inputTokens: z.number(), outputTokens: z.number() });
  return {
    user: z.looseObject({
      text,
      mentions: z.array(z.looseObject({ kind: text, id: text, label: text, image, form: text.optional() })),
      instead: text.optional(),
    }),
    assistant: z.looseObject({
      parts: z.array(z.looseObject({ type: text })),
      end: text,
      model: text,
      escapes: z.array(text).optional(),
    }),
    'tool-result': z.looseObject({
      callId: text,
      name: text,
      text,
      isError: z.boolean(),
      sources: z.array(z.looseObject({ path: text })),
      frame: z
        .looseObject({
          tag: z.enum(['instructions', 'untrusted']),
          attributes: z.record(text, text),
          lead: text.optional(),
        })
        .optional(),
      shown: z.looseObject({ head: z.number().int().min(0), tail: z.number().int().min(0) }).optional(),
      additions: additions.optional(),
      steps: z.array(z.looseObject({ title: text, text, isError: z.boolean() })).optional(),
      view: z.looseObject({ kind: text }).optional(),
      usage: usage.optional(),
    }),
    tainted: z.looseObject({ source: text }),
    'hook-context': z.looseObject({ additions, reports: z.array(text) }),
    'turn-zone': z.looseObject({
      before: zoneParts,
      after: zoneParts,
      mode: z.enum(modeIds),
      editor: editorState,
      told: z.record(text, text).optional(),
    }),
    'chat-began': chatBeganShape(),
    'reference-sent': z.looseObject({
      head: text,
      reason: text,
      items: z.array(
        z.looseObject({
          key: text,
          section: text,
          tier: z.enum(['L0', 'L1', 'L2', 'L3', 'active', 'opening']),
          text,
          hash: text,
          stood: z.number(),
          lines: z.record(text, text).optional(),
        }),
      ),
    }),
    'prompt-rebuilt': z.looseObject({
      sections: z.array(text),
      reasons: z.array(text),
      model: text,
      tier: z.literal(tiers),
      mode: z.enum(modeIds),
      headMode: z.enum(modeIds),
      automatic: z.boolean(),
      window: z.number().nullable(),
      head: z.record(text, text),
    }),
    summary: z.looseObject({
      snapshot,
      covers: z.array(text),
      continues: text.optional(),
      by: z.enum(['model', 'extraction']),
      trigger,
      focus: text,
      before: z.number(),
      after: z.number(),
      removed: z.number(),
      kept: z.number(),
      paths: z.array(text),
      skills: z.array(text),
      topic: text.optional(),
      notices: z.array(text).optional(),
    }),
    'summary-edited': z.looseObject({ summary: text, snapshot }),
    'summary-undone': z.looseObject({ summary: text }),
    'summary-refused': z.looseObject({ reason: text, trigger }),
    'request-beside': z.looseObject({ model: text, usage }),
    'context-forms': z.looseObject({
      forms: z.array(
        z.looseObject({ target: text, form: z.enum(['whole', 'pinned', 'outline', 'masked', 'dropped']) }),
      ),
      by: z.enum(['user', 'window']),
    }),
    failure: z.looseObject({ failure: z.looseObject({ kind: text, words: text, remedy: text }) }),
    choices: z.looseObject({ choices: z.looseObject({}) }),
    title: z.looseObject({ title: text, by: z.literal('model').optional() }),
    'chat-list': z.looseObject({ pinned: z.boolean().optional(), deleted: z.boolean().optional() }),
    branch: z.looseObject({ message: text }),
    'branch-chosen': z.looseObject({ chosen: text }),
    'message-deleted': z.looseObject({ message: text, deleted: z.boolean() }),
    forked: z.looseObject({ chat: text, message: text }),
    'log-restored': z.looseObject({ lines: z.number() }),
    goal: goalEntryShape(),
    ...changeEntryShapes(),
  };
});

/** Returns one line, including its newline. */
export function encodeEntry(entry: SessionEntry, digest: Digest): string {
  const { id, conversation, writer, session, lamport, time, turn, branch, kind, ...body } = entry;
  const record = {
    v: writtenBranch(entry) === firstBranch ? formatVersions.first : formatVersions.branches,
    id,
    conv: conversation,
    w: writer,
    s: session,
    lam: lamport,
    t: time,
    ...(turn === undefined ? {} : { q: turn }),
    ...(branch === undefined ? {} : { br: branch }),
    k: kind,
    b: body,
  };
  const json = JSON.stringify(record);
  return `${json.slice(0, -1)},"c":"${checksum(json, digest)}"}\n`;
}

export type DecodedLine =
  | ({ readonly type: 'entry' } & Ordered)
  /** An intact line of a kind or version that this version does not know. */
  | { readonly type: 'unknown' }
  | { readonly type: 'damaged' };

/** Returns null for a blank line. Never throws or guesses: a line with a wrong checksum is damaged as a whole. */
export function decodeLine(line: string, digest: Digest): DecodedLine | null {
  const trimmed = line.trim();
  if (trimmed === '') return null;
  const match = checksumPattern.exec(trimmed);
  if (match === null) return { type: 'damaged' };
  const json = `${trimmed.slice(0, match.index)}}`;
  if (checksum(json, digest) !== match[1]) return { type: 'damaged' };
  const parsed = parseJson(json);
  const record = recordShape().safeParse(parsed);
  if (!record.success) return { type: 'unknown' };
  const { id, conv, w, s, lam, t, q, br, k, b } = record.data;
  if (!isKind(k) || !bodies()[k].safeParse(b).success) return { type: 'unknown' };
  const body = knownBody(k, b);
  const place = { ...(q === undefined ? {} : { turn: q }), ...(br === undefined ? {} : { branch: br }) };
  const header = { id, conversation: conv, writer: w, session: s, lamport: lam, time: t, ...place };
  const isKnown = body === b && Object.keys(parsed as object).length === Object.keys(record.data).length;
  return {
    ...{ type: 'entry', entry: { ...body, kind: k, ...header } as unknown as SessionEntry, order: match[1] ?? '' },
    ...(!isKnown && { line: trimmed }),
  };
}

function isKind(kind: string): kind is EntryBody['kind'] {
  return Object.hasOwn(bodies(), kind);
}

function checksum(json: string, digest: Digest): string {
  return digest(json).slice(0, checksumLength);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export interface MergedLog {
  /** An array of its own. */
  readonly entries: SessionEntry[];
  /** Lines that could not be read; they stay in their files and are shown as a count. */
  readonly damaged: number;
  /** Intact lines of a newer version. */
  readonly unknown: number;
}

/**
 * Reads a chat as the union of its shards: the same entries in the same order on every device, regardless of the order
 * of shards and of duplicates (S5). Entries are sorted by logical time, writer, session, and content, and each turn is
 * in one piece. Reads in slices, so that a long chat doesn't block the app.
 */
export async function mergeShards(shards: readonly Shard[], digest: Digest): Promise<MergedLog> {
  const union = new LogUnion(digest);
  const budget = createWorkBudget(new AbortController().signal);
  for (const shard of shards) await takeStepsWithin(union.read(shard.text), budget);
  return union.merged();
}

/** Characters of a log from which on its end is read before the rest. */
const minLength = 200_000;
/** What the end of a log holds at most: messages of the user, lines, and characters. */
const end = { messages: 24, lines: 400, length: 300_000 };

/**
 * Returns the entries at the end of a long log, from a message of the user on, as far as its lines are in order; null
 * for a log that is read soon enough, or whose end has no message or several branches.
 */
export function readEnd(shards: readonly Shard[], digest: Digest): readonly SessionEntry[] | null {
  if (shards.reduce((sum, { text }) => sum + text.length, 0) < minLength) return null;
  const readers = shards.map(({ text }) => readBackwards(text, digest));
  const next = readers.map((reader) => reader.next().value);
  const union = new LogUnion(digest);
  const read = { messages: 0, lines: 0, length: 0 };
  while (read.messages < end.messages && read.lines < end.lines && read.length < end.length) {
    const newest = next.reduce((best, each, index) => (isLater(each, next[best]) ? index : best), 0);
    const line = next[newest];
    if (line === undefined) break;
    union.addEntry(line.entry, line.order);
    next[newest] = readers[newest]?.next().value;
    read.lines += 1;
    read.length += line.length;
    if (line.entry.kind === 'user') read.messages += 1;
  }
  const { entries } = union.merged();
  // Only the whole log shows which branch is in view.
  if (entries.some((entry) => branchKinds.has(entry.kind) || writtenBranch(entry) !== firstBranch)) return null;
  const first = entries.findIndex(({ kind }) => kind === 'user');
  return first === -1 ? null : entries.slice(first);
}

interface ReadLine extends Ordered {
  readonly length: number;
}

function isLater(line: ReadLine | undefined, other: ReadLine | undefined): boolean {
  return line !== undefined && (other === undefined || compare(line, other) > 0);
}

function* readBackwards(text: string, digest: Digest): Generator<ReadLine, undefined> {
  for (let lineEnd = text.length; lineEnd >= 0;) {
    const lineStart = lineEnd === 0 ? 0 : text.lastIndexOf('\n', lineEnd - 1) + 1;
    const decoded = decodeLine(text.slice(lineStart, lineEnd), digest);
    if (decoded?.type === 'entry') yield { ...decoded, length: lineEnd - lineStart };
    lineEnd = lineStart - 1;
  }
  return undefined;
}

/** A logical time from here on is an error of its writer: what follows it would soon have one time with the next. */
const maxLamport = 2 ** 52;

/** LogUnion: the lines of some shards of a chat, each once. */
export class LogUnion {
  private readonly found = new Map<string, Ordered>();
  private readonly unknown = new Set<string>();
  private readonly damagedLines: string[] = [];
  /** The highest logical time of its entries, from which one goes on. */
  lamport = 0;

  constructor(private readonly digest: Digest) {}

  /** Adds the lines of a shard. */
  add(text: string): this {
    takeSteps(this.read(text));
    return this;
  }

  /** Adds the lines of a shard, one at each step. */
  *read(text: string): Steps<void> {
    for (const line of text.split('\n')) {
      const decoded = decodeLine(line, this.digest);
      if (decoded?.type === 'damaged') this.damagedLines.push(line);
      if (decoded?.type === 'unknown') this.unknown.add(line.trim());
      if (decoded?.type === 'entry') this.addOrdered(decoded);
      yield line.length;
    }
  }

  /** Adds the intact lines of another union; returns whether one of them is new. */
  absorb(other: LogUnion): boolean {
    const before = this.found.size + this.unknown.size;
    for (const each of other.found.values()) this.addOrdered(each);
    for (const line of other.unknown) this.unknown.add(line);
    return this.found.size + this.unknown.size > before;
  }

  addEntry(entry: SessionEntry, order = ''): void {
    this.addOrdered({ entry, order });
  }

  private addOrdered(each: Ordered): void {
    const { entry, order } = each;
    const held = this.found.get(entry.id);
    if (held === undefined || order < held.order) this.found.set(entry.id, each);
    if (entry.lamport < maxLamport) this.lamport = Math.max(this.lamport, entry.lamport);
  }

  /** Returns the intact lines of this union that no other one has, each with its newline. */
  linesMissingIn(others: readonly LogUnion[]): string[] {
    const ids = new Set(others.flatMap(({ found }) => [...found.keys()]));
    const lines = new Set(others.flatMap(({ unknown }) => [...unknown]));
    const entries = [...this.found.values()].filter(({ entry }) => !ids.has(entry.id));
    const unknown = [...this.unknown].filter((line) => !lines.has(line));
    const known = entries.map(({ entry, line }) =>
      line === undefined ? encodeEntry(entry, this.digest) : `${line}\n`,
    );
    return [...known, ...unknown.map((line) => `${line}\n`)];
  }

  /** @param read unions of which this one is the sum; their damaged lines count */
  merged(read: readonly LogUnion[] = [this]): MergedLog {
    const sorted = [...this.found.values()].sort(compare).map(({ entry }) => entry);
    const damaged = read.flatMap(({ damagedLines }) => damagedLines).filter((line) => !this.hasWhole(line)).length;
    return { entries: gatherTurns(sorted), damaged, unknown: this.unknown.size };
  }

  /** Whether the line is the beginning of one that is intact elsewhere, as a write leaves it that was cut off. */
  private hasWhole(line: string): boolean {
    const id = fragmentId.exec(line)?.[1];
    const whole = id === undefined ? undefined : this.found.get(id);
    return whole !== undefined && encodeEntry(whole.entry, this.digest).startsWith(line.trim());
  }
}

const fragmentId = /^\s*\{"v":[12],"id":"([a-z0-9-]{1,64})"/;

interface Ordered {
  readonly entry: SessionEntry;
  readonly order: string;
  /** The line itself, where it has what this version does not know, as a newer one may have added. */
  readonly line?: string;
}

function compare(a: Ordered, b: Ordered): number {
  return (
    a.entry.lamport - b.entry.lamport ||
    compareText(a.entry.writer, b.entry.writer) ||
    compareText(a.entry.session, b.entry.session) ||
    compareText(a.order, b.order)
  );
}

/** Kinds that only a turn adds. */
const turnKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'assistant',
  'tool-result',
  'hook-context',
  'turn-zone',
  'failure',
]);

/**
 * Moves the entries of each turn behind its message, so that turns that ran on two devices at the same time follow one
 * another. The order within a turn, and of what belongs to no turn, stays.
 */
function gatherTurns(sorted: readonly SessionEntry[]): SessionEntry[] {
  const owners = ownersOf(sorted);
  const turns = new Map<string, SessionEntry[]>();
  const gathered: (SessionEntry | readonly SessionEntry[])[] = [];
  sorted.forEach((entry, index) => {
    const owner = owners[index];
    if (owner === undefined) {
      gathered.push(entry);
      return;
    }
    const turn = turns.get(owner);
    if (turn !== undefined) {
      turn.push(entry);
      return;
    }
    const fresh = [entry];
    turns.set(owner, fresh);
    gathered.push(fresh);
  });
  return gathered.flat();
}

/**
 * Returns for each entry the turn that it belongs to, in its branch; undefined if it belongs to none that comes before
 * it.
 */
function ownersOf(sorted: readonly SessionEntry[]): (string | undefined)[] {
  const begun = new Map<string, number>();
  const latest = new Map<string, string>();
  const owners = sorted.map((entry, index) => {
    const { id, kind, turn } = entry;
    const message = kind === 'user' ? id : kind === 'branch' ? entry.message : turn;
    const owner = `${message} ${kind === 'branch' ? id : writtenBranch(entry)}`;
    if (kind === 'user' || kind === 'branch') {
      begun.set(owner, index);
      latest.set(streamOf(entry), owner);
      return kind === 'user' ? owner : undefined;
    }
    if (turn !== undefined) return begun.has(owner) ? owner : undefined;
    return turnKinds.has(kind) ? latest.get(streamOf(entry)) : undefined;
  });
  // What a writer added between two entries of a turn belongs to it as well.
  const later = new Map<string, string>();
  for (let index = sorted.length - 1; index >= 0; index -= 1) {
    const entry = sorted[index] as SessionEntry;
    if (branchKinds.has(entry.kind)) continue;
    const stream = streamOf(entry);
    const owner = owners[index] ?? later.get(stream);
    if (owner === undefined || (begun.get(owner) ?? 0) >= index) later.delete(stream);
    else [owners[index]] = [owner, later.set(stream, owner)];
  }
  return owners;
}

function streamOf({ writer, session }: SessionEntry): string {
  return `${writer} ${session}`;
}
