/**
 * Compacts a history: chooses what to cover, gets a snapshot of it, and checks that the request shrinks enough (R247,
 * R248, K23).
 */
import { words } from '../../../text';
import type { GoalBook } from '../../goals/goal-manager';
import { requestMarkers } from '../../goals/goal-markers';
import type { StateNotes } from '../../ports/device';
import { type Outcome, succeed } from '../../ports/failure';
import type { Message } from '../../ports/message';
import { type Model, type ModelDescription, tinyWindow, type Tokenizer } from '../../ports/model';
import type { RequestPlan, RequestTotals } from '../../ports/request-plan';
import type { Vault } from '../../ports/vault';
import type { NoteCache } from '../../prompt/facts/attached-notes';
import { foldLog, visibleEntries } from '../../request/history';
import type { LogEntries } from '../../session/branches';
import type { EntryBody, Mention, SessionEntry, Snapshot, SummaryBody, SummaryRefusal } from '../../session/entry';
import type { Goal } from '../../session/goal-entry';
import { coveredBy } from '../../session/log-state';
import { withFurther } from '../../session/session-log';
import type { Settings } from '../../settings/settings';
import { usableWindow } from '../context-window';
import type { PreparedTurn } from '../prepare-turn';
import { skillsIn } from '../turn-context';
import { type CoveredEntries, type CutLimits, chooseCoveredEntries, limitsFor } from './choose-cut';
import { extractSnapshot, pathsIn, requestSnapshot, snapshotPartNames } from './snapshot';
import { type FoundTopic, findTopic } from './find-topic';

interface CompressionEvent {
  readonly conversationId: string;
  readonly trigger: 'automatic' | 'manual';
  readonly tokens: number;
  readonly messages: number;
}

/** The ports that freeing context needs. */
interface ReducerPorts {
  readonly vault: Vault;
  readonly tokenizer: Tokenizer;
  readonly notes: Pick<NoteCache, 'read'>;
  readonly hooks: { preCompress(event: CompressionEvent, signal: AbortSignal): Promise<readonly string[]> };
  /** Where states are saved; if absent, none is saved. */
  readonly states?: StateNotes;
  agentFolder(): string;
  settings(): Settings;
  model(id: string): Outcome<Model>;
  note(words: string): void;
}

export interface ReducedChat {
  readonly log: LogEntries & { readonly conversation: string };
  readonly context: {
    prepare(model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal): Promise<PreparedTurn>;
    repin(): unknown;
    forgetSent(): unknown;
  };
  readonly goals: GoalBook;
  readonly ports: ReducerPorts;
  record(body: EntryBody): Promise<Outcome<SessionEntry>>;
  /** Called with true when writing a summary starts, and with false when it ends. */
  describe(summarising: boolean): void;
}

/** The maximum size of the request after a compaction, as a share of its size before. */
export const maxResult = 0.8;
/** In a tiny window so much is covered that several more messages fit: a short exchange stays, behind a short summary. */
const tinyResult = 0.6;
const tinyRetained = 0.05;

/** Tokens of a snapshot made without a model. */
const extractTokens = { share: 0.12, tinyShare: 0.05, min: 100, max: 1_500 } as const;
/** Words of a snapshot by a model in a tiny window, for each token of one that is made without. */
const wordsPerToken = 0.75;

export interface CompactionInput {
  readonly entries: readonly SessionEntry[];
  /** Tokens of the request that made it due, with what that request would add to the history. */
  readonly size: number;
  readonly trigger: SummaryBody['trigger'];
  readonly focus: string;
  /** The user entry of the last exchange to cover; null for the default cut. */
  readonly upTo: string | null;
  readonly goal: Goal | null;
  readonly own: string | null;
  /** Sentences on settings or instructions that could not be followed. */
  readonly notices: readonly string[];
  /** The result has to stay below this many tokens. */
  readonly point: number;
  /** The model that writes the snapshot, the planner of its requests, and whether it differs from the chat's model. */
  readonly model: Model;
  readonly apart: boolean;
  ask(messages: readonly Message[]): Promise<RequestPlan>;
  /** The planner of the chat's own requests. */
  plan(messages: readonly Message[]): Promise<RequestPlan>;
  readonly settings: Pick<Settings, 'compactionCheck' | 'compactionTopics'>;
  readonly signal: AbortSignal;
}

export type Compacted =
  | { readonly ok: true; readonly body: SummaryBody }
  | { readonly ok: false; readonly reason: SummaryRefusal };

/** Stores nothing: the caller records the result or shows it to the user. */
export async function compactHistory(input: CompactionInput): Promise<Compacted> {
  const { entries, signal } = input;
  const { totals } = await input.plan(foldLog(entries));
  const before = totals.all;
  const added = Math.max(0, input.size - before);
  // What stays must leave tokens for the rest of the request and for a short summary, or nothing would be gained.
  const isTiny = totals.window <= tinyWindow;
  const extract = extractWithin(input.point, isTiny);
  const share = isTiny ? tinyResult : maxResult;
  const room = Math.floor(before * share) - (before - totals.history) - extract;
  const seen = visibleEntries(entries);
  const limits = limitsFor(input.point, room, isTiny ? tinyRetained : undefined);
  const topic = await topicAt(input, seen, limits);
  if (signal.aborted) return { ok: false, reason: 'stopped' };
  const cover = chooseCoveredEntries(entries, seen, limits, input.upTo ?? topic?.upTo);
  if (cover === null) return { ok: false, reason: 'nothing-to-cut' };
  const asked = await snapshotByModel(input, cover, isTiny ? Math.floor(extract * wordsPerToken) : null);
  if (signal.aborted) return { ok: false, reason: 'stopped' };
  const about = { before, topic: topic?.topic ?? '' };
  const body = await chooseSummary(input, cover, about, asked, extract);
  if (signal.aborted) return { ok: false, reason: 'stopped' };
  if (body === null) return { ok: false, reason: 'not-smaller' };
  // Judged without what the request adds to the history, which no summary shortens, and recorded with it.
  return { ok: true, body: { ...body, before: body.before + added, after: body.after + added } };
}

