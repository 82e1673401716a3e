/** OpenAI, over its Responses API, which returns a model's own reasoning to it between the steps of a turn. */
import type { KnownModel, ProviderRow } from './provider';

/** A model for which requests above 272,000 tokens cost more: twice for input and cache, half as much again for output. */
function large(name: string, input: number, output: number, cacheRead: number, writeFactor = 1.25): KnownModel {
  const rates = { input, output, cacheRead, cacheWrite: input * writeFactor };
  const long = { input: 2 * input, output: 1.5 * output, cacheRead: 2 * cacheRead, cacheWrite: 2 * rates.cacheWrite };
  const prices = { ...rates, long: { above: 272_000, ...long } };
  return { name, contextWindow: 1_050_000, outputLimit: 128_000, prices };
}

export const openai: ProviderRow = {
  id: 'openai',
  labelKey: 'openai',
  format: 'responses',
  baseUrl: 'https://api.openai.com/v1',
  keyNeeded: true,
  keyName: 'docent-openai-key',
  keyPage: 'https://platform.openai.com/api-keys',
  local: false,
  cachesPrompts: true,
  cacheHint: 'prompt_cache_key',
  takesImages: true,
  callIds: { shape: /^[A-Za-z0-9_-]{1,64}$/, length: 16 },
  table: {
    source: 'developers.openai.com',
    date: '2026-11-20',
    models: [
      large('gpt-6.2-sol', 2, 10, 0.1),
      large('gpt-6.2-astra', 8, 40, 0.4),
      large('gpt-6.1-sol', 2, 10, 0.1),
      large('gpt-6.1-terra', 1, 5, 0.05),
      large('gpt-6-astra', 10, 50, 1),
      large('gpt-6-sol', 2, 10, 0.2),
      large('gpt-6-luna', 0.1, 0.5, 0.01),
      large('gpt-5.6', 5, 30, 0.5),
      large('gpt-5.6-sol', 5, 30, 0.5),
      large('gpt-5.6-terra', 2, 12, 0.2),
      large('gpt-5.6-luna', 0.2, 1.2, 0.02),
      large('gpt-5.5', 5, 30, 0.5, 1),
      large('gpt-5.4', 2.5, 15, 0.25, 1),
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
