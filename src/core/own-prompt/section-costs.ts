/**
 * What each section costs now, or why it is empty, for the list of section switches (R252), counted in a turn that is
 * prepared and never sent.
 */
import { formatTokens, words } from '../../text';
import { type PreparedTurn, type PromptPorts, prepareTurn } from '../context/prepare-turn';
import { type StatePorts, turnContextOf, turnStateOf } from '../context/turn-context';
import { type Outcome, succeed } from '../ports/failure';
import type { Model } from '../ports/model';
import type { Block, RequestPlan } from '../ports/request-plan';
import { type SectionSwitch, type SwitchPorts, switchOf } from '../prompt/composition-options';
import type { Section } from '../prompt/section';
import type { ChatChoices, SessionEntry } from '../session/entry';

export interface SectionCost {
  readonly id: string;
  /** Null if the section is empty now. */
  readonly tokens: number | null;
  /** A sentence for the user. */
  readonly description: string;
}

const say = words.ownPrompt;

/**
 * Returns the cost of each section; sections that are off are counted as if they were on.
 * @param sections all of them, including those that are off
 * @param plan the chat's next request, if its counts are available
 */
export async function findSectionCosts(
  sections: readonly Section[],
  ports: FreshPorts,
  switches: SwitchPorts,
  { choices, plan }: { readonly choices: ChatChoices; readonly plan: RequestPlan | null },
  signal: AbortSignal,
): Promise<Outcome<readonly SectionCost[]>> {
  const prepared = await prepareUnsentTurn({ ...ports, sections }, choices, signal);
  if (!prepared.ok) return prepared;
  const { prompt } = prepared.value;
  const hasOwnBase = prompt.sections.length < sections.length;
  const exact = ports.tokenizer.exact;
  const costs = sections.map((section): SectionCost => {
    const own = { switch: switchOf(section.id, switches), block: blockOf(section.id, prompt.blocks, plan) };
    const isReplaced = hasOwnBase && !prompt.sections.some(({ id }) => id === section.id);
    const tokens = own.block === undefined || own.block.text === '' ? null : own.block.tokens;
    return { id: section.id, tokens, description: describe(section.id, own, isReplaced, exact) };
  });
  return succeed(costs);
}

function blockOf(id: string, fresh: readonly Block[], plan: RequestPlan | null): Block | undefined {
  const isThis = ({ section }: Block): boolean => section === id;
  return plan?.blocks.find(isThis) ?? fresh.find(isThis);
}

function describe(
  id: string,
  { switch: { isOn, variable }, block }: { readonly switch: SectionSwitch; readonly block: Block | undefined },
  isReplaced: boolean,
  exact: boolean,
): string {
  const cost = costOf(id, block, isOn, isReplaced, exact);
  return variable === null ? cost : `${cost} ${say.byVariable(variable)}`;
}

function costOf(id: string, block: Block | undefined, isOn: boolean, isReplaced: boolean, exact: boolean): string {
  if (isReplaced) return say.replaced;
  if (block === undefined) return say.silent(words.sections[id]?.silent ?? '');
  if (block.text === '') return say.dropped(block.reason ?? '');
  const tokens = formatTokens(block.tokens, exact);
  return isOn ? say.cost(tokens) : say.costOff(tokens);
}

export type FreshPorts = PromptPorts &
  StatePorts & {
    /** Returns the model with this id, or why it cannot be used. */
    model(id: string): Outcome<Model>;
  };

/**
 * Prepares a turn that is never sent, to show or export what a request would contain.
 * @param choices those of a chat, which override the settings; the turn has no attachments and no history
 */
export async function prepareUnsentTurn(
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
