/** xAI, over chat completions; it caches the beginning of requests automatically. */
import type { ProviderRow } from './provider';

/** What the newest models have in common. */
const latest = {
  contextWindow: 500_000,
  outputLimit: 64_000,
  prices: {
    input: 2,
    output: 6,
    cacheRead: 0.5,
    long: { above: 200_000, input: 4, output: 12, cacheRead: 1 },
  },
};

export const xai: ProviderRow = {
  id: 'xai',
  labelKey: 'xai',
  format: 'openai-compatible',
  baseUrl: 'https://api.x.ai/v1',
  keyNeeded: true,
  keyName: 'docent-xai-key',
  keyPage: 'https://console.x.ai/',
  local: false,
  cachesPrompts: true,
  takesImages: true,
  table: {
    source: 'docs.x.ai',
    date: '2026-11-20',
    models: [
      { name: 'grok-4.7', ...latest },
      { name: 'grok-4.6', ...latest },
      {
        name: 'grok-4.3',
        contextWindow: 1_000_000,
        outputLimit: 30_000,
        prices: {
          input: 1.25,
          output: 2.5,
          cacheRead: 0.2,
          long: { above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 },
        },
      },
    ],
  },
  unlisted: { contextWindow: 128_000, outputLimit: 16_384 },
  crossOriginHelp: 'other',
};
