/** OpenAI, over chat completions. */
import type { ProviderRow } from '../provider-row';

export const openai: ProviderRow = {
  id: 'openai',
  labelKey: 'openai',
  format: 'openai-compatible',
  baseUrl: 'https://api.openai.com/v1',
  keyNeeded: true,
  keyName: 'docent-openai-key',
  local: false,
  cachesPrompts: true,
  cacheHint: 'prompt_cache_key',
  takesImages: true,
  table: {
    source: 'published model lists of OpenAI and of gateways that serve them',
    date: '2026-11-20',
    models: [
      { name: 'gpt-5.5', contextWindow: 1_050_000, outputLimit: 128_000 },
      { name: 'gpt-5.4', contextWindow: 1_050_000, outputLimit: 128_000 },
      { name: 'gpt-5.4-mini', contextWindow: 400_000, outputLimit: 128_000 },
      { name: 'gpt-5-mini', contextWindow: 400_000, outputLimit: 128_000 },
      { name: 'gpt-4.1', contextWindow: 1_047_576, outputLimit: 32_768 },
      { name: 'gpt-4.1-mini', contextWindow: 1_047_576, outputLimit: 32_768 },
    ],
  },
  unlisted: { contextWindow: 128_000, outputLimit: 16_384 },
  crossOriginHelp: 'other',
  outputLimitField: 'max_completion_tokens',
};
