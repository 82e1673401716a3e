/** Plans a request in the flat profile: system prompt, history, tools and totals (R203). */
import { declare, type Tool } from '../tools/tool';
import type { Message } from '../message';
import type { ModelDescription, Tokenizer } from '../ports';
import { composeBlocks, inFlatOrder, joinFlat } from '../prompt/compose-blocks';
import type { GatheredFacts } from '../prompt/gather-facts';
import type { Section } from '../prompt/section';
import type { Zone } from '../prompt/zone';
import type { Block, RequestPlan, RequestTotals, ToolDeclaration } from './request-plan';

/** Tokens kept free for the answer: at most this, and at most a quarter of the window (K23). */
const largestReserve = 16_384;

export interface PlanInput {
  readonly conversationId: string;
  readonly model: ModelDescription;
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly tokenizer: Tokenizer;
}

/** Pure: equal input gives an equal plan. The plan may exceed the window; `exceedsWindow` says so. */
export function planRequest(input: PlanInput): RequestPlan {
  const { model, tokenizer, messages } = input;
  const blocks = composeBlocks(inFlatOrder(input.sections), input.facts, tokenizer);
  const tools = model.nativeTools ? declareSorted(input.tools) : [];
  const reserve = Math.min(model.outputLimit, largestReserve, Math.floor(model.contextWindow / 4));
  return {
    conversationId: input.conversationId,
    modelId: model.id,
    blocks,
    system: joinFlat(blocks),
    messages,
    tools,
    totals: addUp(blocks, messages, tools, tokenizer, reserve, model.contextWindow),
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
  blocks: readonly Block[],
  messages: readonly Message[],
  tools: readonly ToolDeclaration[],
  tokenizer: Tokenizer,
  reserve: number,
  window: number,
): RequestTotals {
  const inZone = (zone: Zone): number =>
    blocks.reduce((sum, block) => (block.zone === zone ? sum + block.tokens : sum), 0);
  const last = messages.at(-1);
  const turnMessages = last?.role === 'user' ? messages.slice(-1) : [];
  const history = messages.slice(0, messages.length - turnMessages.length);
  const totals = {
    instructions: inZone('instructions'),
    reference: inZone('reference'),
    history: inZone('history') + countMessages(history, tokenizer),
    turn: inZone('turn') + countMessages(turnMessages, tokenizer),
    tools: tools.length === 0 ? 0 : tokenizer.count(JSON.stringify(tools)),
  };
  const all = totals.instructions + totals.reference + totals.history + totals.turn + totals.tools;
  return { ...totals, all, reserve, window, exact: tokenizer.exact };
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
