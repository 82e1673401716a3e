/** The request that was sent last, and how its texts were counted when they were first sent to its model (design 7). */
import type { Usage } from '../ports/message';
import type { Tokenizer } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { countPlan, nothingSent, rememberSent, type SentFactors, type TokenFactors } from '../request/token-factor';

export interface SentPlan {
  readonly plan: RequestPlan;
  readonly factors: SentFactors;
}

export interface FactorPorts {
  readonly tokenizer: Tokenizer;
  readonly factors?: TokenFactors;
}

/** Another model counts everything anew. */
export function factorsFor(last: SentPlan | null, modelId: string): SentFactors {
  return last?.plan.modelId === modelId ? last.factors : nothingSent;
}

export function addSent({ factors }: FactorPorts, last: SentPlan | null, plan: RequestPlan): SentPlan {
  const factor = factors?.of(plan.modelId) ?? 1;
  return { plan, factors: rememberSent(plan, factor, factorsFor(last, plan.modelId)) };
}

/** Learns from what a provider says of a request how its model counts; estimates teach nothing. */
export function learnFactor({ tokenizer, factors }: FactorPorts, sent: SentPlan | null, { inputTokens }: Usage): void {
  // What a picture costs says nothing of how texts are counted.
  if (sent === null || factors === undefined || hasImages(sent.plan)) return;
  const counted = countPlan(sent.plan, tokenizer);
  if (tokenizer.exact) factors.learn(sent.plan.modelId, inputTokens, counted);
}

function hasImages({ messages }: RequestPlan): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'image'));
}
