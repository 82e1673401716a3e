/** Optional parts of requests, and which models refuse them; later requests to such a model omit them. */
import type { ModelFailure } from '../http/model-failure';

/** Maps an optional part to the words with which a server refuses it. */
const refusals = {
  /** Where to cache the beginning of a request. */
  cache: /cache_control|prompt_cache_key|cache breakpoint|ephemeral/i,
  /** Reasoning effort. */
  effort: /effort|thinking[_ ]?(?:level|budget|mode)|does not support thinking|think value/i,
  /** Gemini refuses it without naming it. */
  temperature: /temperature|request contains an invalid argument/i,
  /** Encrypted reasoning, for the next step. */
  sealed: /encrypted[_ ]content/i,
  /** Summaries of thoughts, which some accounts may not ask for. */
  summary: /reasoning[._ ]summar/i,
  /** Which part of an earlier answer was commentary. */
  phase: /\bphase\b/i,
  /** The older name of the output limit. */
  limitName: /max_completion_tokens/i,
  /** Earlier reasoning in chat completions, where it is no part of the standard. */
  thoughts: /\breasoning(?:_content|_details)?\b/i,
} as const;

export type RequestOption = keyof typeof refusals;

/** Lasts until Obsidian restarts. */
const refused = new Map<string, ReadonlySet<RequestOption>>();
const none: ReadonlySet<RequestOption> = new Set();

/** Returns the parts that requests to this model, by its full id, omit. */
export function refusedHints(id: string): ReadonlySet<RequestOption> {
  return refused.get(id) ?? none;
}

/**
 * Returns whether the failure is about an optional part that was sent. Later requests then omit the part, so a retry is
 * worthwhile.
 */
export function omitRefusedOptions(id: string, sent: readonly RequestOption[], { failure }: ModelFailure): boolean {
  if (failure.kind !== 'protocol') return false;
  const named = sent.find((hint) => refusals[hint].test(failure.words));
  if (named === undefined) return false;
  refused.set(id, new Set([...refusedHints(id), named]));
  return true;
}
