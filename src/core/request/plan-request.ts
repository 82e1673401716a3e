/** Plans a request: system prompt, messages, tools and totals (R203). */
import { fingerprint } from '../base/equality';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from '../ports/message';
import { type ModelDescription, tinyWindow, type Tokenizer } from '../ports/model';
import type { Block, Place, RequestPlan, RequestTotals, ToolDeclaration, Zone } from '../ports/request-plan';
import { type AssembledPrompt, assemblePrompt, type Layout } from '../prompt/assemble-prompt';
import type { GatheredFacts, Section } from '../prompt/section';
import type { Tier } from '../settings/mode';
import { declare, type Tool } from '../tools/tool';
import { compositionBudgets, fitComposition, fitShares, requestLayout } from './fit';
import { acknowledgement } from './history-text';
import { allocateBreakpoints } from './prompt-cache';
import { startOfTurn, tierMessages } from './reference-blocks';
import { selectReference, usualMinimum } from './select-reference';
import { countedText, textOfTools } from './token-factor';

/** The maximum number of tokens of an answer; a quarter of the context window is the other limit (K23). */
const maxAnswer = 16_384;
const answerShare = 1 / 4;

/** A tiny context window keeps a smaller share for the answer, which may use what is free up to the usual limit. */
const tinyReserve = { share: 1 / 8, min: 512 } as const;
/**
 * Answers of a chat are about as long as those before: a tiny window leaves twice the longest that it still sends, and
 * at least this share of what it leaves without one.
 */
const answerGrowth = 2;
const minReserveShare = 1 / 2;
/** Of the free tokens, the share that an answer is granted: the tokens of the request may be estimates. */
const grantedShare = 0.9;

export interface PlanInput {
  readonly conversationId: string;
  readonly model: ModelDescription;
  readonly tier: Tier;
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  /** The conversation, with the texts of each turn already around its user message. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** Counts for budgets, so that what is sent depends only on the text. */
  readonly tokenizer: Tokenizer;
  /** Counts as the model does, as far as that is known; `tokenizer` if absent. */
  readonly scaled?: Tokenizer;
}

/** Returns where each block goes and which blocks fit, by the context window and the tier. */
export function layoutFor(model: ModelDescription, tier: Tier): Layout {
  const room = model.contextWindow - answerLimitOf(model);
  return {
    ...requestLayout,
    fit: (composed) => fitShares(composed, fitComposition(composed, compositionBudgets[tier]), room, tier),
  };
}

/**
 * Plans a request from sections and facts. Pure: equal input gives an equal plan, which may exceed the context window;
 * see `exceedsWindow`.
 */
export function planRequest(input: PlanInput): RequestPlan {
  const { model, tier, sections, facts, tokenizer } = input;
  const prompt = assemblePrompt({ sections, facts, tokenizer, layout: layoutFor(model, tier) });
  const settled = selectReference({ prompt, model, tools: printOf(input.tools), tokenizer, kept: null, free: null });
  return planOver(settled, input);
}

/**
 * Plans a request of one message, without the system prompt and the tools of a chat.
 * @param maxAnswer - the most tokens that the answer may have
 */
export function planMessage(
  conversationId: string,
  model: ModelDescription,
  { text, maxAnswer }: { readonly text: string; readonly maxAnswer: number },
  tokenizer: Tokenizer,
): RequestPlan {
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }] as const;
  const bare = { sections: [], facts: new Map(), tools: [], tier: 1 } as const;
  const plan = planRequest({ ...bare, conversationId, model, messages, tokenizer });
  return { ...plan, maxOutputTokens: Math.min(plan.maxOutputTokens, maxAnswer) };
}

const prints = new WeakMap<readonly Tool[], string>();

/** Returns a fingerprint of the declarations of the tools. */
export function printOf(tools: readonly Tool[]): string {
  const known = prints.get(tools) ?? fingerprint(JSON.stringify(declareSorted(tools)));
  prints.set(tools, known);
  return known;
}

/** Whether the fingerprint of this list of tools is known, so that it takes no time. */
export function isPrinted(tools: readonly Tool[]): boolean {
  return prints.has(tools);
}

/** Plans the request that starts with this system prompt; no other code turns a prompt into a request (R026). */
export function planOver(prompt: AssembledPrompt, input: Omit<PlanInput, 'tier' | 'sections' | 'facts'>): RequestPlan {
  const { model, scaled = input.tokenizer } = input;
  const blocks = prompt.blocks.map((block) => ({ ...block, tokens: scaled.count(block.text) }));
  const blocksAt = (place: Place): Block[] => blocks.filter((block) => block.place === place && block.text !== '');
  const first = blocksAt('first-message').map(({ text }): Message => ({
    role: 'user',
    parts: [{ type: 'text', text }],
  }));
  const tools = model.nativeTools ? declareSorted(input.tools) : [];
  const reserve = reserveOf(model, () => answerTokens(input.messages, scaled));
  const spoken = model.nativeTools ? input.messages : writeCallsAsText(input.messages);
  const given = model.takesImages === true ? spoken : describeImages(spoken);
  const totals = addUp([...blocksAt('system'), ...blocksAt('reference')], first, given, tools, scaled);
  const { messages: tiers, ends } = tierMessages(prompt.blocks);
  const messages = [...tiers, ...first, ...given];
  const count = (text: string): number => scaled.count(text);
  const start = blocksAt('system').reduce((sum, { tokens }) => sum + tokens, totals.tools);
  const minimum = model.cacheMinimum ?? usualMinimum;
  return {
    conversationId: input.conversationId,
    modelId: model.id,
    blocks,
    system: prompt.system,
    messages,
    tools,
    totals: { ...totals, reserve, window: model.contextWindow, exact: scaled.exact },
    maxOutputTokens: Math.min(
      answerLimitOf(model),
      Math.max(reserve, Math.floor((model.contextWindow - totals.all) * grantedShare)),
    ),
    ...(model.cachesPrompts
      ? { breakpoints: allocateBreakpoints({ system: prompt.system, start, messages, ends, minimum, count }) }
      : {}),
  };
}

