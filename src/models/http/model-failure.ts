/**
 * ModelFailure: every way in which a request to a model can fail, as a Failure in plain words, whether to retry, and
 * whether the request was too long.
 */
import { redact as redactSecrets, redactKeys, spellingsOf } from '../../core/base/redact';
import { bufferedQuestion } from '../../core/gate/gate';
import type { Failure, FailureAction, FailureKind } from '../../core/ports/failure';
import { words } from '../../text';
import type { ProviderRow } from '../providers/provider';
import type { BodyEnding, Limits } from './connection';
import { readError, type ReportedError } from './read-error';
import type { ConnectionProblem } from './transport';

export interface ModelFailure {
  readonly failure: Failure;
  /**
   * Whether the same request may be repeated without asking the user: never, after our own delay, or after the
   * server's.
   */
  readonly retry: 'never' | 'backoff' | { readonly afterMilliseconds: number };
  /**
   * Present if the request was too long for the model: the context window that the server named, null if it named none.
   */
  readonly overflow?: { readonly window: number | null };
}

/** Where a request goes, for which model. */
export interface Endpoint {
  readonly row: ProviderRow;
  readonly baseUrl: string;
  readonly modelName: string;
  readonly origin: string;
  /** The key for this origin, sent only there and never shown. */
  readonly secret: string | null;
  readonly limits: Limits;
}

const text = words.models;
/** Milliseconds; longer waits are left to the user. */
const maxWait = 120_000;

const label = (place: Endpoint): string => text.labels[place.row.labelKey];
const hostOf = (place: Endpoint): string => new URL(place.baseUrl).host;

export function failureOf(kind: FailureKind, said: string, remedy: string, action?: FailureAction): Failure {
  return { kind, words: said, remedy, ...(action && { action }) };
}

function fault(failure: Failure, retry: ModelFailure['retry'] = 'never'): ModelFailure {
  return { failure, retry };
}

/** Converts a problem of the connection before there was a response. */
export function faultOfProblem(problem: ConnectionProblem, place: Endpoint): ModelFailure {
  const host = hostOf(place);
  switch (problem.kind) {
    case 'unreachable': {
      const remedy = place.row.local ? text.unreachableLocalRemedy : text.unreachableRemedy;
      return fault(failureOf('network', text.unreachable(host), remedy, 'retry'), 'backoff');
    }
    case 'certificate':
      return fault(failureOf('network', text.certificate(host), text.certificateRemedy, 'retry'));
    case 'cross-origin': {
      const remedy = text.crossOriginHelp[place.row.crossOriginHelp];
      return fault(failureOf('configuration', text.crossOrigin(host), remedy));
    }
    case 'redirected':
      return fault(failureOf('configuration', text.redirected(host), text.redirectedRemedy, 'open-settings'));
    case 'asks-buffered':
      return fault(askToGoBuffered(place));
    case 'silent':
      return faultOfSilence(place, 'silent', problem.waited);
    case 'web-page':
      return fault(failureOf('network', text.notAModel(host), text.notAModelRemedy, 'retry'));
    case 'not-a-stream': {
      const { message } = readError({ responseBody: problem.body });
      if (message !== '') return fault(brokenAnswer(place, message));
      return fault(failureOf('protocol', text.notAStream(label(place)), text.answerBrokenRemedy, 'retry'));
    }
  }
}

/** For a server of the user's own, adds how to let the app read its answers directly. */
function askToGoBuffered(place: Endpoint): Failure {
  const asked = bufferedQuestion(label(place), place.origin, place.secret !== null);
  if (!place.row.local) return asked;
  return {
    ...asked,
    remedy: `${asked.remedy} ${text.directlyInstead(text.crossOriginHelp[place.row.crossOriginHelp])}`,
  };
}

