/** The model as core asks it, and what its requests cost: streaming, tokens, prices, limits of spending. */
import { words } from '../../text';
import type { Failure } from './failure';
import type { StopReason, ToolCallPart, Usage } from './message';
import type { RequestPlan } from './request-plan';

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Opaque data that belongs to the reasoning streamed so far. */
  | { readonly type: 'reasoning-end'; readonly providerData?: unknown }
  | { readonly type: 'tool-call'; readonly call: ToolCallPart }
  /** The provider's own terminal event; without it the answer counts as interrupted. */
  | { readonly type: 'finish'; readonly reason: StopReason; readonly usage?: Usage }
  /** The request was refused for now and is sent again by itself after that long; words say why. */
  | { readonly type: 'waiting'; readonly words: string; readonly milliseconds: number }
  /** Something about the connection that the user should know; the answer goes on. */
  | { readonly type: 'notice'; readonly words: string }
  | { readonly type: 'failure'; readonly failure: Failure };

export interface ModelDescription {
  /** `provider/model`, as stored in settings and session entries. */
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Whether tools are declared to the model natively; else they are described in the prompt. */
  readonly nativeTools: boolean;
  /** Whether its provider keeps the beginning of a request for the next one. */
  readonly cachesPrompts: boolean;
  /** Whether it looks at pictures; it is told of them in words unless given. */
  readonly takesImages?: boolean;
  /** Tokens of the shortest beginning that it keeps; the usual one unless given. */
  readonly cacheMinimum?: number;
  /** List prices, as far as they are known. */
  readonly prices?: Prices;
  /** False for one that cannot write a summary of a conversation. */
  readonly summarises?: boolean;
}

/** A language model, or the built-in reader that stands in for one. */
export interface Model {
  readonly description: ModelDescription;
  /**
   * Streams one answer to the plan. Never throws once called: a failure is the last event.
   * Ends without a 'finish' event only when the answer was cut off or aborted.
   */
  stream(plan: RequestPlan, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface Tokenizer {
  /** Tokens in a text. */
  count(text: string): number;
  /** False once a count was an estimate; estimates are shown with a tilde. */
  readonly exact: boolean;
  /**
   * Resolves when all that was asked for is known exactly, as far as it can be; `exact` is true again from then on.
   * Absent where counts never get better.
   */
  settle?(): Promise<void>;
}

/** Adds up what several requests took; a count that one of them did not report is that of the others. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const cacheRead = addKnown(one.cacheReadTokens, other.cacheReadTokens);
  const cacheWrite = addKnown(one.cacheWriteTokens, other.cacheWriteTokens);
  const reasoning = addKnown(one.reasoningTokens, other.reasoningTokens);
  const cost = addKnown(one.cost, other.cost);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cost === undefined ? {} : { cost }),
  };
}

function addKnown(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}

/** Dollars for a million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Of what is read from the provider's cache; the same as input when there is no other price. */
  readonly cacheRead?: number;
  /** Of what is written to it. */
  readonly cacheWrite?: number;
}

/** What requests and answers cost at list prices, in US dollars. Shown as an estimate: bills are the provider's. */
export interface Prices extends Rates {
  /** What a request costs that has more than this many tokens. */
  readonly long?: Rates & { readonly above: number };
  /** When they were read, as year-month-day; null when the user set them. */
  readonly date: string | null;
}

const million = 1_000_000;

/** What an answer cost by the counts that the provider reported. */
export function costOf(usage: Usage, prices: Prices): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input } = ratesFor(inputTokens, prices);
  const other = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return (
    (other * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / million
  );
}

/**
 * What sending a request costs, without its answer.
 * @param cached tokens of its beginning that the provider is expected to have in its cache
 */
export function priceOf(plan: Pick<RequestPlan, 'totals'>, prices: Prices, cached = 0): number {
  const { all } = plan.totals;
  return costOf({ inputTokens: all, outputTokens: 0, cacheReadTokens: Math.min(cached, all) }, prices);
}

function ratesFor(inputTokens: number, { long, ...usual }: Prices): Rates {
  return long !== undefined && inputTokens > long.above ? long : usual;
}

// What a chat has cost and may cost: the user is told at one amount, and nothing more is sent at another.

export type SpendingVerdict =
  { readonly type: 'notice'; readonly words: string } | { readonly type: 'refused'; readonly failure: Failure };

/** Dollars; null where the user set none. */
export interface SpendingLimits {
  readonly spendingLimit: number | null;
  readonly spendingNotice: number | null;
}

interface Costed {
  readonly usage?: Usage;
}

/** Dollars, sub-agents included; what was reported without a price counts nothing. */
export function spentIn(entries: readonly object[]): number {
  return entries.reduce((sum: number, entry: Costed) => sum + (entry.usage?.cost ?? 0), 0);
}

/** @param spent dollars before this request */
export function judgeSpending(
  spent: number,
  plan: RequestPlan,
  prices: Prices | undefined,
  { spendingLimit, spendingNotice }: SpendingLimits,
): SpendingVerdict | null {
  if (prices === undefined) return null;
  const next = priceOf(plan, prices);
  const { limitReached, limitRemedy, noticeReached } = words.spending;
  if (spendingLimit !== null && spent + next > spendingLimit) {
    const said = limitReached(spent, next, spendingLimit);
    return { type: 'refused', failure: { kind: 'limit', words: said, remedy: limitRemedy, action: 'open-settings' } };
  }
  if (spendingNotice !== null && spent >= spendingNotice) {
    return { type: 'notice', words: noticeReached(spent, spendingNotice) };
  }
  return null;
}
