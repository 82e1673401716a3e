/** Runs a compaction of a chat: gate, hooks, state note, snapshot; what it gives is for the log or for the user (research 6.2). */
import { words } from '../../../text';
import { foldGoals } from '../../goals/fold-goals';
import { activeGoalIn } from '../../goals/goal-state';
import type { Message } from '../../ports/message';
import type { Model } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { foldLog, seenEntries } from '../../request/history';
import { summaryLines } from '../../request/history-text';
import type { SummaryBody } from '../../session/entry';
import { compactionPoint } from '../compaction-point';
import type { PreparedTurn } from '../prepare-turn';
import { type Compacted, compactHistory } from './compact-history';
import { extractSnapshot } from './extract-snapshot';
import { gateOf } from './gate';
import { tellsSummary } from './messages-of';
import { modelBeside } from './model-beside';
import { readOwnInstructions } from './own-instructions';
import type { ReliefChat } from './relief-ports';
import { summaryWriter } from './summary-model';

/** Tokens of a state that is saved without a model. */
const stateTokens = 1_500;

export interface CompactionOrder {
  readonly trigger: SummaryBody['trigger'];
  readonly focus?: string;
  /** The user's entry of the last exchange to cover. */
  readonly upTo?: string | null;
  readonly model: Model;
  /** How the chat's requests are planned now. */
  readonly prepared: PreparedTurn;
  /** The request as it stands. */
  readonly plan: RequestPlan;
  /** Whether it goes on from one that won too little: hooks have heard of it. */
  readonly again?: boolean;
  readonly signal: AbortSignal;
}

/** 'closed' when nothing was to be done. */
export async function runCompaction(chat: ReliefChat, order: CompactionOrder): Promise<Compacted | 'closed'> {
  const { trigger, plan } = order;
  if (order.signal.aborted) return 'closed';
  const point = compactionPoint(plan.totals, chat.ports.settings());
  const { entries } = chat.log;
  const gate = gateOf({ trigger, totals: plan.totals, point, entries });
  if (gate === 'closed') return 'closed';
  if (gate !== 'open') return { ok: false, reason: gate };
  chat.tell(true);
  try {
    return await compact(chat, order, point);
  } finally {
    // After a stop the chat has said so itself, and may be at the next one.
    if (!order.signal.aborted) chat.tell(false);
  }
}

async function compact(chat: ReliefChat, order: CompactionOrder, point: number): Promise<Compacted> {
  const { log, ports } = chat;
  const { trigger, model, prepared, plan, signal, focus = '', upTo = null } = order;
  const settings = ports.settings();
  const { entries } = log;
  const messages = foldLog(entries).length;
  const event = { conversationId: log.conversation, trigger, tokens: plan.totals.history, messages };
  if (order.again !== true) {
    for (const report of await ports.hooks.preCompress(event, signal)) ports.note(report);
    if (settings.saveStateFirst) await saveState(chat);
  }
  const { model: writer, problem: gone } = summaryWriter(model, settings.compactionModels, (id) => ports.model(id));
  const apart = writer.description.id !== model.description.id;
  const asking = apart ? await chat.context.prepare(writer.description, [], signal) : prepared;
  const readNote = (path: string, stop: AbortSignal) => ports.notes.read(path, stop);
  const world = { vault: ports.vault, agentFolder: ports.agentFolder(), readNote };
  const { own, problem } = await readOwnInstructions(world, signal);
  const notices = [gone, problem].filter((notice) => notice !== null);
  for (const notice of notices) ports.note(notice);
  if (signal.aborted) return { ok: false, reason: 'stopped' };
  return compactHistory({
    entries,
    trigger,
    focus,
    upTo,
    own,
    notices,
    goal: activeGoalIn(foldGoals(entries)),
    point,
    model: modelBeside(writer, chat),
    apart,
    ask: (asked: readonly Message[]) => asking.plan(asked),
    plan: (asked) => prepared.plan(asked),
    summaryInPrompt: tellsSummary(prepared, entries),
    settings,
    signal,
  });
}

/** The state as it can be told without a model; what cannot be saved is noted and holds nothing up (R251). */
async function saveState({ log, ports }: ReliefChat): Promise<void> {
  if (ports.states === undefined) return;
  const goal = activeGoalIn(foldGoals(log.entries));
  const snapshot = extractSnapshot({ entries: seenEntries(log.entries), goal, tokens: stateTokens });
  const saved = await ports.states.save(words.status.stateName, summaryLines(snapshot));
  if (!saved.ok) ports.note(saved.failure.words);
}