/**
 * Returns the summary of the model if it frees enough, else the one without it, which says why; null if neither does.
 * @param extract tokens of the one without it
 */
async function chooseSummary(
  input: CompactionInput,
  cover: CoveredEntries,
  about: Pick<MadeSnapshot, 'before' | 'topic'>,
  byModel: Outcome<Snapshot> | null,
  extract: number,
): Promise<SummaryBody | null> {
  const { notByModel, summaryTooLong } = words.status;
  let reason = byModel?.ok === false ? byModel.failure.words : null;
  if (byModel?.ok === true) {
    const made = { ...about, by: 'model', snapshot: byModel.value, notices: input.notices } as const;
    const body = await measure(input, bodyOf(input, cover, made));
    if (input.signal.aborted || isWorthIt(body, input.point)) return body;
    reason = summaryTooLong;
  }
  const notices = reason === null ? input.notices : [...input.notices, notByModel(reason)];
  const made = { ...about, by: 'extraction', snapshot: extracted(input, cover, extract), notices } as const;
  const body = await measure(input, bodyOf(input, cover, made));
  return isWorthIt(body, input.point) ? body : null;
}

/** Finds where the current topic begins, if settings ask for it and the user named no cut. */
function topicAt(input: CompactionInput, seen: readonly SessionEntry[], limits: CutLimits): Promise<FoundTopic | null> {
  const { settings, upTo, own, model, signal } = input;
  const isAsked = settings.compactionTopics && upTo === null && model.description.summarises !== false;
  return isAsked
    ? findTopic({ seen, limits, own, model, signal, plan: (asked) => input.ask(asked) })
    : Promise.resolve(null);
}

/** Returns null for a model that writes no summaries. */
async function snapshotByModel(
  input: CompactionInput,
  { older }: CoveredEntries,
  maxWords: number | null,
): Promise<Outcome<Snapshot> | null> {
  if (input.model.description.summarises === false) return null;
  const { goal, focus, own, apart, model, settings, signal } = input;
  const plan = (messages: readonly Message[]): Promise<RequestPlan> => input.ask(messages);
  return requestSnapshot({ older, goal, focus, own, maxWords, apart, plan, model, settings, signal });
}

function extracted({ goal }: CompactionInput, { older }: CoveredEntries, tokens: number): Snapshot {
  return extractSnapshot({ entries: older, goal, tokens });
}

function extractWithin(point: number, isTiny: boolean): number {
  const { share, tinyShare, min, max } = extractTokens;
  return Math.min(max, Math.max(min, Math.floor(point * (isTiny ? tinyShare : share))));
}

/** Returns about how many tokens a summary takes, for estimating a compaction. */
export function maxExtract(totals: Pick<RequestTotals, 'window' | 'reserve'>): number {
  return extractWithin(usableWindow(totals), totals.window <= tinyWindow);
}

type MadeSnapshot = Required<Pick<SummaryBody, 'by' | 'snapshot' | 'before' | 'topic' | 'notices'>>;

function bodyOf(
  { entries, trigger, focus }: CompactionInput,
  { covers, continues, older }: CoveredEntries,
  { by, snapshot, before, topic, notices }: MadeSnapshot,
): SummaryBody {
  const chain = continues === undefined ? {} : { continues };
  const covered = coveredBy(entries, { covers, ...chain });
  const coveredEntries = entries.filter(({ id }) => covered.has(id));
  const all = entries.filter(isMessage).length;
  const removed = coveredEntries.filter(isMessage).length;
  return {
    kind: 'summary',
    snapshot,
    covers,
    ...chain,
    by,
    trigger,
    focus,
    before,
    after: before,
    removed,
    kept: all - removed,
    paths: pathsIn(older),
    skills: skillsIn(coveredEntries),
    ...(topic === '' ? {} : { topic }),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function isMessage({ kind }: SessionEntry): boolean {
  return kind === 'user' || kind === 'assistant';
}

/** Returns the summary with the tokens that the whole request would have with it. */
export async function measure(
  { entries, plan }: Pick<CompactionInput, 'entries' | 'plan'>,
  body: SummaryBody,
): Promise<SummaryBody> {
  const planned = await plan(foldLog(withFurther(entries, body)));
  return { ...body, after: planned.totals.all };
}

function isWorthIt({ before, after }: SummaryBody, point: number): boolean {
  return after <= before * maxResult && after < point;
}

/** Records a summary, which the next request uses in place of the covered messages (R127, research 6.2). */
export async function recordSummary(chat: ReducedChat, body: SummaryBody): Promise<Outcome<SessionEntry>> {
  const stored = await chat.record(body);
  if (!stored.ok) return stored;
  chat.context.repin();
  chat.context.forgetSent();
  // A snapshot made without a model quotes messages whose goal markers were processed when they arrived.
  if (body.by === 'model') {
    const text = snapshotPartNames.map((name) => body.snapshot[name]).join('\n\n');
    const marked = await requestMarkers(chat.goals, text, stored.value.id);
    if (!marked.ok) return marked;
  }
  return succeed(stored.value);
}
