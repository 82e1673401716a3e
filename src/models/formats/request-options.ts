/** Optional parts and forms of requests, and which models refuse them; later requests to such a model omit them. */
import {
  alternationRefusal,
  imageRefusal,
  type ModelFailure,
  outputLimitRefusal,
  systemRefusal,
} from '../http/model-failure';

/** Maps an optional part or form to the words with which a server refuses it. */
const refusals = {
  /** More tokens than the model answers with; first, because some servers name their own field for it. */
  limit: outputLimitRefusal,
  /** Answers without thoughts, as other models leave them; before all that their refusal also seems to name. */
  bare: /reasoning_content.{0,60}(?:passed back|missing)|missing .?reasoning_content/i,
  /** Where to cache the beginning of a request. */
  cache: /cache_control|prompt_cache_key|cache breakpoint|ephemeral/i,
  /** Reasoning effort; some models that are asked to think refuse calls that were made without a thought. */
  effort: /effort|thinking[_ ]?(?:level|budget|mode)|does not support thinking|think value|must start with a thinking/i,
  /** Gemini refuses it without naming it. */
  temperature: /temperature|request contains an invalid argument/i,
  /** Encrypted reasoning, for the next step. */
  sealed: /encrypted[_ ]content|item (?:with id )?'?rs_/i,
  /** Summaries of thoughts, which some accounts may not ask for. */
  summary: /reasoning[._ ]summar/i,
  /** Which part of an earlier answer was commentary. */
  phase: /\bphase\b/i,
  /** The older name of the output limit. */
  limitName: /max_completion_tokens/i,
  /** Earlier reasoning: no part of the standard of chat completions, and elsewhere signed for one account. */
  thoughts:
    /\breasoning(?:_content|_details)?\b|encrypted[_ ]content|\bthought[_ ]?signature|\bsignature\b.*\bthinking\b|thinking\b.*\bblocks?\b/i,
  /** A count of tokens at the end of a stream. */
  usage: /stream_options|include_usage/i,
  /** More images than the model takes in one request. */
  imageCount: /too many images|(?:at most|up to|maximum of) \d+ images?\b|images, exceeding/i,
  images: imageRefusal,
  /** A message in several texts. */
  texts:
    /content\W{0,2}(?: field)? must be a string|invalid type: sequence, expected a string|should be a valid string/i,
  /** Messages of one role in a row. */
  separate: alternationRefusal,
  /** Instructions outside of the messages of the user. */
  apart: systemRefusal,
} as const;

export type RequestOption = keyof typeof refusals;

/** What is refused for an earlier answer of the chat; other chats go on with it. */
const chatRefusal = /must start with a thinking/i;

/** By the full id of a model, or by that and the chat; lasts until Obsidian restarts. */
const refused = new Map<string, ReadonlySet<RequestOption>>();
const none: ReadonlySet<RequestOption> = new Set();

/** Returns the parts that requests to this model, by its full id, omit, in this chat or in any. */
export function refusedHints(id: string, chat?: string): ReadonlySet<RequestOption> {
  const ofChat = chat === undefined ? none : (refused.get(keyOf(id, chat)) ?? none);
  return new Set([...(refused.get(id) ?? none), ...ofChat]);
}

function keyOf(id: string, chat: string): string {
  return `${id} ${chat}`;
}

/** The most tokens that a model answers with, as its server said, each time less. */
const outputLimits = new Map<string, readonly number[]>();
/** The most images that a model takes in one request, as its server said. */
const imageLimits = new Map<string, number>();

/** Returns the number of images that the server of a model, by its full id, named in a refusal. */
export function namedImageLimit(id: string): number | undefined {
  return imageLimits.get(id);
}

/** A server that names ever less would be asked without end. */
const maxLimits = 4;

/** Returns the output limit that the server of a model, by its full id, named in a refusal. */
export function namedOutputLimit(id: string): number | undefined {
  return outputLimits.get(id)?.at(-1);
}

/**
 * Returns the optional part that was sent and that the failure is about; null if there is none. Later requests then omit
 * the part, so a retry is worthwhile.
 */
export function omitRefusedOptions(
  { id, chat }: { readonly id: string; readonly chat: string },
  sent: readonly RequestOption[],
  { failure }: ModelFailure,
  { outputLimit, images = 0 }: { readonly outputLimit: number; readonly images?: number },
): RequestOption | null {
  if (failure.kind !== 'protocol') return null;
  const named = sent.find((hint) => refusals[hint].test(failure.words));
  if (named === undefined) return null;
  if (named === 'limit') {
    const limit = smallerCount(failure.words, outputLimit, minOutputLimit);
    const before = outputLimits.get(id) ?? [];
    if (limit === null || before.length >= maxLimits) return null;
    outputLimits.set(id, [...before, limit]);
    return named;
  }
  if (named === 'imageCount') {
    imageLimits.set(id, smallerCount(failure.words, images, 1) ?? Math.floor(images / 2));
    return named;
  }
  const key = chatRefusal.test(failure.words) ? keyOf(id, chat) : id;
  refused.set(key, new Set([...(refused.get(key) ?? none), named]));
  return named;
}

/** Returns the largest count in the text that is less than what was asked for; null if it names none. */
function smallerCount(text: string, asked: number, least: number): number | null {
  const counts = [...text.matchAll(/\d[\d,_]*/g)].map(([digits]) => Number(digits.replace(/[,_]/g, '')));
  const largest = Math.max(0, ...counts.filter((count) => count < asked && count >= least));
  return largest === 0 ? null : /exclusive|\d\)/i.test(text) ? largest - 1 : largest;
}

/** A smaller number in a refusal is something else. */
const minOutputLimit = 64;
