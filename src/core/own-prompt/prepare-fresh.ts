/** Prepares a turn that nobody starts, to show or export what a request would be told. */
import { type PreparedTurn, type PromptPorts, prepareTurn } from '../context/prepare-turn';
import { type StatePorts, turnContextOf, turnStateOf } from '../context/turn-context';
import { type Outcome, succeed } from '../ports/failure';
import type { Model } from '../ports/model';
import type { ChatChoices, SessionEntry } from '../session/entry';

export type FreshPorts = PromptPorts &
  StatePorts & {
    /** The model of this id, or why it cannot be used. */
    model(id: string): Outcome<Model>;
  };

/** @param choices those of a chat, over what the settings say; nothing is attached and nothing was said before */
export async function prepareFresh(
  ports: FreshPorts,
  choices: ChatChoices,
  signal: AbortSignal,
): Promise<Outcome<PreparedTurn>> {
  const model = ports.model(choices.model ?? ports.settings().model);
  if (!model.ok) return model;
  const { description } = model.value;
  const log = { conversation: 'fresh', entries: [chosen(choices)] };
  const state = turnStateOf({ ports, log, mentions: [], model: description, noted: new Set(), lastPlan: null });
  return succeed(await prepareTurn(ports, description, turnContextOf(state, description), signal));
}

function chosen(choices: ChatChoices): SessionEntry {
  const header = { id: 'fresh', conversation: 'fresh', writer: '', session: '', lamport: 0, time: 0 };
  return { ...header, kind: 'choices', choices };
}
