/**
 * Frees context before a request, cheapest way first: clears old results, summarizes, omits the oldest parts (design
 * 8).
 */
import { type Outcome, succeed } from '../../ports/failure';
import { type Model, tinyWindow } from '../../ports/model';
import type { RequestPlan, RequestTotals } from '../../ports/request-plan';
import { foldLog, visibleEntries, withoutLastAttempt } from '../../request/history';
import { answerLimitOf, exceedsWindow } from '../../request/plan-request';
import { type EntryBody, type FormChange, isUserEntry, type SessionEntry } from '../../session/entry';
import { findLast } from '../../session/running-fold';
import { withFurther } from '../../session/session-log';
import { fullAt, smallWindow, usableWindow } from '../context-window';
import type { PreparedTurn } from '../prepare-turn';
import {
  imagesToMask,
  type MaskLimits,
  maskAll,
  maskLimits,
  notesToOutline,
  selectOldestToOmit,
  outputsToMask,
} from './clear-old-parts';
import { type Compacted, recordSummary, type ReducedChat } from './compact-history';
import { type CompactionOrder, runCompaction } from './run-compaction';

/** Sizes are estimates until the request is planned, so omitting may take several attempts. */
const maxTrims = 5;

export interface FreedContext {
  readonly model: Model;
  readonly prepared: PreparedTurn;
  readonly signal: AbortSignal;
  /** Entries that will be stored before the request is sent. */
  readonly pending: readonly EntryBody[];
}

/** Frees context before a turn; returns whether it did, so that the prompt must be written again. */
export async function freeContext(chat: ReducedChat, room: FreedContext): Promise<Outcome<boolean>> {
  if (room.model.description.contextWindow <= tinyWindow) return freeTinyWindow(chat, room);
  const before = chat.log.entries.length;
  const { contextWindow } = room.model.description;
  const isSmall = contextWindow <= smallWindow;
  // In a large window old results cost more than they help long before it is full.
  const masked = isSmall ? succeed(false) : await mask(chat, room, maskLimits(contextWindow));
  if (!masked.ok) return masked;
  let plan = await planAhead(chat, room);
  const isFull = plan.totals.all >= fullAt(plan.totals, chat.ports.settings());
  const images = (): FormChange[] => imagesIn(chat, maskAll);
  const cleared = isFull
    ? await change(chat, room, isSmall ? oldPartsIn(chat, 'turn', maskLimits(contextWindow).least) : images())
    : succeed(false);
  if (!cleared.ok) return cleared;
  const full = plan;
  if (cleared.value) plan = await planAhead(chat, room);
  const due = isSmall ? dueAfterClearing(full, plan) : undefined;
  const compacted = await compactWhenDue(chat, room, { plan, due });
  if (!compacted.ok) return compacted;
  const done = chat.log.entries.length > before;
  if (done) chat.context.forgetSent();
  return succeed(done);
}

/** The share of a full request that clearing may leave without a summary in the same break. */
const leftShare = 0.5;

/** Returns what decides whether a summary is due: the full request if clearing has left much of it. */
function dueAfterClearing(full: RequestPlan, cleared: RequestPlan): RequestTotals | undefined {
  return cleared.totals.all > full.totals.all * leftShare ? full.totals : undefined;
}

/** The share of the tokens left by the fixed parts of a request that its history may have after clearing. */
const clearedShare = 0.2;

/** Returns the tokens that a request should have after clearing. */
function clearedSize({ totals }: RequestPlan): number {
  const fixed = totals.all - totals.history - totals.turn;
  return fixed + Math.max(0, Math.floor((usableWindow(totals) - fixed) * clearedShare));
}

/** Whether the request leaves too little for its answer: after one that was cut off, less than an answer may have. */
function isOver({ log: { entries } }: ReducedChat, { model }: FreedContext, plan: RequestPlan): boolean {
  const last = findLast(entries, ({ kind }) => kind === 'assistant');
  const isCut = last?.kind === 'assistant' && last.end === 'length';
  return exceedsWindow(plan) || (isCut && plan.totals.all + answerLimitOf(model.description) > plan.totals.window);
}

/** The share of a window from which on a rewritten prompt is worth a break. */
const rewrittenShare = 0.5;

/** Whether the prompt has changed, so that the server reads all of the request again, and there is enough to free. */
function isRewrittenAnyway({ prepared: { change } }: FreedContext, { totals }: RequestPlan): boolean {
  const isChanged = change !== null && !change.reasons.includes('start');
  return isChanged && totals.all > totals.window * rewrittenShare;
}

