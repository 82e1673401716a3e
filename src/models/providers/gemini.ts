/** Gemini, over its own format; it caches the beginning of requests automatically. */
import type { ProviderRow } from './provider';

export const gemini: ProviderRow = {
  id: 'gemini',
  labelKey: 'gemini',
  format: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyNeeded: true,
  keyName: 'docent-gemini-key',
  keyPage: 'https://aistudio.google.com/apikey',
  local: false,
  cachesPrompts: true,
  takesImages: true,
  table: {
    source: 'ai.google.dev',
    date: '2026-11-20',
    models: [
      {
        name: 'gemini-3.8-flash',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        cacheMinimum: 4_096,
        prices: { input: 0.75, output: 3.75, cacheRead: 0.075 },
      },
      {
        name: 'gemini-3.7-flash',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        cacheMinimum: 4_096,
        prices: { input: 0.75, output: 3.75, cacheRead: 0.075 },
      },
      {
        name: 'gemini-3.5-flash',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        cacheMinimum: 4_096,
        prices: { input: 1.5, output: 9, cacheRead: 0.15 },
      },
      {
        name: 'gemini-3.1-pro-preview',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        cacheMinimum: 4_096,
        prices: {
          input: 2,
          output: 12,
          cacheRead: 0.2,
          long: { above: 200_000, input: 4, output: 18, cacheRead: 0.4 },
        },
      },
      {
        name: 'gemini-3.1-flash-lite',
        contextWindow: 1_048_576,
        outputLimit: 65_536,
        cacheMinimum: 4_096,
        prices: { input: 0.25, output: 1.5, cacheRead: 0.025 },
      },
    ],
  },
  unlisted: { contextWindow: 128_000, outputLimit: 8_192, cacheMinimum: 4_096 },
  crossOriginHelp: 'other',
};
