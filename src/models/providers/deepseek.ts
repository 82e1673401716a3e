/** DeepSeek, over chat completions; it caches the beginning of requests automatically. Prices are peak-hour prices. */
import type { ProviderRow } from './provider';

export const deepSeek: ProviderRow = {
  id: 'deepseek',
  labelKey: 'deepSeek',
  format: 'openai-compatible',
  baseUrl: 'https://api.deepseek.com',
  keyNeeded: true,
  keyName: 'docent-deepseek-key',
  keyPage: 'https://platform.deepseek.com/api_keys',
  local: false,
  cachesPrompts: true,
  table: {
    source: 'api-docs.deepseek.com',
    date: '2026-11-20',
    models: [
      {
        name: 'deepseek-v4-pro',
        contextWindow: 1_000_000,
        outputLimit: 384_000,
        prices: { input: 1.32, output: 3.96, cacheRead: 0.044 },
      },
      {
        name: 'deepseek-flash',
        contextWindow: 1_000_000,
        outputLimit: 384_000,
        prices: { input: 0.3, output: 1.2, cacheRead: 0.006 },
        takesImages: true,
      },
    ],
  },
  unlisted: { contextWindow: 64_000, outputLimit: 8_192 },
  crossOriginHelp: 'other',
};
