/** Prepares a turn beside a chat, such as a sub-agent's: the same assembler, a base of its own, nothing of the chat. */
import { bodyOf } from '../markdown/properties';
import { type Outcome, succeed } from '../ports/failure';
import type { ModelDescription } from '../ports/model';
import type { Tool } from '../tools/tool';
import type { ContextPorts } from './prepare-chat-turn';
import { type PreparedTurn, prepareTurn } from './prepare-turn';
import { turnContextOf, turnStateOf } from './turn-context';

export interface InnerTurn {
  readonly conversation: string;
  readonly tools: readonly Tool[];
  /** Stands in place of the composition. */
  readonly base: string;
}

/** Nobody is there to answer it, nothing is chosen, attached or open in it, and no server is told of (R026). */
export function prepareInnerTurn(
  ports: ContextPorts,
  model: ModelDescription,
  { conversation, tools, base }: InnerTurn,
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const log = { conversation, entries: [] };
  const noted: ReadonlySet<string> = new Set();
  const { pendingReview: _ofTheChat, servers: _ofChats, ...shared } = ports;
  const alone = { ...shared, tools, customTemplate: () => Promise.resolve(base) };
  const state = turnStateOf({ ports: alone, log, mentions: [], model, noted, lastPlan: null });
  const choices = { ...state.choices, contextNotes: [] };
  const turn = turnContextOf({ ...state, choices, editor: null }, model);
  return prepareTurn(alone, model, turn, signal, { interactive: false });
}

/** The text of a note below its properties. */
export async function readBody(
  { notes }: Pick<ContextPorts, 'notes'>,
  path: string,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const note = await notes.read(path, signal);
  return note.ok ? succeed(bodyOf(note.value.text)) : note;
}
