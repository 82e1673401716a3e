/** Anthropic, over its Messages format. Prices for cache writes are those of the five-minute cache. */
import type { ProviderRow } from './provider';

export const anthropic: ProviderRow = {
  id: 'anthropic',
  labelKey: 'anthropic',
  format: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  keyNeeded: true,
  keyName: 'docent-anthropic-key',
  local: false,
  cachesPrompts: true,
  cacheHint: 'cache_control',
  takesImages: true,
  callIds: { shape: /^[A-Za-z0-9_-]{1,64}$/, length: 16 },
  table: {
    source: 'platform.claude.com/docs, models overview and pricing',
    date: '2026-11-20',
    models: [
      {
        name: 'claude-sonnet-5-5',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        cacheMinimum: 4_096,
        prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
      },
      {
        name: 'claude-opus-5-5',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        cacheMinimum: 4_096,
        prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
      },
      {
        name: 'claude-haiku-5-5',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        cacheMinimum: 4_096,
        prices: {
          input: 0.1,
          output: 0.5,
          cacheRead: 0.01,
          cacheWrite: 0.125,
          long: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
        },
      },
      {
        name: 'claude-fable-5-1',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        cacheMinimum: 512,
        prices: { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
      },
      {
        name: 'claude-opus-5',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        cacheMinimum: 512,
        prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
      },
      {
        name: 'claude-sonnet-5',
        contextWindow: 1_000_000,
        outputLimit: 128_000,
        prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
      },
      {
        name: 'claude-haiku-4-5',
        contextWindow: 200_000,
        outputLimit: 64_000,
        cacheMinimum: 4_096,
        prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
      },
      {
        name: 'claude-sonnet-4-5',
        contextWindow: 200_000,
        outputLimit: 64_000,
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      },
    ],
  },
  unlisted: { contextWindow: 200_000, outputLimit: 32_000, cacheMinimum: 4_096 },
  crossOriginHelp: 'other',
};
