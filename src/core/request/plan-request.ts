/** Plans a request in the profile of its model: system prompt, messages, tools and totals (R203). */
import { declare, type Tool } from '../tools/tool';
import type { Message } from '../message';
import type { ModelDescription, Tokenizer } from '../ports';
import type { Tier } from '../mode';
import { composeSections, join } from '../prompt/compose-blocks';
import type { GatheredFacts } from '../prompt/gather-facts';
import type { Section } from '../prompt/section';
import type { Place, Zone } from '../prompt/zone';
import { compositionBudgets, fitComposition } from './fit-composition';
import { profileFor } from './profiles';
import type { Block, RequestPlan, RequestTotals, ToolDeclaration } from './request-plan';

/** Tokens kept free for the answer: at most this, and at most a quarter of the window (K23). */
const largestReserve = 16_384;

export interface PlanInput {
  readonly conversationId: string;
  readonly model: ModelDescription;
  readonly tier: Tier;
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  /** The conversation, with what was sent around each user message already in its place. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly tokenizer: Tokenizer;
}

/** The blocks of a request, each where the model's profile puts it; dropped ones have no text. */
export function placeBlocks(input: Omit<PlanInput, 'messages' | 'tools' | 'conversationId'>): Block[] {
  const profile = profileFor(input.model);
  const composed = composeSections(profile.order(input.sections), input.facts, input.tokenizer);
  return fitComposition(composed, compositionBudgets[input.tier]).map(({ section, block }) => ({
    ...block,
    place: profile.place(section),
  }));
}

/** Pure: equal input gives an equal plan. The plan may exceed the window; `exceedsWindow` says so. */
export function planRequest(input: PlanInput): RequestPlan {
  const { model, tokenizer } = input;
  const profile = profileFor(model);
  const blocks = placeBlocks(input);
  const standing = (place: Place): Block[] => blocks.filter((block) => block.place === place && block.text !== '');
  const first = standing('first-message').map(({ text }): Message => ({
    role: 'user',
    parts: [{ type: 'text', text }],
  }));
  const tools = model.nativeTools ? declareSorted(input.tools) : [];
  const reserve = Math.min(model.outputLimit, largestReserve, Math.floor(model.contextWindow / 4));
  const totals = addUp(standing('system'), first, input.messages, tools, tokenizer);
  return {
    conversationId: input.conversationId,
    modelId: model.id,
    profile: profile.id,
    blocks,
    system: join(standing('system'), (before, after) => profile.joiner(before, after)),
    messages: [...first, ...input.messages],
    tools,
    totals: { ...totals, reserve, window: model.contextWindow, exact: tokenizer.exact },
    maxOutputTokens: reserve,
  };
}

/** Whether the request and the room for its answer need more than the model can hold. */
export function exceedsWindow({ totals }: RequestPlan): boolean {
  return totals.all + totals.reserve > totals.window;
}

const declarations = new WeakMap<readonly Tool[], readonly ToolDeclaration[]>();

/** Sorted by name, so that the request's head does not depend on the order of the list. */
function declareSorted(tools: readonly Tool[]): readonly ToolDeclaration[] {
  const known = declarations.get(tools);
  if (known !== undefined) return known;
  const declared = tools.map(declare).sort((a, b) => (a.name < b.name ? -1 : 1));
  declarations.set(tools, declared);
  return declared;
}

function addUp(
  system: readonly Block[],
  first: readonly Message[],
  messages: readonly Message[],
  tools: readonly ToolDeclaration[],
  tokenizer: Tokenizer,
): Omit<RequestTotals, 'reserve' | 'window' | 'exact'> {
  const inZone = (zone: Zone): number =>
    system.reduce((sum, block) => (block.zone === zone ? sum + block.tokens : sum), 0);
  const last = messages.at(-1);
  const turnMessages = last?.role === 'user' ? messages.slice(-1) : [];
  const history = messages.slice(0, messages.length - turnMessages.length);
  const totals = {
    instructions: inZone('instructions'),
    reference: inZone('reference') + countMessages(first, tokenizer),
    history: inZone('history') + countMessages(history, tokenizer),
    turn: inZone('turn') + countMessages(turnMessages, tokenizer),
    tools: tools.length === 0 ? 0 : tokenizer.count(JSON.stringify(tools)),
  };
  const all = totals.instructions + totals.reference + totals.history + totals.turn + totals.tools;
  return { ...totals, all };
}

export function countMessages(messages: readonly Message[], tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      tokens += tokenizer.count(part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text);
    }
  }
  return tokens;
}