async function freeTinyWindow(chat: ReducedChat, room: FreedContext): Promise<Outcome<boolean>> {
  const before = chat.log.entries.length;
  let plan = await planAhead(chat, room);
  const omit = (): Promise<Outcome<boolean>> => {
    const { entries } = chat.log;
    return change(
      chat,
      room,
      selectOldestToOmit(entries, visibleEntries(entries), plan.totals.all - clearedSize(plan)),
    );
  };
  const isRewritten = isRewrittenAnyway(room, plan);
  // What counts as full is a full window, or a rewritten prompt, after which the server reads the whole request anyway.
  const due = {
    ...plan.totals,
    all: isRewritten ? Math.max(plan.totals.all, usableWindow(plan.totals)) : plan.totals.all,
  };
  const steps = [() => change(chat, room, oldPartsIn(chat, 'turn')), () => compactWhenDue(chat, room, { plan, due })];
  for (let attempt = 0; attempt < maxTrims; attempt += 1) steps.push(omit);
  for (const [index, step] of steps.entries()) {
    // A summary is made even if clearing was enough for this request, since the next one would not fit.
    const isDone =
      index === 1 ? plan.totals.all <= clearedSize(plan) : !isOver(chat, room, plan) && !(isRewritten && index === 0);
    if (isDone && index !== 1) break;
    if (isDone) continue;
    const done = await step();
    if (!done.ok) return done;
    if (done.value) plan = await planAhead(chat, room);
  }
  const done = chat.log.entries.length > before;
  if (done) chat.context.forgetSent();
  return succeed(done);
}

/** Compacts at the end of a turn, while the user reads, so that the next message does not have to wait. */
export async function freeContextAfterTurn(
  chat: ReducedChat,
  model: Model,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  if (!mayCompact(chat) || model.description.contextWindow <= tinyWindow) return succeed(undefined);
  const prepared = await chat.context.prepare(model.description, [], signal);
  if (signal.aborted || prepared.prompt.blocked !== undefined) return succeed(undefined);
  const room = { model, prepared, signal, pending: [] };
  const plan = await planAhead(chat, room);
  const isFull = plan.totals.all >= fullAt(plan.totals, chat.ports.settings());
  if (!isFull || model.description.contextWindow > smallWindow) return compactWhenDue(chat, room, { plan });
  const { least } = maskLimits(model.description.contextWindow);
  const cleared = await change(chat, room, oldPartsIn(chat, 'turn', least));
  if (!cleared.ok) return cleared;
  const after = await planAhead(chat, room);
  return compactWhenDue(chat, room, { plan: after, due: dueAfterClearing(plan, after) });
}

/** Plans the next request inside a turn; records what it clears, summarizes or omits to make the request fit. */
export async function planToFit(chat: ReducedChat, room: FreedContext, further?: EntryBody): Promise<RequestPlan> {
  const { log } = chat;
  let plan = await planOf(room, log.entries, further);
  if (further !== undefined) return plan;
  const isTiny = plan.totals.window <= tinyWindow;
  const due = isTiny ? plan.totals : undefined;
  const steps = [
    () => change(chat, room, oldPartsIn(chat, 'answer')),
    () => compactWhenDue(chat, room, { plan, due, when: 'within' }),
  ];
  for (let attempt = 0; attempt < maxTrims; attempt += 1) steps.push(() => trim(chat, room, plan));
  // Better an answer from the outline than none: the model can read the note in parts.
  steps.push(() => change(chat, room, notesToOutline(log.entries, visibleEntries(log.entries), 'all')));
  let isCleared = false;
  for (const [index, step] of steps.entries()) {
    const goesOn = isTiny && isCleared && index < steps.length - 1;
    const isEnough = goesOn ? plan.totals.all <= clearedSize(plan) : !isOver(chat, room, plan);
    if (isEnough || room.signal.aborted) return plan;
    const done = await step();
    // If nothing could be stored, the caller refuses the plan by its size.
    if (!done.ok) return plan;
    isCleared ||= done.value;
    if (done.value) plan = await planOf(room, log.entries);
  }
  return plan;
}

/** Omits about as many tokens as are over the limit, and in a tiny window as many as the next messages need. */
function trim(chat: ReducedChat, room: FreedContext, plan: RequestPlan): Promise<Outcome<boolean>> {
  const { entries } = chat.log;
  const { all, reserve, window } = plan.totals;
  const over = all + reserve - window;
  const spare = window > tinyWindow ? 0 : Math.max(0, all - over - clearedSize(plan));
  return change(chat, room, selectOldestToOmit(entries, visibleEntries(entries), over, spare));
}

/** Plans the request as it would be sent now. */
function planAhead(chat: ReducedChat, { prepared, pending }: FreedContext): Promise<RequestPlan> {
  const entries = pending.reduce<readonly SessionEntry[]>((log, body) => withFurther(log, body), chat.log.entries);
  return prepared.plan(foldLog(entries));
}

