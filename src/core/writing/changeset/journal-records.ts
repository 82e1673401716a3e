/** Journal records: the lines of the write log, each with a checksum, and the operations folded from them. */
import * as z from 'zod/v4';
import { lazy } from '../../base/lazy';
import type { Digest } from '../../ports/device';
import { isListedPlace } from '../guard/path-guard';

const formatVersion = 1;
const checksumLength = 16;
const checksumPattern = /,"c":"([0-9a-f]{16})"\}$/;

/** The schemas of the records; built on first use. */
const shapes = lazy(() => {
  const hash = z.string();
  // The journal syncs with the plugin's folder, so what it says of places is judged like any other text.
  const place = z.string().refine(isListedPlace);
  const fileAt = z.object({ path: place, hash });
  const rewritten = z.object({ path: place, pre: hash, post: hash });

  const call = z.object({
    kind: z.literal('call'),
    op: z.string().min(1),
    step: z.enum(['create', 'edit', 'move', 'delete']),
    changeset: z.string(),
    change: z.string(),
    /** The current path, or the path of a new file. */
    path: place,
    /** The target of a move. */
    to: place.nullable(),
    /** Ids of the tool calls that caused it. */
    calls: z.array(z.string()),
    /** The operation that this one undoes. */
    undoes: z.string().nullable(),
    taint: z.string().nullable(),
    time: z.number(),
    /** The kind of device that made it, in words; absent in the first layout. */
    device: z.string().optional(),
  });
  const intent = z.object({
    kind: z.literal('intent'),
    op: z.string().min(1),
    /** Hashes of the bytes before and of the wanted bytes; null where there is no file. */
    pre: hash.nullable(),
    post: hash.nullable(),
    /** The files whose links a move may rewrite, with their hashes before it. */
    sources: z.array(fileAt),
  });
  const commit = z.object({
    kind: z.literal('commit'),
    op: z.string().min(1),
    /** Hash of the bytes after the write. */
    post: hash.nullable(),
    /** Files that Obsidian rewrote during a move; equal hashes mark files that already linked to the new path. */
    rewritten: z.array(rewritten),
    /** Folders created for the file, outermost first. */
    folders: z.array(place),
  });
  /** The operation did not happen; nothing changed. */
  const none = z.object({ kind: z.literal('void'), op: z.string().min(1) });

  /** These operations are deleted, although lines of them may remain until the next cleanup. */
  const pruned = z.object({ kind: z.literal('pruned'), ops: z.array(z.string()) });

  const record = z.discriminatedUnion('kind', [call, intent, commit, none, pruned]);
  return { call, record, fileAt, rewritten };
});
type Shapes = ReturnType<typeof shapes>;

export type CallRecord = z.infer<Shapes['call']>;
export type JournalRecord = z.infer<Shapes['record']>;
export type OperationRecord = Exclude<JournalRecord, { kind: 'pruned' }>;
export type FileVersion = z.infer<Shapes['fileAt']>;
export type Rewritten = z.infer<Shapes['rewritten']>;

/** One write to one file, from its call to its end. */
export interface Operation {
  readonly id: string;
  /** The device whose journal has it; null in the first layout, which does not say. */
  readonly writer: string | null;
  readonly call: CallRecord;
  /** `called` has changed nothing yet, `begun` may have, and the other two are final. */
  readonly state: 'called' | 'begun' | 'committed' | 'void';
  readonly pre: string | null;
  readonly post: string | null;
  readonly sources: readonly FileVersion[];
  readonly rewritten: readonly Rewritten[];
  readonly folders: readonly string[];
}

/** From the first to the last of the states of an operation, as its records are folded. */
const states: readonly Operation['state'][] = ['called', 'begun', 'void', 'committed'];

/** Whether an operation has come further than it is known elsewhere. */
export function isFurther({ state }: Operation, known: Operation | undefined): boolean {
  return known === undefined || states.indexOf(state) > states.indexOf(known.state);
}

/** Returns the records of an operation that are missing where it is known as this one, or not at all. */
export function recordsBeyond(
  { id: op, call, state, pre, post, sources, rewritten, folders }: Operation,
  known: Operation | undefined,
): readonly OperationRecord[] {
  const records: OperationRecord[] = known === undefined ? [call] : [];
  const isIntended = state === 'begun' || state === 'committed';
  if (isIntended && (known === undefined || known.state === 'called')) {
    records.push({ kind: 'intent', op, pre, post, sources: [...sources] });
  }
  if (state === 'void') records.push({ kind: 'void', op });
  if (state === 'committed') {
    records.push({ kind: 'commit', op, post, rewritten: [...rewritten], folders: [...folders] });
  }
  return records;
}

/** Returns the record as one line with its newline. */
export function encodeRecord(entry: JournalRecord, digest: Digest): string {
  const json = JSON.stringify({ v: formatVersion, ...entry });
  return `${json.slice(0, -1)},"c":"${digest(json).slice(0, checksumLength)}"}\n`;
}

/** Returns null for a blank, truncated, or damaged line. */
export function decodeRecord(line: string, digest: Digest): JournalRecord | null {
  const match = checksumPattern.exec(line.trim());
  if (match === null) return null;
  const json = `${line.trim().slice(0, match.index)}}`;
  if (digest(json).slice(0, checksumLength) !== match[1]) return null;
  const read = shapes().record.safeParse(parseJson(json));
  return read.success ? read.data : null;
}

/**
 * Returns the operation with one more record applied; undefined if its call record is missing.
 * @param writer the device in whose journal the record is
 */
export function foldRecord(
  operation: Operation | undefined,
  entry: OperationRecord,
  writer: string | null,
): Operation | undefined {
  if (entry.kind === 'call') {
    const start = { pre: null, post: null, sources: [], rewritten: [], folders: [] };
    return operation ?? { id: entry.op, writer, call: entry, state: 'called', ...start };
  }
  if (operation === undefined) return undefined;
  switch (entry.kind) {
    case 'intent':
      return { ...operation, state: 'begun', pre: entry.pre, post: entry.post, sources: entry.sources };
    case 'commit':
      return {
        ...operation,
        state: 'committed',
        post: entry.post,
        rewritten: entry.rewritten,
        folders: entry.folders,
      };
    case 'void':
      return { ...operation, state: 'void' };
  }
}

/**
 * Returns the ids of operations that were taken back, and not brought back in turn.
 * @param operations oldest first: what takes another one back is later than that
 */
export function foldUndone(operations: readonly Operation[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const { id, call, state } of [...operations].reverse()) {
    if (state === 'committed' && call.undoes !== null && !undone.has(id)) undone.add(call.undoes);
  }
  return undone;
}

/** The end of the year 9999. */
const lastTime = 253_402_300_799_999;

/**
 * Whether later writes of a device get later times than an operation. Behind an impossible time of another device, which
 * its journal may have from anyone, there may be no number for the next one.
 */
export function isOrderly({ writer, call }: Operation, device: string): boolean {
  return writer === device || call.time <= lastTime;
}

/** Returns the hashes of all copies that an operation may need. */
export function blobsOf({ pre, post, sources, rewritten: changed }: Operation): string[] {
  const hashes = [
    pre,
    post,
    ...sources.map((source) => source.hash),
    ...changed.flatMap((each) => [each.pre, each.post]),
  ];
  return [...new Set(hashes.filter((each) => each !== null))];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
