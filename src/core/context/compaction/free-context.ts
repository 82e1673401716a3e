/** Makes room before a request goes out, cheapest first: old results aside, a summary, the oldest parts left out (design 8). */
import { type Outcome, succeed } from '../../ports/failure';
import type { Model } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { visibleEntries, withoutLastAttempt } from '../../request/history';
import { exceedsWindow } from '../../request/plan-request';
import type { EntryBody, FormChange, SessionEntry } from '../../session/entry';
import { withFurther } from '../../session/session-log';
import { fullAt } from '../context-window';
import type { PreparedTurn } from '../prepare-turn';
import {
  imagesToMask,
  type MaskLimits,
  maskAll,
  maskLimits,
  selectOldestToOmit,
  outputsToMask,
} from './clear-old-parts';
import { type Compacted, recordSummary, messagesOf, type ReducedChat } from './compact-history';
import { runCompaction } from './run-compaction';

/** Times that the oldest parts are looked at: sizes are rough until the request is planned. */
const maxTrims = 5;

export interface FreedContext {
  readonly model: Model;
  readonly prepared: PreparedTurn;
  readonly signal: AbortSignal;
  /** What will be stored before the request goes out. */
  readonly pending: readonly EntryBody[];
}

/** Before a turn: whether anything was done, so that the prompt has to be written again. */
export async function freeContext(chat: ReducedChat, room: FreedContext): Promise<Outcome<boolean>> {
  const before = chat.log.entries.length;
  const { contextWindow } = room.model.description;
  const masked = await mask(chat, maskLimits(contextWindow));
  if (!masked.ok) return masked;
  let plan = await planAhead(chat, room);
  const isFull = plan.totals.all >= fullAt(plan.totals, chat.ports.settings());
  const told = isFull ? await change(chat, imagesIn(chat, maskAll)) : succeed(false);
  if (!told.ok) return told;
  if (told.value) plan = await planAhead(chat, room);
  const compacted = await compactWhenDue(chat, room, plan);
  if (!compacted.ok) return compacted;
  const done = chat.log.entries.length > before;
  if (done) chat.context.forgetSent();
  return succeed(done);
}

/** At the end of a turn, when there is time: the next message then finds room. */
export async function freeContextAfterTurn(
  chat: ReducedChat,
  model: Model,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  if (!mayCompact(chat)) return succeed(undefined);
  const prepared = await chat.context.prepare(model.description, [], signal);
  if (signal.aborted || prepared.prompt.blocked !== undefined) return succeed(undefined);
  const room = { model, prepared, signal, pending: [] };
  return compactWhenDue(chat, room, await planAhead(chat, room));
}

/** The plan of the next request inside a turn; what does not fit is put aside or left out first, and that is kept. */
export async function planToFit(chat: ReducedChat, room: FreedContext, further?: EntryBody): Promise<RequestPlan> {
  const { log } = chat;
  let plan = await planOf(room, log.entries, further);
  if (further !== undefined) return plan;
  const steps = [
    () => change(chat, imagesIn(chat, maskAll)),
    () => mask(chat, maskAll, 'answer'),
    () => compactWhenDue(chat, room, plan, 'within'),
  ];
  for (let attempt = 0; attempt < maxTrims; attempt += 1) steps.push(() => trim(chat, plan));
  for (const step of steps) {
    if (!exceedsWindow(plan) || room.signal.aborted) return plan;
    const done = await step();
    // A plan that the disk would not let shrink is refused by its size.
    if (!done.ok) return plan;
    if (done.value) plan = await planOf(room, log.entries);
  }
  return plan;
}

/** Leaves out about as much as is too much. */
function trim(chat: ReducedChat, { totals }: RequestPlan): Promise<Outcome<boolean>> {
  const { entries } = chat.log;
  const over = totals.all + totals.reserve - totals.window;
  return change(chat, selectOldestToOmit(entries, visibleEntries(entries), over));
}

/** The request as it would go out now. */
function planAhead(chat: ReducedChat, { prepared, pending }: FreedContext): Promise<RequestPlan> {
  const entries = pending.reduce<readonly SessionEntry[]>((log, body) => withFurther(log, body), chat.log.entries);
  return prepared.plan(messagesOf(prepared, entries));
}

function planOf(room: FreedContext, entries: readonly SessionEntry[], further?: EntryBody): Promise<RequestPlan> {
  return room.prepared.plan(withoutLastAttempt(messagesOf(room.prepared, withFurther(entries, further))));
}

/** Whether any picture, or else any result, was put aside. */
async function mask(chat: ReducedChat, limits: MaskLimits, from?: 'turn' | 'answer'): Promise<Outcome<boolean>> {
  const { entries } = chat.log;
  const images = imagesIn(chat, limits);
  return change(chat, images.length > 0 ? images : outputsToMask(entries, visibleEntries(entries), limits, from));
}

function imagesIn({ log: { entries } }: ReducedChat, limits: MaskLimits): FormChange[] {
  return imagesToMask(entries, visibleEntries(entries), limits);
}

async function change(chat: ReducedChat, forms: readonly FormChange[]): Promise<Outcome<boolean>> {
  if (forms.length === 0) return succeed(false);
  const stored = await chat.record({ kind: 'context-forms', forms, by: 'window' });
  return stored.ok ? succeed(true) : stored;
}

/**
 * Turns in which a run came to nothing before they were over. What stays then holds results that are still needed, so it
 * says nothing of the next turn; in this one it is not tried again.
 */
const triedWithin = new WeakMap<ReducedChat, string>();

/** Whether a run may start by itself in this turn. */
function mayCompact(chat: ReducedChat): boolean {
  return chat.ports.settings().compaction !== 'manual' && triedWithin.get(chat) !== turnOf(chat);
}

/** Id of the user's newest entry. */
function turnOf({ log }: ReducedChat): string {
  return log.entries.filter(({ kind }) => kind === 'user').at(-1)?.id ?? '';
}

/** Runs a compaction where one is due and the settings allow it; stores its summary, or why there is none. */
async function compactWhenDue(
  chat: ReducedChat,
  room: FreedContext,
  plan: RequestPlan,
  when: 'between' | 'within' = 'between',
): Promise<Outcome<boolean>> {
  if (!mayCompact(chat)) return succeed(false);
  const ran = await compactOrClear(chat, room, plan);
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
  // A stored refusal keeps the same run from being tried again.
  const stored = await chat.record({ kind: 'summary-refused', reason, trigger: 'automatic' });
  return stored.ok ? succeed(false) : stored;
}

/**
 * Runs a compaction. One that would win too little clears old results and runs once more, since what has to stay may be
 * results that the model has read already.
 * @returns 'cleared' when clearing them was enough
 */
async function compactOrClear(
  chat: ReducedChat,
  room: FreedContext,
  plan: RequestPlan,
): Promise<Outcome<Compacted | 'closed' | 'cleared'>> {
  const { model, prepared, signal } = room;
  const order = { trigger: 'automatic', model, prepared, signal } as const;
  const compacted = await runCompaction(chat, { ...order, plan });
  if (compacted === 'closed' || compacted.ok || compacted.reason !== 'not-smaller') return succeed(compacted);
  const masked = await mask(chat, maskAll, 'answer');
  if (!masked.ok) return masked;
  if (!masked.value) return succeed(compacted);
  const second = await runCompaction(chat, { ...order, plan: await planAhead(chat, room), again: true });
  return succeed(second === 'closed' ? 'cleared' : second);
}
