/** Plans a request in the profile of its model: system prompt, messages, tools and totals (R203). */
import { fingerprint } from '../base/equality';
import type { Message, TextPart, UserMessage } from '../ports/message';
import type { ModelDescription, Tokenizer } from '../ports/model';
import type { Block, Place, RequestPlan, RequestTotals, ToolDeclaration, Zone } from '../ports/request-plan';
import { type AssembledPrompt, assemblePrompt, type Layout } from '../prompt/assemble-prompt';
import type { GatheredFacts, Section } from '../prompt/section';
import type { Tier } from '../settings/mode';
import { declare, type Tool } from '../tools/tool';
import { compositionBudgets, fitComposition, fitZones, profileFor } from './fit';
import { allocateBreakpoints } from './prompt-cache';
import { startOfTurn, tierMessages } from './reference-blocks';
import { selectReference, usualMinimum } from './select-reference';
import { countedText, textOfTools } from './token-factor';

/** Tokens kept free for the answer: at most this, and at most a quarter of the window (K23). */
const maxReserve = 16_384;

export interface PlanInput {
  readonly conversationId: string;
  readonly model: ModelDescription;
  readonly tier: Tier;
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  /** The conversation, with what was sent around each user message already in its place. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** Counts for budgets, so that what is said depends on the text alone. */
  readonly tokenizer: Tokenizer;
  /** Counts as the model does, as far as that is known; the same unless given. */
  readonly scaled?: Tokenizer;
}

/** Where the blocks of a request stand and which of them fit, by the profile of its model and its tier. */
export function layoutFor(model: ModelDescription, tier: Tier): Layout {
  const profile = profileFor(model);
  const room = model.contextWindow - reserveOf(model);
  return {
    ...profile,
    fit: (composed) => fitZones(composed, fitComposition(composed, compositionBudgets[tier]), room, tier),
  };
}

/** Pure: equal input gives an equal plan. The plan may exceed the window; `exceedsWindow` says so. */
export function planRequest(input: PlanInput): RequestPlan {
  const { model, tier, sections, facts, tokenizer } = input;
  const prompt = assemblePrompt({ sections, facts, tokenizer, layout: layoutFor(model, tier) });
  const settled = selectReference({ prompt, model, tools: printOf(input.tools), tokenizer, kept: null, free: null });
  return planOver(settled, input);
}

const prints = new WeakMap<readonly Tool[], string>();

/** A name for what a list of tools declares. */
export function printOf(tools: readonly Tool[]): string {
  const known = prints.get(tools) ?? fingerprint(JSON.stringify(declareSorted(tools)));
  prints.set(tools, known);
  return known;
}

/** The request that has this system prompt at its head: what is sent of a prompt is written here and nowhere else (R026). */
export function planOver(prompt: AssembledPrompt, input: Omit<PlanInput, 'tier' | 'sections' | 'facts'>): RequestPlan {
  const { model, scaled = input.tokenizer } = input;
  const blocks = prompt.blocks.map((block) => ({ ...block, tokens: scaled.count(block.text) }));
  const standing = (place: Place): Block[] => blocks.filter((block) => block.place === place && block.text !== '');
  const first = standing('first-message').map(({ text }): Message => ({
    role: 'user',
    parts: [{ type: 'text', text }],
  }));
  const tools = model.nativeTools ? declareSorted(input.tools) : [];
  const reserve = reserveOf(model);
  const given = model.takesImages === true ? input.messages : describeImages(input.messages);
  const totals = addUp([...standing('system'), ...standing('reference')], first, given, tools, scaled);
  const { messages: tiers, ends } = tierMessages(blocks);
  const messages = [...tiers, ...first, ...given];
  const { id: profile } = profileFor(model);
  const count = (text: string): number => scaled.count(text);
  const start = standing('system').reduce((sum, { tokens }) => sum + tokens, totals.tools);
  const minimum = model.cacheMinimum ?? usualMinimum;
  return {
    conversationId: input.conversationId,
    modelId: model.id,
    profile,
    blocks,
    system: prompt.system,
    messages,
    tools,
    totals: { ...totals, reserve, window: model.contextWindow, exact: scaled.exact },
    maxOutputTokens: reserve,
    ...(profile === 'flat'
      ? {}
      : { breakpoints: allocateBreakpoints({ system: prompt.system, start, messages, ends, minimum, count }) }),
  };
}

/** Whether the request and the room for its answer need more than the model can hold. */
export function exceedsWindow({ totals }: RequestPlan): boolean {
  return totals.all + totals.reserve > totals.window;
}

/** What a model has room for: its window, and what of it is kept for the answer. */
export function tokenBudgetOf(model: ModelDescription): Pick<RequestTotals, 'window' | 'reserve'> {
  return { window: model.contextWindow, reserve: reserveOf(model) };
}

function reserveOf({ outputLimit, contextWindow }: ModelDescription): number {
  return Math.min(outputLimit, maxReserve, Math.floor(contextWindow / 4));
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
  const start = startOfTurn(messages);
  const turnMessages = messages.slice(start);
  const history = messages.slice(0, start);
  const totals = {
    instructions: inZone('instructions'),
    reference: inZone('reference') + countMessages(first, tokenizer),
    history: inZone('history') + countMessages(history, tokenizer),
    turn: inZone('turn') + countMessages(turnMessages, tokenizer),
    tools: tools.length === 0 ? 0 : tokenizer.count(textOfTools(tools)),
  };
  const all = totals.instructions + totals.reference + totals.history + totals.turn + totals.tools;
  return { ...totals, all };
}

export function countMessages(messages: readonly Message[], tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      tokens += tokenizer.count(countedText(part)) + (part.type === 'image' ? part.tokens : 0);
    }
  }
  return tokens;
}

// Plans with exact counts: what a plan asks for and is not known yet is counted, and the plan made again.

/** Each may ask for texts that only the counts before it made necessary, such as the brief forms of sections. */
const maxAttempts = 4;

/** The last attempt stands, exact or not: what cannot be counted is estimated. */
export async function planExactly<T>(tokenizer: Tokenizer, plan: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const planned = plan();
    if (tokenizer.exact || tokenizer.settle === undefined || attempt === maxAttempts) return planned;
    await tokenizer.settle();
  }
}

// Words in place of pictures, for models that take none: a request never leaves one out without saying so (R218).

/** Messages without pictures are the same objects. */
function describeImages(messages: readonly Message[]): readonly Message[] {
  const hasImage = (message: Message): message is UserMessage =>
    message.role === 'user' && message.parts.some(({ type }) => type === 'image');
  return messages.map((message) =>
    hasImage(message)
      ? { role: 'user', parts: message.parts.map(({ text }): TextPart => ({ type: 'text', text })) }
      : message,
  );
}
