/** Runs one prompt without a chat, as a command does: no history, no tools, nothing stored (R013). */
import { untilAborted } from '../base/async';
import type { ContextPorts } from '../context/prepare-chat-turn';
import { prepareTurn } from '../context/prepare-turn';
import { turnContextOf, turnStateOf } from '../context/turn-context';
import type { Model, ModelEvent } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { exceedsWindow } from '../request/plan-request';
import type { Mention } from '../session/entry';
import { tooLong } from './run-turn';

export interface OncePrompt {
  readonly model: Model;
  readonly text: string;
  readonly mentions?: readonly Mention[];
}

/** The request that such a prompt makes; nobody is there to answer questions. */
export async function planPromptOnce(
  ports: ContextPorts,
  { model, text, mentions = [] }: OncePrompt,
  signal: AbortSignal,
): Promise<RequestPlan> {
  const { description } = model;
  const { servers: _ofChats, ...shared } = ports;
  const alone = { ...shared, tools: [], hooks: { active: [] } };
  const log = { conversation: 'once', entries: [] };
  const noted: ReadonlySet<string> = new Set();
  const state = turnStateOf({ ports: alone, log, mentions, model: description, noted, lastPlan: null });
  const turn = turnContextOf(state, description);
  const prepared = await prepareTurn(alone, description, turn, signal, { interactive: false });
  return prepared.preview([], text);
}

/** Streams the answer; a prompt that does not fit is a failure, and nothing is sent. Ends when the signal fires. */
export async function* runPromptOnce(
  ports: ContextPorts,
  prompt: OncePrompt,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const plan = await planPromptOnce(ports, prompt, signal);
  if (plan.blocked !== undefined) yield { type: 'failure', failure: plan.blocked };
  else if (exceedsWindow(plan)) yield { type: 'failure', failure: tooLong(plan) };
  else yield* untilAborted(prompt.model.stream(plan, signal), signal);
}