/** Converts an end of the bytes before the end of the answer. Undefined if "interrupted" says enough. */
export function faultOfEnding(
  ending: BodyEnding | undefined,
  shown: boolean,
  place: Endpoint,
): ModelFailure | undefined {
  if (ending === 'silent' || ending === 'stalled') return faultOfSilence(place, ending);
  if (ending === 'too-long') return fault(brokenAnswer(place, ''));
  if (shown) return undefined;
  return fault(failureOf('interrupted', text.closedEarly(hostOf(place)), text.closedEarlyRemedy, 'retry'), 'backoff');
}

/** @param waited the milliseconds without a response, which are more than the usual limit for one that comes whole */
function faultOfSilence(
  place: Endpoint,
  ending: 'silent' | 'stalled',
  waited = place.limits.firstByteMilliseconds,
): ModelFailure {
  const host = hostOf(place);
  const { stallMilliseconds } = place.limits;
  const failure =
    ending === 'silent'
      ? failureOf('network', text.silent(host, inSeconds(waited)), text.silentRemedy, 'retry')
      : failureOf('interrupted', text.stalled(host, inSeconds(stallMilliseconds)), text.stalledRemedy, 'retry');
  return fault(failure);
}

/** Converts what the provider or a library reported, by status or inside the stream. */
export function toModelFailure(thrown: unknown, place: Endpoint, now: number): ModelFailure {
  const error = readError(thrown);
  const { status } = error;
  const plain = faultOfWords(error, place);
  if (plain !== undefined) return plain;
  if (status === undefined) return fault(brokenAnswer(place, error.message));
  if (isOutOfCredit(error)) {
    return fault(failureOf('quota', text.quotaReached(label(place)), text.quotaRemedy));
  }
  if (status === 401 || status === 403) return fault(refusedAccess(place, status));
  if (isBadKey(error)) return fault(refusedAccess(place, 401));
  const form = faultOfForm(error, place, status);
  if (form !== undefined) return form;
  if (place.modelName !== '' && (status === 404 || isMissingModel(error))) {
    const remedy = place.row.local ? text.modelMissingLocalRemedy : text.modelMissingRemedy;
    return fault(failureOf('model-missing', text.modelMissing(label(place), place.modelName), remedy, 'open-settings'));
  }
  if (status === 429) return limitedRate(place, error, now);
  if (status === 408 || status >= 500) return overloaded(place, error, now);
  return fault(refusedRequest(place, error, status));
}

/**
 * How servers end an answer for a tool call that the model wrote wrong: Groq, Ollama, and llama.cpp with an error, Gemini
 * with a reason.
 */
