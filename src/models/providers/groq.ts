/** Groq, over chat completions; its list includes each model's context window and output limit. */
import type { ProviderRow } from './provider';

export const groq: ProviderRow = {
  id: 'groq',
  labelKey: 'groq',
  format: 'openai-compatible',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyNeeded: true,
  keyName: 'docent-groq-key',
  keyPage: 'https://console.groq.com/keys',
  local: false,
  cachesPrompts: true,
  // 400: property 'reasoning_content' is unsupported.
  refusesThoughts: true,
  table: {
    source: 'groq.com/pricing',
    date: '2026-11-20',
    models: [
      {
        name: 'openai/gpt-oss-120b',
        contextWindow: 131_072,
        outputLimit: 65_536,
        prices: { input: 0.15, output: 0.6, cacheRead: 0.075 },
      },
      {
        name: 'openai/gpt-oss-20b',
        contextWindow: 131_072,
        outputLimit: 65_536,
        prices: { input: 0.075, output: 0.3 },
      },
      {
        name: 'qwen/qwen3.8-27b',
        contextWindow: 131_042,
        outputLimit: 16_384,
        prices: { input: 0.8, output: 4, cacheRead: 0.4 },
        takesImages: true,
      },
    ],
  },
  unlisted: { contextWindow: 32_768, outputLimit: 8_192 },
  crossOriginHelp: 'other',
};
