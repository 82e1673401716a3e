/** Decodes token counts; a number that the provider did not report stays unreported. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../core/ports/message';
import { isRecord } from './wire-format';

/** Paths in the provider's own words. */
const cacheReadPaths = [
  'cache_read_input_tokens',
  'prompt_tokens_details.cached_tokens',
  'input_tokens_details.cached_tokens',
  'prompt_cache_hit_tokens',
  'cachedContentTokenCount',
];
const cacheWritePaths = [
  'cache_creation_input_tokens',
  'prompt_tokens_details.cache_write_tokens',
  'input_tokens_details.cache_write_tokens',
];
const reasoningPaths = [
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.thinking_tokens',
  'output_tokens_details.reasoning_tokens',
  'thoughtsTokenCount',
];

export function decodeUsage(usage: LanguageModelV4Usage): Usage | undefined {
  const { inputTokens, outputTokens, raw } = usage;
  if (!isCount(inputTokens.total) || !isCount(outputTokens.total)) return undefined;
  const total = inputTokens.total;
  const within = (part: number | undefined): number | undefined =>
    part !== undefined && part <= total ? part : undefined;
  const cacheReadTokens = within(reported(raw, cacheReadPaths));
  const cacheWriteTokens = within(reported(raw, cacheWritePaths));
  const reasoningTokens = reported(raw, reasoningPaths);
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** No request is longer than this; more is a fault of who counts, as is less than nothing. */
const mostTokens = 100_000_000;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens;
}

/** The libraries put 0 where a provider said nothing; the raw report tells the difference. */
function reported(raw: unknown, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const value = path.split('.').reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), raw);
    if (isCount(value)) return value;
  }
  return undefined;
}
