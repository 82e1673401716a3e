/**
 * Runs a compaction of a chat: gate, hooks, saved state, snapshot. The caller records the result or shows it to the
 * user (research 6.2).
 */
import { words } from '../../../text';
import { foldGoals } from '../../goals/fold-goals';
import { activeGoalIn } from '../../goals/goal-state';
import { promptFiles } from '../../library/agent-folder';
import { bodyOf } from '../../markdown/properties';
import { tokensByRule } from '../../markup/budget';
import { describeFailure, type Outcome } from '../../ports/failure';
import type { Message } from '../../ports/message';
import { judgeSpending, type Model } from '../../ports/model';
import type { RequestPlan, RequestTotals } from '../../ports/request-plan';
import type { World } from '../../prompt/world';
import { foldLog, visibleEntries } from '../../request/history';
import { summaryLines } from '../../request/history-text';
import { allEntries } from '../../session/branches';
import {
  isUserEntry,
  type SessionEntry,
  type SummaryBody,
  type SummaryRefusal,
  snapshotParts,
} from '../../session/entry';
import { spentIn } from '../../session/log-state';
import { findLast, findLastIndex } from '../../session/running-fold';
import { compactionPoint, usableWindow } from '../context-window';
import type { PreparedTurn } from '../prepare-turn';
import { type Compacted, compactHistory, type ReducedChat } from './compact-history';
import { extractSnapshot } from './snapshot';

/** Tokens of a state that is saved without a model. */
const stateTokens = 1_500;

export interface CompactionOrder {
  readonly trigger: SummaryBody['trigger'];
  readonly focus?: string;
  /** The user entry of the last exchange to cover. */
  readonly upTo?: string | null;
  readonly model: Model;
  /** The planner of the chat's requests. */
  readonly prepared: PreparedTurn;
  /** The current request. */
  readonly plan: RequestPlan;
  /** The totals that decide whether a compaction is due; those of the plan if absent. */
  readonly due?: RequestTotals | undefined;
  /** Whether this repeats a run that freed too little, which the hooks have been notified of. */
  readonly again?: boolean;
  readonly signal: AbortSignal;
}

/** Returns 'closed' if there was nothing to do. */
export async function runCompaction(chat: ReducedChat, order: CompactionOrder): Promise<Compacted | 'closed'> {
  const { trigger, plan } = order;
  if (order.signal.aborted) return 'closed';
  const point = compactionPoint(plan.totals, chat.ports.settings());
  const { entries } = chat.log;
  const gate = checkCompactionAllowed({ trigger, totals: order.due ?? plan.totals, point, entries });
  if (gate === 'closed') return 'closed';
  if (gate !== 'open') return { ok: false, reason: gate };
  chat.describe(true);
  try {
    return await compact(chat, order, point);
  } finally {
    // After a stop the chat has updated its own state, and may be in the next turn.
    if (!order.signal.aborted) chat.describe(false);
  }
}

async function compact(chat: ReducedChat, order: CompactionOrder, point: number): Promise<Compacted> {
  const { log, ports } = chat;
  const { trigger, model, prepared, plan, signal, focus = '', upTo = null } = order;
  const settings = ports.settings();
  const { entries } = log;
  const messages = foldLog(entries).length;
  const event = { conversationId: log.conversation, trigger, tokens: plan.totals.history, messages };
  if (order.again !== true) {
    for (const report of await ports.hooks.preCompress(event, signal)) ports.note(report);
    if (settings.saveStateFirst && !signal.aborted) await saveState(chat);
  }
  const { model: writer, problem: writerProblem } = summaryWriter(model, settings.compactionModels, (id) =>
    ports.model(id),
  );
  const apart = writer.description.id !== model.description.id;
  const asking = apart ? await chat.context.prepare(writer.description, [], signal) : prepared;
  const readNote = (path: string, stop: AbortSignal) => ports.notes.read(path, stop);
  const world = { vault: ports.vault, agentFolder: ports.agentFolder(), readNote };
  const { own, problem } = await readOwnInstructions(world, signal);
  const notices = [writerProblem, problem].filter((notice) => notice !== null);
  for (const notice of notices) ports.note(notice);
  if (signal.aborted) return { ok: false, reason: 'stopped' };
  return compactHistory({
    entries,
    size: plan.totals.all,
    trigger,
    focus,
    upTo,
    own,
    notices,
    goal: activeGoalIn(foldGoals(entries)),
    point,
    model: backgroundModel(writer, chat),
    apart,
    ask: async (asked: readonly Message[]) => ({ ...(await asking.plan(asked)), purpose: 'summary' as const }),
    plan: (asked) => prepared.plan(asked),
    settings,
    signal,
  });
}

/** Saves the state without a model. Notes a failure and continues (R251). */
async function saveState({ log, ports }: ReducedChat): Promise<void> {
  if (ports.states === undefined) return;
  const goal = activeGoalIn(foldGoals(log.entries));
  const snapshot = extractSnapshot({ entries: visibleEntries(log.entries), goal, tokens: stateTokens });
  const saved = await ports.states.save(words.status.stateName, summaryLines(snapshot));
  if (!saved.ok) ports.note(saved.failure.words);
}

// The gate: whether a compaction may run, checked before any request or cut (R239-R242, K23).

/** A history with fewer tokens than this is not worth a summary. */
const minHistory = 8_000;
/** The maximum share of the context window for instructions and tools; above it a summary cannot help. */
const maxFixedShare = 0.5;

export interface CompactionState {
  readonly trigger: SummaryBody['trigger'];
  readonly totals: RequestTotals;
  /** The number of tokens at which a compaction is due. */
  readonly point: number;
  readonly entries: readonly SessionEntry[];
}