export const unreadCall = new RegExp(
  [
    /tool_use_failed|output_parse_failed|failed_generation/,
    /error parsing tool call|failed to parse (?:tool call|input at pos)/,
    /(?:malformed|unexpected|too_many)_\w*call/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** How servers refuse more output than the model has. */
export const outputLimitRefusal =
  /max_?(?:completion_|output_|new_)?tokens\b.{0,80}(?:less than or equal|valid range|in the range|too large|at most|maximum|> ?\d)/i;

/** How servers refuse images: by their words for them, or because they know texts alone. */
export const imageRefusal = new RegExp(
  [
    /(?:image|vision|multi-?modal)\w*(?: inputs?)? (?:(?:is|are) )?(?:not|un)\w* ?(?:supported|enabled|available|allowed)/,
    /(?:not|n't) (?:support|accept|have|enable)\w* (?:\w+ ){0,2}(?:image|vision|multi-?modal)/,
    /support image input|mmproj|content must be a string/,
    /(?:unknown variant|only supported by certain)\W.{0,60}image_url|image_url\W.{0,60}(?:supported by certain|not supported|unexpected)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** How chat templates refuse messages of one role in a row. */
export const alternationRefusal = /roles? must alternate|alternate user\/assistant|alternating roles/i;

/** How chat templates refuse a system prompt. */
export const systemRefusal =
  /system (?:role|prompt|message|instruction)s? (?:is |are )?not (?:supported|enabled)|developer instruction is not enabled|only user and assistant roles/i;

/**
 * Returns undefined unless the server refuses tools or the form of the request, at any status: templates fail as 500, and
 * OpenRouter has no endpoint at 404.
 */
function faultOfForm(error: ReportedError, place: Endpoint, status: number): ModelFailure | undefined {
  if (refusesTools(error)) return fault(toolsRefused(place));
  const refusals = [imageRefusal, alternationRefusal, systemRefusal];
  if (!refusals.some((refusal) => refusal.test(error.message))) return undefined;
  return fault(refusedRequest(place, error, status));
}

/** Whether the server refuses tools: Ollama, OpenRouter, and servers that were started without a parser of calls. */
function refusesTools({ message }: ReportedError): boolean {
  return /does not support (?:tools|function calling)|tool use is not supported|no endpoints found that support tool|function calling is not enabled|requires --enable-auto-tool-choice|tools? param requires --jinja/i.test(
    message,
  );
}

function toolsRefused({ modelName }: Endpoint): Failure {
  const said = text.toolsUnsupported(modelName);
  return failureOf('configuration', said, text.toolsUnsupportedRemedy, 'call-tools-in-text');
}

/** Returns undefined unless the request was too long, or the model wrote a call wrong, which it seldom does twice. */
function faultOfWords(error: ReportedError, place: Endpoint): ModelFailure | undefined {
  if (unreadCall.test(`${error.code} ${error.message}`)) {
    const said = text.callUnread(place.modelName);
    return fault(failureOf('protocol', said, text.callUnreadRemedy, 'call-tools-in-text'), 'backoff');
  }
  if (reportsOverflow(error)) return overflowOf(place, windowIn(error));
  // A limit of bytes, or of tokens in a minute, says nothing about the context window.
  return error.status === 413 ? fault(tooLarge(place, error)) : undefined;
}

function tooLarge({ modelName, secret }: Endpoint, { message }: ReportedError): Failure {
  const reason = redact(message, secret);
  const said = reason === '' ? text.requestTooLarge(modelName) : text.requestTooLargeBecause(modelName, reason);
  return { ...tooLong(modelName), words: said, remedy: text.requestTooLargeRemedy };
}

/** @param window the context window that the server named or reported; null if it did neither */
export function overflowOf({ modelName }: Pick<Endpoint, 'modelName'>, window: number | null): ModelFailure {
  return { ...fault(tooLong(modelName)), overflow: { window } };
}

function tooLong(modelName: string): Failure {
  return {
    ...failureOf('context-length', text.contextTooLong(modelName), text.contextTooLongRemedy, 'new-chat'),
    actions: ['open-settings', 'show-context', 'retry'],
  };
}

/** Describes a refusal of the request itself. */
function refusedRequest(place: Endpoint, error: ReportedError, status: number): Failure {
  if (/interactions api/i.test(error.message)) {
    const { interactionsOnly, interactionsOnlyRemedy } = text;
    return failureOf('model-missing', interactionsOnly(place.modelName), interactionsOnlyRemedy, 'open-settings');
  }
  const reason = redact(error.message, place.secret);
  const said =
    reason === '' ? text.requestRefused(label(place), status) : text.requestRefusedBecause(label(place), reason);
  return failureOf('protocol', said, text.requestRefusedRemedy, 'open-settings');
}

/** Repeats nothing of the provider's message, because providers quote the key they refuse. */
function refusedAccess(place: Endpoint, status: number): Failure {
  const name = label(place);
  if (place.secret !== null)
    return failureOf('authentication', text.keyRefused(name), text.keyRefusedRemedy, 'open-settings');
  if (status === 401)
    return failureOf('authentication', text.loginWanted(name), text.keyMissingRemedy, 'open-settings');
  return failureOf('authentication', text.accessRefused(name), text.accessRefusedLocalRemedy, 'open-settings');
}

function limitedRate(place: Endpoint, error: ReportedError, now: number): ModelFailure {
  const wait = retryAfter(error, now);
  const remedy = wait ? text.waitRemedy(inSeconds(wait)) : text.rateLimitRemedy;
  const failure = failureOf('rate-limit', text.rateLimited(label(place)), remedy, 'retry');
  return fault(failure, wait === undefined ? 'never' : retryIn(wait));
}

function overloaded(place: Endpoint, error: ReportedError, now: number): ModelFailure {
  const wait = retryAfter(error, now);
  const said = wait ? text.overloaded(label(place)) : failedServer(place, error);
  const remedy = wait ? text.waitRemedy(inSeconds(wait)) : text.overloadedRemedy;
  return fault(failureOf('overloaded', said, remedy, 'retry'), retryIn(wait ?? 0));
}

function failedServer(place: Endpoint, { message, status }: ReportedError): string {
  // A local server fails for reasons that its user can remove, such as too little memory.
  const reason = place.row.local ? redact(message, place.secret) : '';
  if (reason !== '') return text.serverFailedBecause(label(place), reason);
  if (status === 503 || status === 529) return text.overloaded(label(place));
  return status === 408 || status === 504 ? text.serverTimedOut(label(place)) : text.serverFailed(label(place));
}

/** A server that asks for no wait is asked again after the usual ones, since it would refuse the next request, too. */
function retryIn(wait: number): ModelFailure['retry'] {
  if (wait === 0) return 'backoff';
  return wait <= maxWait ? { afterMilliseconds: wait } : 'never';
}

function brokenAnswer(place: Endpoint, message: string): Failure {
  const reason = redact(message, place.secret);
  const said = reason === '' ? text.answerBroken(label(place)) : text.answerBrokenBecause(label(place), reason);
  return failureOf('protocol', said, text.answerBrokenRemedy, 'retry');
}

/** Milliseconds; no limit of requests lasts longer, so that a longer wait is a mistake of the server. */
const maxStatedWait = 86_400_000;

/** Returns undefined if the provider gave no wait, or none that can be meant. */
function retryAfter(error: ReportedError, now: number): number | undefined {
  const wait = statedWait(error, now);
  return wait !== undefined && wait <= maxStatedWait ? wait : undefined;
}

/** Parses seconds or a date. */
function statedWait({ headers, waitMilliseconds }: ReportedError, now: number): number | undefined {
  if (waitMilliseconds !== undefined) return waitMilliseconds;
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (exact >= 0) return exact;
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  // OpenRouter says only when its limit of free requests ends, as milliseconds of a date.
  const reset = Number(headers['x-ratelimit-reset']);
  return reset > now ? reset - now : undefined;
}

const inSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

function isOutOfCredit({ status, code, message, isDaily }: ReportedError): boolean {
  if (isDaily === true || status === 402 || code === 'insufficient_quota' || code === 'billing_error') return true;
  return status === 400 && /credit balance/i.test(message);
}

/** Gemini reports a wrong key as an invalid request. */
function isBadKey({ status, message }: ReportedError): boolean {
  return status === 400 && /api key (?:not valid|expired|not found)/i.test(message);
}

function isMissingModel({ status, code, message }: ReportedError): boolean {
  if (code === 'model_not_found') return true;
  return status === 400 && /model .*(?:not found|does not exist|is not a valid model)|not a valid model/i.test(message);
}

/** Redacts keys in a server's text: the one that was sent, and what looks like anybody else's. */
export function redact(text: string, secret: string | null): string {
  return redactKeys(redactSecrets(text, secret === null ? [] : spellingsOf(secret)));
}

// Context overflow: how servers report a request that is too long, and the context window that some of them name.

/**
 * Phrases that only such a report has, at any status: gateways report it as 500 or 502, and LM Studio in the middle of
 * a stream without any.
 */
const overflowPhrases = [
  // OpenAI, vLLM, SGLang, DeepSeek, OpenRouter, LiteLLM
  /maximum (?:context|prompt) length/i,
  // llama.cpp, llama-cpp-python, OpenAI's Responses
  /exceeds? (?:the )?(?:available |model's |max(?:imum)? )*(?:context (?:length|size|window|limit)|context of this)/i,
  // SGLang, vLLM behind others
  /longer than the (?:model's context|maximum model length)/i,
  // Z.ai, Volcano Engine
  /(?:prompt|input length \d+) exceeds (?:the )?max(?:imum)? length/i,
  // LM Studio
  /context the overflows|greater than the context length|context length of only|n_keep\b.{0,24}n_ctx/i,
  // Anthropic, Ollama
  /prompt is too long|exceeded max context length/i,
];

/** Phrases that mean it only in a refusal of the request itself. */
const refusalPhrases =
  /context (?:length|window|size)|maximum context|too many (?:input )?tokens|input is too long|(?:exceed|larger than|longer than).{0,120}tokens|model token limit|input length should be|reduce the length|`inputs` (?:tokens \+|must have less)/i;

/** The last is of GitHub Models. */
const overflowCodes = new Set(['context_length_exceeded', 'exceed_context_size_error', 'tokens_limit_reached']);

/** Returns whether the server refused the request because of its length. */
export function reportsOverflow({ status, code, message }: ReportedError): boolean {
  if (overflowCodes.has(code)) return true;
  if (status !== 429 && overflowPhrases.some((phrase) => phrase.test(message))) return true;
  return (status === 400 || status === 422) && refusalPhrases.test(message);
}

/** A count of tokens as servers write it. */
const count = '(\\d[\\d,_]*)';

/** What comes around the context window in a report, in the order in which it is searched. */
const namedWindows = [
  // “maximum context length is 8192 tokens”, “context window of 2048”, “loaded with context length of only 4096 tokens”
  `(?:context|prompt) (?:length|window|size|limit) (?:is|of)(?: only)? ${count}`,
  // “the available context size (8192 tokens)”, “the model's context length (40960 tokens)”
  `context (?:length|window|size|limit) \\(${count}`,
  // “with 32768 maximum context length”
  `with ${count} maximum context`,
  // “context limit: 178959 + 64000 > 200000”, “207791 tokens > 200000 maximum”
  `[\\d,]+(?: tokens)? ?> ?${count}`,
  // “the maximum number of tokens allowed (1048576)”
  `tokens allowed \\(${count}`,
  // “n_keep: 10247 >= n_ctx: 4096”, “n_keep (4705) >= n_ctx (4096)”
  `n_ctx\\W{1,3}${count}`,
  // “configured limit of 272,000 tokens”, “while limit is 8192”, “token limit: 262144”, “exceeds limit of 2048”
  `limit(?: (?:is|of)|:) ${count}`,
  // “maximum length 202752”, “maximum model length of 65536”, “maximum context length: 8191”
  `maximum (?:model |context )?length(?::| of)? ${count}`,
  // “Max size: 8000 tokens”, “less than 4095 tokens”
  `(?:max size:|less than) ${count} tokens`,
  // “must be <= 4096”, “should be [1, 30720]”, “cannot exceed 128000”
  `(?:must be <=|should be \\[\\d+,|cannot exceed) ?${count}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** The minimum plausible context window; a smaller number is something else. */
const minWindow = 256;

/** Returns the context window, in tokens, that the report names; null if it names none. */
export function windowIn({ contextWindow, message }: ReportedError): number | null {
  if (contextWindow !== undefined) return contextWindow;
  for (const pattern of namedWindows) {
    const named = Number(pattern.exec(message)?.[1]?.replace(/[,_]/g, '') ?? Number.NaN);
    if (Number.isSafeInteger(named) && named >= minWindow) return named;
  }
  return null;
}