/** Whether the request and the reserve for its answer need more tokens than the context window has. */
export function exceedsWindow({ totals }: RequestPlan): boolean {
  return totals.all + totals.reserve > totals.window;
}

/** Returns the context window of the model and the reserve for the answer, in tokens. */
export function tokenBudgetOf(model: ModelDescription): Pick<RequestTotals, 'window' | 'reserve'> {
  return { window: model.contextWindow, reserve: reserveOf(model) };
}

/**
 * Returns the tokens that a request leaves free for the answer.
 * @param longest tokens of the longest answer that the request holds; null without one
 */
function reserveOf(model: ModelDescription, longest: () => number | null = () => null): number {
  const { contextWindow } = model;
  const limit = answerLimitOf(model);
  if (contextWindow > tinyWindow) return limit;
  const usual = Math.min(limit, Math.max(tinyReserve.min, Math.floor(contextWindow * tinyReserve.share)));
  const known = longest();
  if (known === null) return usual;
  return Math.min(usual, Math.max(Math.floor(usual * minReserveShare), known * answerGrowth));
}

/** Returns null before the first answer in words; calls count too, since a note may be in their arguments. */
function answerTokens(messages: readonly Message[], tokenizer: Tokenizer): number | null {
  let longest = '';
  let isAnswered = false;
  for (const { role, parts } of messages) {
    if (role !== 'assistant') continue;
    const text = parts.map((part) => (part.type === 'tool-call' ? part.argumentsText : part.text)).join('');
    if (text === acknowledgement) continue;
    isAnswered ||= parts.some(({ type }) => type === 'text');
    if (text.length > longest.length) longest = text;
  }
  return isAnswered ? tokenizer.count(longest) : null;
}

/** Returns the most tokens that an answer may have. */
export function answerLimitOf({ outputLimit, contextWindow }: ModelDescription): number {
  return Math.min(outputLimit, maxAnswer, Math.floor(contextWindow * answerShare));
}

const declarations = new WeakMap<readonly Tool[], readonly ToolDeclaration[]>();

/** Sorts by name, so that the start of the request does not depend on the order of the list. */
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

// Planning with exact counts: texts that a plan needs and that are not counted yet are counted, then planned again.

/**
 * Each attempt may need texts that only the counts before it required, such as brief forms of sections, or the next
 * place at which a note may be cut.
 */
const maxAttempts = 8;

/** Plans until every count is exact; the last attempt is returned in any case, with estimates for the rest. */
export async function planExactly<T>(tokenizer: Tokenizer, plan: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const planned = plan();
    if (tokenizer.exact || tokenizer.settle === undefined || attempt === maxAttempts) return planned;
    await tokenizer.settle();
  }
}

// Text notes in place of images, for models without image support: no image is dropped silently (R218).

/** Messages without images are the same objects. */
function describeImages(messages: readonly Message[]): readonly Message[] {
  const hasImage = (message: Message): message is UserMessage =>
    message.role === 'user' && message.parts.some(({ type }) => type === 'image');
  return messages.map((message) =>
    hasImage(message)
      ? { role: 'user', parts: message.parts.map(({ text }): TextPart => ({ type: 'text', text })) }
      : message,
  );
}

// Messages for a model without native tools: its calls as the text that it wrote, their results as a message of the
// user. A chat can change between models with and without native tools at any message.

/** Returns one message for each; those without calls and results are the same objects. */
export function writeCallsAsText(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role === 'tool') return textOfResults(message);
    return message.role === 'assistant' && message.parts.some(isCall) ? textOfCalls(message) : message;
  });
}

function isCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call';
}

function textOfCalls({ parts }: AssistantMessage): AssistantMessage {
  const calls = parts.filter(isCall);
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const written = calls.map((call) => call.written ?? '').join('');
  const native = calls.filter((call) => call.written === undefined);
  const text = [said + written, ...(native.length === 0 ? [] : [blockOf(native)])].filter((each) => each !== '');
  return {
    role: 'assistant',
    parts: [...parts.filter(({ type }) => type === 'reasoning'), { type: 'text', text: text.join('\n\n') }],
  };
}

/** Writes native calls in the form that the system prompt asks for. */
function blockOf(calls: readonly ToolCallPart[]): string {
  const list = calls.map(
    ({ name, argumentsText }) => `{"tool": ${JSON.stringify(name)}, "params": ${argumentsText.trim() || '{}'}}`,
  );
  return `\`\`\`json\n{"useTools": {"calls": [${list.join(', ')}]}}\n\`\`\``;
}

function textOfResults({ parts }: ToolMessage): UserMessage {
  const texts = parts.map(({ name, text, isError }, index) => {
    const number = parts.length === 1 ? '' : ` ${index + 1} of ${parts.length}`;
    return `[${isError ? 'Error' : 'Result'}${number}: ${name}]\n${text}`;
  });
  return { role: 'user', parts: [{ type: 'text', text: texts.join('\n\n') }], carriesResults: true };
}