function planOf(room: FreedContext, entries: readonly SessionEntry[], further?: EntryBody): Promise<RequestPlan> {
  return room.prepared.plan(withoutLastAttempt(foldLog(withFurther(entries, further))));
}

/** Clears images or else results; returns whether it cleared any. */
async function mask(
  chat: ReducedChat,
  room: FreedContext,
  limits: MaskLimits,
  from?: 'turn' | 'answer',
): Promise<Outcome<boolean>> {
  const { entries } = chat.log;
  const images = imagesIn(chat, limits);
  return change(chat, room, images.length > 0 ? images : outputsToMask(entries, visibleEntries(entries), limits, from));
}

/**
 * Returns all that can be cleared at once: images, results and attached notes of earlier messages.
 * @param from the entry from which on results stay
 * @param least tokens that clearing results must free, so that a provider's cache is not invalidated for little
 */
function oldPartsIn(chat: ReducedChat, from: 'turn' | 'answer', least = maskAll.least): FormChange[] {
  const { entries } = chat.log;
  const seen = visibleEntries(entries);
  const results = outputsToMask(entries, seen, { ...maskAll, least }, from);
  const notes = results.length === 0 && least > maskAll.least ? [] : notesToOutline(entries, seen);
  return [...imagesIn(chat, maskAll), ...results, ...notes];
}

function imagesIn({ log: { entries } }: ReducedChat, limits: MaskLimits): FormChange[] {
  return imagesToMask(entries, visibleEntries(entries), limits);
}

/** Changes nothing once the user has stopped, as the chat then says. */
async function change(
  chat: ReducedChat,
  { signal }: FreedContext,
  forms: readonly FormChange[],
): Promise<Outcome<boolean>> {
  if (forms.length === 0 || signal.aborted) return succeed(false);
  const stored = await chat.record({ kind: 'context-forms', forms, by: 'window' });
  return stored.ok ? succeed(true) : stored;
}

/**
 * The user message of the last failed compaction inside a turn. What remains then includes results that are still
 * needed, which says nothing about the next turn; the same turn does not try again.
 */
const triedWithin = new WeakMap<ReducedChat, string>();

/** Whether an automatic compaction may start in this turn. */
function mayCompact(chat: ReducedChat): boolean {
  return chat.ports.settings().compaction !== 'manual' && triedWithin.get(chat) !== turnOf(chat);
}

/** Returns the id of the newest user entry. */
function turnOf({ log }: ReducedChat): string {
  return findLast(log.entries, isUserEntry)?.id ?? '';
}

interface DueSummary extends Pick<CompactionOrder, 'plan' | 'due'> {
  readonly when?: 'between' | 'within';
}

/** Runs an automatic compaction if one is due; records its summary, or why there is none. */
async function compactWhenDue(chat: ReducedChat, room: FreedContext, summary: DueSummary): Promise<Outcome<boolean>> {
  const { when = 'between' } = summary;
  if (!mayCompact(chat)) return succeed(false);
  const ran = await compactOrClear(chat, room, summary);
  if (!ran.ok) return ran;
  const compacted = ran.value;
  if (compacted === 'closed' || compacted === 'cleared') return succeed(compacted === 'cleared');
  if (compacted.ok) {
    const stored = await recordSummary(chat, compacted.body);
    return stored.ok ? succeed(true) : stored;
  }
  const { reason } = compacted;
  if (reason === 'stopped') return succeed(false);
  if (when === 'within') {
    triedWithin.set(chat, turnOf(chat));
    return succeed(false);
  }
  // The recorded refusal prevents the next automatic run.
  const stored = await chat.record({ kind: 'summary-refused', reason, trigger: 'automatic' });
  return stored.ok ? succeed(false) : stored;
}

/**
 * Runs a compaction. If it would free too little, clears old results and runs it once more, since what has to stay may
 * be results that the model has read.
 * @returns 'cleared' if clearing them was enough
 */
async function compactOrClear(
  chat: ReducedChat,
  room: FreedContext,
  { plan, due }: DueSummary,
): Promise<Outcome<Compacted | 'closed' | 'cleared'>> {
  const { model, prepared, signal } = room;
  const order = { trigger: 'automatic', due, model, prepared, signal } as const;
  const compacted = await runCompaction(chat, { ...order, plan });
  if (compacted === 'closed' || compacted.ok || compacted.reason !== 'not-smaller') return succeed(compacted);
  const masked = await mask(chat, room, maskAll, 'answer');
  if (!masked.ok) return masked;
  if (!masked.value) return succeed(compacted);
  const second = await runCompaction(chat, { ...order, plan: await planAhead(chat, room), again: true });
  return succeed(second === 'closed' ? 'cleared' : second);
}
