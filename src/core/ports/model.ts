/** The model as core sees it, and what its requests cost: streaming, tokens, prices, spending limits. */
import { words } from '../../text';
import type { Failure } from './failure';
import type { StopReason, ToolCallPart, Usage } from './message';
import type { RequestPlan } from './request-plan';

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Opaque data that belongs to the reasoning streamed so far. */
  | { readonly type: 'reasoning-end'; readonly providerData?: unknown }
  /** Comes at the end of the answer; `place` counts the texts and thoughts before the call, if others follow it. */
  | { readonly type: 'tool-call'; readonly call: ToolCallPart; readonly place?: number }
  /** The provider's own terminal event; without it, the answer counts as interrupted. */
  | { readonly type: 'finish'; readonly reason: StopReason; readonly usage?: Usage }
  /** The provider refused the request for now; it is sent again automatically after `milliseconds`. `words` say why. */
  | { readonly type: 'waiting'; readonly words: string; readonly milliseconds: number }
  /** A message about the connection for the user; the answer continues. */
  | { readonly type: 'notice'; readonly words: string }
  | { readonly type: 'failure'; readonly failure: Failure };

/**
 * Context windows up to this size hold a few messages: they are cleared when a request does not fit, and then so far that
 * several messages fit again.
 */
export const tinyWindow = 8 * 1024;

/** Models that need the same words: small ones on the user's own machine, those that reason first, the strongest. */
export type ModelFamily = 'small' | 'reasoning' | 'frontier';

export interface ModelDescription {
  /** `provider/model`, as stored in settings and session entries. */
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** The context window as it was assumed, if the server turned out to hold only `contextWindow`; absent otherwise. */
  readonly assumedWindow?: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Whether tools are declared to the model natively; otherwise the prompt describes them. */
  readonly nativeTools: boolean;
  /** Whether its provider caches the start of a request for the next one. */
  readonly cachesPrompts: boolean;
  /** Whether it belongs to a family that needs less guidance; a matter of the model, not of its context window (R016). */
  readonly modern?: boolean;
  /** Absent for a model of no known family; decides which template is appended to the base prompt (R025). */
  readonly family?: ModelFamily;
  /** Whether it supports images; otherwise it gets a text that describes them. */
  readonly takesImages?: boolean;
  /** Minimum tokens of a start that the provider caches; the usual minimum if absent. */
  readonly cacheMinimum?: number;
  /** Whether neither the user, the provider nor the table says how large the context window is. */
  readonly isWindowGuessed?: true;
  /** List prices, if known. */
  readonly prices?: Prices;
  /** Whether requests cost money, and nobody knows how much. */
  readonly isUnpriced?: true;
  /** False for a model that cannot summarize a chat. */
  readonly summarises?: boolean;
}

/** A language model, or the built-in reader that takes its place. */
export interface Model {
  readonly description: ModelDescription;
  /**
   * Streams one answer to the plan. Never throws once called: a failure is the last event. Ends without a 'finish'
   * event only if the answer was interrupted or aborted.
   */
  stream(plan: RequestPlan, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface Tokenizer {
  /** Returns the number of tokens in a text. */
  count(text: string): number;
  /** False after a count that was an estimate; estimates are shown with “≈”. */
  readonly exact: boolean;
  /**
   * Resolves when all requested counts are known exactly, as far as possible; from then on `exact` is true again.
   * Absent if counts never improve.
   */
  settle?(): Promise<void>;
}

/** Adds up the usage of two requests; a count that one of them did not report is taken from the other. */
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

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Price of reading from the provider's cache; the input price if absent. */
  readonly cacheRead?: number;
  /** Price of writing to the provider's cache; the input price if absent. */
  readonly cacheWrite?: number;
}

/**
 * List prices of requests and answers, in US dollars. Costs are shown as estimates, since only the provider's bill is
 * exact.
 */
export interface Prices extends Rates {
  /** Rates of a request with more than `above` tokens. */
  readonly long?: Rates & { readonly above: number };
  /** When the prices were read, as year-month-day; null if the user set them. */
  readonly date: string | null;
  /** Where they were read; absent without a date. */
  readonly source?: string;
  /** Whether they are so old that they may no longer apply. */
  readonly isOld?: true;
}

const million = 1_000_000;

/** Returns the cost of an answer, by the counts that the provider reported. */
export function costOf(usage: Usage, prices: Prices): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input } = ratesFor(inputTokens, prices);
  const other = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return (
    (other * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / million
  );
}

/**
 * Returns the cost of sending a request, without its answer.
 * @param cached tokens at its start that the provider is expected to have in its cache
 */
export function priceOf(plan: Pick<RequestPlan, 'totals'>, prices: Prices, cached = 0): number {
  const { all } = plan.totals;
  return costOf({ inputTokens: all, outputTokens: 0, cacheReadTokens: Math.min(cached, all) }, prices);
}

function ratesFor(inputTokens: number, { long, ...usual }: Prices): Rates {
  return long !== undefined && inputTokens > long.above ? long : usual;
}

export type SpendingVerdict =
  | { readonly type: 'notice'; readonly words: string }
  | { readonly type: 'refused'; readonly failure: Failure };

/** US dollars; null where the user set none. */
export interface SpendingLimits {
  readonly spendingLimit: number | null;
  readonly spendingNotice: number | null;
}

/** What requests outside chats have cost together, such as those of one window. */
export interface SpendingAccount {
  /** US dollars. */
  readonly spent: number;
  add(usage: Usage | undefined): void;
}

export function openAccount(): SpendingAccount {
  let spent = 0;
  return {
    get spent() {
      return spent;
    },
    add: (usage) => void (spent += usage?.cost ?? 0),
  };
}

/**
 * Compares the cost of a chat with the user's limits: a notice at one amount, a refusal to send at another.
 * @param spent US dollars before this request
 * @param place whose cost it is, for the words
 */
export function judgeSpending(
  spent: number,
  plan: RequestPlan,
  prices: Prices | undefined,
  { spendingLimit, spendingNotice }: SpendingLimits,
  place: 'chat' | 'window' = 'chat',
): SpendingVerdict | null {
  if (prices === undefined) return null;
  const next = priceOf(plan, prices);
  const { limitReached, limitRemedy, noticeReached } = place === 'chat' ? words.spending : words.spending.window;
  if (spendingLimit !== null && spent + next > spendingLimit) {
    const said = limitReached(spent, next, spendingLimit);
    return { type: 'refused', failure: { kind: 'limit', words: said, remedy: limitRemedy, action: 'open-settings' } };
  }
  if (spendingNotice !== null && spent >= spendingNotice) {
    return { type: 'notice', words: noticeReached(spent, spendingNotice) };
  }
  return null;
}
