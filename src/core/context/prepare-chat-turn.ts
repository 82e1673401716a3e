/** Prepares a turn of a chat, from its log and from what it keeps of its prompt. */
import type { ModelDescription } from '../ports/model';
import type { PromptOrchestrator } from '../prompt/prompt-orchestrator';
import type { Mention } from '../session/entry';
import type { SessionLog } from '../session/session-log';
import type { AppliedTurn } from './apply-turn';
import { type PreparedTurn, type PromptPorts, prepareTurn } from './prepare-turn';
import { referenceOf } from './reference-of';
import { factorsFor, type SentPlan } from './sent-plan';
import { type StatePorts, turnContextOf, turnStateOf } from './turn-context';

export type ContextPorts = PromptPorts & StatePorts;

/** What a chat keeps of its prompt while it is open. */
export interface ChatPrompt {
  readonly log: SessionLog;
  readonly ports: ContextPorts;
  readonly orchestrator: PromptOrchestrator;
  /** The turn that was applied last; null before the first one of this session. */
  applied: AppliedTurn | null;
  /** The request that was sent last; null when nothing that was counted of it holds any more. */
  sent: SentPlan | null;
  /** Why the prompt changes, as told since the last turn. */
  readonly noted: Set<string>;
}

/** Gathers what the turn needs and has its system prompt written; nothing is kept of it. */
export function prepareChatTurn(
  { log, ports, orchestrator, applied, sent, noted }: Readonly<ChatPrompt>,
  model: ModelDescription,
  mentions: readonly Mention[],
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const lastPlan = sent?.plan ?? null;
  const turn = turnContextOf(turnStateOf({ ports, log, mentions, noted, lastPlan, model }), model);
  const known = { ...referenceOf(log.entries, ports.clock), sent: factorsFor(sent, model.id) };
  return prepareTurn(ports, model, turn, signal, { orchestrator, current: applied?.prompt ?? null, ...known });
}