/** Returns 'closed' if no compaction is due and the user needs no message about it. */
export function checkCompactionAllowed({
  trigger,
  totals,
  point,
  entries,
}: CompactionState): 'open' | 'closed' | SummaryRefusal {
  const history = totals.history;
  if (history === 0) return trigger === 'manual' ? 'too-little' : 'closed';
  if (trigger === 'manual') return 'open';
  if (totals.all < point || ranInThisTurn(entries) || isLatched(entries, totals)) return 'closed';
  const fixed = totals.instructions + totals.reference + totals.tools;
  if (fixed > totals.window * maxFixedShare) return 'fixed-part';
  const minimum = Math.min(minHistory, Math.floor(totals.window / 4));
  // A context window that became smaller can be full with a short history.
  return history < minimum && totals.all <= usableWindow(totals) ? 'closed' : 'open';
}

/** Allows one automatic run per user message, regardless of its result. */
function ranInThisTurn(entries: readonly SessionEntry[]): boolean {
  const newest = findLastIndex(entries, isUserEntry);
  return entries
    .slice(Math.max(0, newest))
    .some((entry) => (entry.kind === 'summary' || entry.kind === 'summary-refused') && entry.trigger === 'automatic');
}

/**
 * After a refusal only the user starts the next run (R240). After an undo, automatic runs wait while the whole history
 * fits; once it does not, a summary preserves more than omitting the oldest parts.
 */
function isLatched(entries: readonly SessionEntry[], totals: RequestTotals): boolean {
  const verdicts = new Set<string>(['summary', 'summary-refused', 'summary-undone']);
  const last = findLast(entries, ({ kind }) => verdicts.has(kind));
  if (last?.kind === 'summary-undone') return totals.all <= usableWindow(totals);
  return last?.kind === 'summary-refused';
}

/** The maximum number of tokens; longer instructions would take tokens from the messages. */
const maxTokens = 1_000;
/** The tags by which a summary is read. */
const formTags = new RegExp(`</?(?:state_snapshot|scratchpad|${Object.keys(snapshotParts).join('|')})>`, 'i');

/**
 * The user's instructions for summaries (`compaction.md`), or why they cannot be used; the built-in ones then apply
 * (R263).
 */
interface OwnInstructions {
  /** Null for none. */
  readonly own: string | null;
  /** Why an existing note cannot be used; null if it can or if there is none. */
  readonly problem: string | null;
}

async function readOwnInstructions(
  { vault, agentFolder, readNote }: Pick<World, 'vault' | 'agentFolder' | 'readNote'>,
  signal: AbortSignal,
): Promise<OwnInstructions> {
  const path = `${agentFolder}/${promptFiles.compaction}`;
  if (vault.file(path) === undefined) return { own: null, problem: null };
  const note = await readNote(path, signal);
  if (!note.ok) return { own: null, problem: words.status.ownUnusable(path, describeFailure(note.failure)) };
  const own = bodyOf(note.value.text).trim();
  const reason = problemOf(own);
  if (reason !== null) return { own: null, problem: words.status.ownUnusable(path, reason) };
  return { own: own === '' ? null : own, problem: null };
}

function problemOf(text: string): string | null {
  const tag = formTags.exec(text)?.[0];
  if (tag !== undefined) return words.status.ownHoldsForm(tag);
  return tokensByRule(text) > maxTokens ? words.status.ownTooLong(maxTokens) : null;
}

// The summary model: chosen by the chat's model, else by its provider, else the chat's own (R249).

/**
 * The id of the summary model, by `provider/model` or by `provider`. Without an entry the chat's own model is used: it
 * has the start of the conversation in its cache, which costs less than another model reading all of it.
 */
export type SummaryModels = Readonly<Record<string, string>>;

/** Returns null for the chat's own model. */
export function namedSummaryModel(chatModel: string, table: SummaryModels): string | null {
  const provider = chatModel.slice(0, chatModel.indexOf('/'));
  const named = table[chatModel] ?? table[provider] ?? chatModel;
  return named === chatModel ? null : named;
}

interface SummaryWriter {
  readonly model: Model;
  /** Why it is not the model that settings name; null if it is. */
  readonly problem: string | null;
}

function summaryWriter(chatModel: Model, table: SummaryModels, find: (id: string) => Outcome<Model>): SummaryWriter {
  const named = namedSummaryModel(chatModel.description.id, table);
  if (named === null) return { model: chatModel, problem: null };
  const found = find(named);
  if (!found.ok) return { model: chatModel, problem: words.status.writerMissing(named, found.failure.words) };
  return { model: found.value, problem: null };
}

/**
 * Wraps a model for background requests: sends none without the instructions that the user chose, applies the spending
 * limit, and records their usage in the log (R231).
 */
function backgroundModel(model: Model, { log, ports, record }: Pick<ReducedChat, 'log' | 'ports' | 'record'>): Model {
  const { description } = model;
  return {
    description,
    async *stream(plan, signal) {
      if (plan.blocked !== undefined) {
        yield { type: 'failure', failure: plan.blocked };
        return;
      }
      const spending = judgeSpending(spentIn(allEntries(log)), plan, description.prices, ports.settings());
      if (spending?.type === 'refused') {
        ports.note(spending.failure.words);
        yield { type: 'failure', failure: spending.failure };
        return;
      }
      for await (const event of model.stream(plan, signal)) {
        if (event.type === 'finish' && event.usage !== undefined) {
          const stored = await record({ kind: 'request-beside', model: description.id, usage: event.usage });
          if (!stored.ok) ports.note(stored.failure.words);
        }
        yield event;
      }
    },
  };
}
