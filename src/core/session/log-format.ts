/**
 * The log format on disk: one JSON record per line with a checksum that detects damage (S1, S2), and many shards merged
 * into one chat (S5).
 */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { Digest, Shard } from '../ports/device';
import { imageTypesTaken } from '../ports/message';
import { modeIds, tiers } from '../settings/mode';
import { changeEntryShapes } from './change-entry';
import { chatBeganShape } from './chat-start';
import { type EntryBody, type SessionEntry, type SnapshotPart, snapshotParts } from './entry';
import { goalEntryShape } from './goal-entry';

/** Increased if a reader of the old format could misread a line. */
const formatVersion = 1;

/** Hex digits of the checksum that are stored. */
const checksumLength = 16;

const checksumPattern = /,"c":"([0-9a-f]{16})"\}$/;

const recordShape = lazy(() =>
  z.object({
    v: z.literal(formatVersion),
    id: z.string().min(1),
    conv: z.string().min(1),
    w: z.string(),
    s: z.string(),
    lam: z.number().int().min(0),
    t: z.number(),
    k: z.string(),
    b: z.record(z.string(), z.unknown()),
  }),
);

const bodies = lazy((): { readonly [Kind in EntryBody['kind']]: z.ZodType } => {
  const text = z.string();
  const additions = z.array(z.looseObject({ kind: z.enum(['context-file', 'hook']), source: text, text }));
  const zoneParts = z.array(z.looseObject({ section: text, text }));
  const editorState = z
    .looseObject({
      activeNote: z
        .looseObject({
          path: text,
          cursor: z.looseObject({ line: z.number(), character: z.number() }).nullable(),
          selectedText: text,
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
    title: z.looseObject({ title: text }),
    goal: goalEntryShape(),
    ...changeEntryShapes(),
  };
});

/** Returns one line, including its newline. */
export function encodeEntry(entry: SessionEntry, digest: Digest): string {
  const { id, conversation, writer, session, lamport, time, kind, ...body } = entry;
  const record = {
    v: formatVersion,
    id,
    conv: conversation,
    w: writer,
    s: session,
    lam: lamport,
    t: time,
    k: kind,
    b: body,
  };
  const json = JSON.stringify(record);
  return `${json.slice(0, -1)},"c":"${checksum(json, digest)}"}\n`;
}

export type DecodedLine =
  | { readonly type: 'entry'; readonly entry: SessionEntry; readonly order: string }
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
  const record = recordShape().safeParse(parseJson(json));
  if (!record.success) return { type: 'unknown' };
  const { id, conv, w, s, lam, t, k, b } = record.data;
  const shape = Object.hasOwn(bodies(), k) ? bodies()[k as EntryBody['kind']] : undefined;
  if (shape === undefined || !shape.safeParse(b).success) return { type: 'unknown' };
  const header = { id, conversation: conv, writer: w, session: s, lamport: lam, time: t };
  return { type: 'entry', entry: { ...b, kind: k, ...header } as unknown as SessionEntry, order: match[1] ?? '' };
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
  readonly entries: readonly SessionEntry[];
  /** Lines that could not be read; they stay in their files and are shown as a count. */
  readonly damaged: number;
  /** Intact lines of a newer version. */
  readonly unknown: number;
}

/**
 * Reads a chat as the union of its shards: the same entries in the same order on every device, regardless of the order
 * of shards and of duplicates (S5). Entries are sorted by logical time, writer, session, and content.
 */
export function mergeShards(shards: readonly Shard[], digest: Digest): MergedLog {
  const found = new Map<string, Ordered>();
  let damaged = 0;
  let unknown = 0;
  for (const shard of shards) {
    for (const line of shard.text.split('\n')) {
      const decoded = decodeLine(line, digest);
      if (decoded?.type === 'damaged') damaged += 1;
      if (decoded?.type === 'unknown') unknown += 1;
      if (decoded?.type !== 'entry') continue;
      const { entry, order } = decoded;
      const held = found.get(entry.id);
      if (held === undefined || order < held.order) found.set(entry.id, { entry, order });
    }
  }
  const entries = [...found.values()].sort(compare).map(({ entry }) => entry);
  return { entries, damaged, unknown };
}

interface Ordered {
  readonly entry: SessionEntry;
  readonly order: string;
}

function compare(a: Ordered, b: Ordered): number {
  return (
    a.entry.lamport - b.entry.lamport ||
    compareText(a.entry.writer, b.entry.writer) ||
    compareText(a.entry.session, b.entry.session) ||
    compareText(a.order, b.order)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
