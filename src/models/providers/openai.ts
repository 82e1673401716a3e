/** OpenAI, over its Responses API, which returns a model's own reasoning to it between the steps of a turn. */
import type { ProviderRow } from './provider';

export const openai: ProviderRow = {
  id: 'openai',
  labelKey: 'openai',
  format: 'responses',
  baseUrl: 'https://api.openai.com/v1',
  keyNeeded: true,
  keyName: 'docent-openai-key',
  local: false,
  cachesPrompts: true,
  cacheHint: 'prompt_cache_key',
  takesImages: true,
  callIds: { shape: /^[A-Za-z0-9_-]{1,64}$/, length: 16 },
  table: {
    source: 'developers.openai.com, models and pricing, by way of models.dev',
    date: '2026-11-20',
    models: [
      {
        name: 'gpt-5.6',
        contextWindow: 1_050_000,
        outputLimit: 128_000,
        prices: {
          input: 2,
          output: 10,
          cacheRead: 0.2,
          cacheWrite: 2.5,
          long: { above: 272_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 },
        },
      },
      {
        name: 'gpt-5.5',
        contextWindow: 1_050_000,
        outputLimit: 128_000,
        prices: {
          input: 5,
          output: 30,
          cacheRead: 0.5,
          long: { above: 272_000, input: 10, output: 45, cacheRead: 1 },
        },
      },
      {
        name: 'gpt-5.4',
        contextWindow: 1_050_000,
        outputLimit: 128_000,
        prices: { input: 2.5, output: 15, cacheRead: 0.25 },
      },
      {
        name: 'gpt-5.4-mini',
        contextWindow: 400_000,
        outputLimit: 128_000,
        prices: { input: 0.75, output: 4.5, cacheRead: 0.075 },
      },
      {
        name: 'gpt-5-mini',
        contextWindow: 400_000,
        outputLimit: 128_000,
        prices: { input: 0.25, output: 2, cacheRead: 0.025 },
      },
      {
        name: 'gpt-4.1',
        contextWindow: 1_047_576,
        outputLimit: 32_768,
        prices: { input: 2, output: 8, cacheRead: 0.5 },
      },
      {
        name: 'gpt-4.1-mini',
        contextWindow: 1_047_576,
        outputLimit: 32_768,
        prices: { input: 0.4, output: 1.6, cacheRead: 0.1 },
      },
    ],
  },
  unlisted: { contextWindow: 128_000, outputLimit: 16_384 },
  crossOriginHelp: 'other',
};
