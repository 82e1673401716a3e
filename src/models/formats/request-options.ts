/** Hints: what requests carry beyond the conversation, and which models refuse it; a model is asked without from then on. */
import type { ModelFailure } from '../http/model-failure';

/** A part of a request that a server may not know, by the words with which it refuses it. */
const refusals = {
  /** Where to keep the beginning of a request. */
  cache: /cache_control|prompt_cache_key|cache breakpoint|ephemeral/i,
  /** How much to think. */
  effort: /effort|thinking[_ ]?(?:level|budget|mode)|does not support thinking|think value/i,
  temperature: /temperature/i,
  /** Thoughts in sealed form, for the next step. */
  sealed: /encrypted[_ ]content/i,
  /** The older name of the limit of the answer. */
  limitName: /max_completion_tokens/i,
} as const;

export type RequestOption = keyof typeof refusals;

/** Until the app starts anew. */
const refused = new Map<string, ReadonlySet<RequestOption>>();
const none: ReadonlySet<RequestOption> = new Set();

/** What this model, by its full id, is asked without. */
export function refusedHints(id: string): ReadonlySet<RequestOption> {
  return refused.get(id) ?? none;
}

/**
 * Whether the fault is about a hint that was sent and can be left out; it then is, so that the request is worth
 * another try.
 */
export function omitRefusedOptions(id: string, sent: readonly RequestOption[], { failure }: ModelFailure): boolean {
  if (failure.kind !== 'protocol') return false;
  const named = sent.find((hint) => refusals[hint].test(failure.words));
  if (named === undefined) return false;
  refused.set(id, new Set([...refusedHints(id), named]));
  return true;
}
