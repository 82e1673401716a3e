/** Context overflow: how servers report a request that is too long, and the context window that some of them name. */
import type { ReportedError } from './read-error';

/**
 * Phrases that only such a report has, at any status: gateways report it as 500 or 502, and LM Studio in the middle of
 * a stream without any.
 */
const overflowPhrases = [
  // OpenAI, vLLM, SGLang, DeepSeek, OpenRouter, LiteLLM
  /maximum (?:context|prompt) length/i,
  // llama.cpp, llama-cpp-python, OpenAI's Responses
  /exceeds? (?:the )?(?:available |model's |max(?:imum)? )*(?:context (?:length|size|window|limit)|context of this)/i,
  // SGLang
  /longer than the model's context/i,
  // LM Studio
  /context the overflows|greater than the context length|context length of only|n_keep\b.{0,24}n_ctx/i,
  // Anthropic, Ollama
  /prompt is too long|exceeded max context length/i,
];

/** Phrases that mean it only in a refusal of the request itself. */
const refusalPhrases =
  /context (?:length|window|size)|maximum context|too many (?:input )?tokens|input is too long|(?:exceed|larger than|longer than).{0,120}tokens|model token limit|input length should be|reduce the length/i;

/** Returns whether the server refused the request because of its length. */
export function reportsOverflow({ status, code, message }: ReportedError): boolean {
  if (code === 'context_length_exceeded' || code === 'exceed_context_size_error') return true;
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
