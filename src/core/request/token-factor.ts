/** The token factor: how many tokens a model counts for one of ours, learned from the usage that its provider reports. */
import type { Tokenizer } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { tierMessages } from './reference-blocks';

export const factorBounds = { least: 0.5, most: 2.5 } as const;

/** Tokens: in a smaller request the frame that a provider puts around each message weighs too much. */
const smallestRequest = 300;
/** How much the newest report counts at least, once there are many. */
const minWeight = 0.2;

export interface TokenFactor {
  readonly value: number;
  /** How many reports it was made of. */
  readonly reports: number;
}

/** What was learned of the models, by their ids. */
export interface TokenFactors {
  /** 1 for a model that nothing is known of. */
  of(modelId: string): number;
  learn(modelId: string, reported: number, counted: number): void;
}

/**
 * The factor after one more report: the mean of the first few, then a moving one. A report that tells nothing leaves it
 * as it is: one on a small request, and one of less than half of our count, since some servers leave out what they had
 * kept of the last request.
 */
export function correctFactor(known: TokenFactor | null, reported: number, counted: number): TokenFactor | null {
  const { least, most } = factorBounds;
  const ratio = reported / counted;
  if (counted < smallestRequest || !(ratio >= least)) return known;
  const newest = Math.min(ratio, most);
  if (known === null) return { value: rounded(newest), reports: 1 };
  const weight = Math.max(minWeight, 1 / (known.reports + 1));
  return { value: rounded(known.value + weight * (newest - known.value)), reports: known.reports + 1 };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The texts of a request as they were counted when they were first sent: the factor of each. */
export type SentFactors = ReadonlyMap<string, number>;

export const nothingSent: SentFactors = new Map();

/** Counts as the model is known to count: what was sent keeps the factor that it was sent with. */
export function scaleTokenizer(tokenizer: Tokenizer, factor: number, sent: SentFactors): Tokenizer {
  if (factor === 1 && [...sent.values()].every((each) => each === 1)) return tokenizer;
  return {
    count: (text) => Math.round(tokenizer.count(text) * (sent.get(text) ?? factor)),
    exact: false,
  };
}

/** The factors once this request is sent; texts of earlier requests that are not in it are forgotten. */
export function rememberSent(plan: RequestPlan, factor: number, sent: SentFactors): SentFactors {
  return new Map(textsOf(plan).map((text) => [text, sent.get(text) ?? factor]));
}

/** Every text of a request that is counted, each as often as it stands there. */
export function textsOf({ blocks, messages, tools }: RequestPlan): string[] {
  const isBefore = ({ place, text }: RequestPlan['blocks'][number]): boolean =>
    (place === 'system' || place === 'reference') && text !== '';
  // Messages of tiers are counted by the blocks that stand in them.
  const tiers = tierMessages(blocks).messages.length;
  return [
    ...blocks.filter(isBefore).map(({ text }) => text),
    ...messages.slice(tiers).flatMap(({ parts }) => parts.map(countedText)),
    ...(tools.length === 0 ? [] : [textOfTools(tools)]),
  ];
}

const toolTexts = new WeakMap<RequestPlan['tools'], string>();

/** The text by which the tools of a request are counted; the same list is written once. */
export function textOfTools(tools: RequestPlan['tools']): string {
  const known = toolTexts.get(tools) ?? JSON.stringify(tools);
  toolTexts.set(tools, known);
  return known;
}

/** The text by which a part of a message is counted. */
export function countedText(part: RequestPlan['messages'][number]['parts'][number]): string {
  if (part.type === 'image') return part.label;
  return part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text;
}

/** Tokens of a whole request, unscaled. */
export function countPlan(plan: RequestPlan, tokenizer: Tokenizer): number {
  return textsOf(plan).reduce((sum, text) => sum + tokenizer.count(text), 0);
}
