/** The token factor: how many tokens a model counts for one of ours, learned from the usage its provider reports. */
import type { Tokenizer } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { tierMessages } from './reference-blocks';

export const factorBounds = { least: 0.5, most: 2.5 } as const;

/** Tokens; in a smaller request the provider's overhead per message distorts the ratio. */
const minRequestTokens = 300;
/** The minimum weight of the newest report. */
const minWeight = 0.2;

export interface TokenFactor {
  readonly value: number;
  /** The number of reports behind the value. */
  readonly reports: number;
}

/** The learned factors, by model id. */
export interface TokenFactors {
  /** Returns 1 for an unknown model. */
  of(modelId: string): number;
  learn(modelId: string, reported: number, counted: number): void;
}

/**
 * Returns the factor after one more report: the mean of the first few, then a moving average. Ignores reports on small
 * requests, and reports under half of our count, since some servers leave cached tokens out.
 */
export function correctFactor(known: TokenFactor | null, reported: number, counted: number): TokenFactor | null {
  const { least, most } = factorBounds;
  const ratio = reported / counted;
  if (counted < minRequestTokens || !(ratio >= least)) return known;
  const newest = Math.min(ratio, most);
  if (known === null) return { value: rounded(newest), reports: 1 };
  const weight = Math.max(minWeight, 1 / (known.reports + 1));
  return { value: rounded(known.value + weight * (newest - known.value)), reports: known.reports + 1 };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The factor with which each text was counted when it was first sent. */
export type SentFactors = ReadonlyMap<string, number>;

export const nothingSent: SentFactors = new Map();

/** Returns a tokenizer that counts as the model does; a text that was sent keeps its first factor. */
export function scaleTokenizer(tokenizer: Tokenizer, factor: number, sent: SentFactors): Tokenizer {
  if (factor === 1 && [...sent.values()].every((each) => each === 1)) return tokenizer;
  return {
    count: (text) => Math.round(tokenizer.count(text) * (sent.get(text) ?? factor)),
    exact: false,
  };
}

/** Returns the factors after this request; drops texts of earlier requests that it does not contain. */
export function rememberSent(plan: RequestPlan, factor: number, sent: SentFactors): SentFactors {
  return new Map(textsOf(plan).map((text) => [text, sent.get(text) ?? factor]));
}

/** Returns every counted text of a request, repeated as often as it occurs. */
function textsOf({ blocks, messages, tools }: RequestPlan): string[] {
  const isBefore = ({ place, text }: RequestPlan['blocks'][number]): boolean =>
    (place === 'system' || place === 'reference') && text !== '';
  // Tier messages are counted through their blocks.
  const tiers = tierMessages(blocks).messages.length;
  return [
    ...blocks.filter(isBefore).map(({ text }) => text),
    ...messages.slice(tiers).flatMap(({ parts }) => parts.map(countedText)),
    ...(tools.length === 0 ? [] : [textOfTools(tools)]),
  ];
}

const toolTexts = new WeakMap<RequestPlan['tools'], string>();

/** Returns the text by which the tools are counted; cached per list. */
export function textOfTools(tools: RequestPlan['tools']): string {
  const known = toolTexts.get(tools) ?? JSON.stringify(tools);
  toolTexts.set(tools, known);
  return known;
}

/** Returns the text by which a part of a message is counted. */
export function countedText(part: RequestPlan['messages'][number]['parts'][number]): string {
  if (part.type === 'image') return part.label;
  return part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text;
}

/** Returns the tokens of a whole request, unscaled. */
export function countPlan(plan: RequestPlan, tokenizer: Tokenizer): number {
  return textsOf(plan).reduce((sum, text) => sum + tokenizer.count(text), 0);
}
