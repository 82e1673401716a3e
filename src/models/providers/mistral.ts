/** Mistral, over chat completions; its list includes each model's context window. */
import type { ProviderRow } from './provider';

export const mistral: ProviderRow = {
  id: 'mistral',
  labelKey: 'mistral',
  format: 'openai-compatible',
  baseUrl: 'https://api.mistral.ai/v1',
  keyNeeded: true,
  keyName: 'docent-mistral-key',
  keyPage: 'https://console.mistral.ai/api-keys',
  local: false,
  // Only some models cache prompts, so Docent does not count on it.
  cachesPrompts: false,
  takesImages: true,
  // 422: extra_forbidden, and “Tool call id … must be a-z, A-Z, 0-9, with a length of 9”.
  refusesThoughts: true,
  // 400: “Unexpected role 'user' after role 'tool'”.
  answersResults: true,
  callIds: { shape: /^[A-Za-z0-9]{9}$/, length: 9 },
  table: {
    source: 'docs.mistral.ai, by way of models.dev',
    date: '2026-11-20',
    models: [
      {
        name: 'mistral-large-4',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        prices: { input: 1.36, output: 4.18, cacheRead: 0.14 },
      },
      {
        name: 'mistral-medium-3-5',
        contextWindow: 262_144,
        outputLimit: 65_536,
        prices: { input: 1.5, output: 7.5 },
      },
      {
        name: 'mistral-small-latest',
        contextWindow: 128_000,
        outputLimit: 16_384,
        prices: { input: 0.1, output: 0.3 },
      },
    ],
  },
  unlisted: { contextWindow: 32_768, outputLimit: 8_192 },
  crossOriginHelp: 'other',
};
