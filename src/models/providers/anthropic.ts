/** Anthropic, over its Messages format. */
import type { ProviderRow } from '../provider-row';

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
  table: {
    source: 'platform.claude.com/docs, models overview',
    date: '2026-11-20',
    models: [
      { name: 'claude-sonnet-5-5', contextWindow: 1_000_000, outputLimit: 128_000, cacheMinimum: 4_096 },
      { name: 'claude-opus-5-5', contextWindow: 1_000_000, outputLimit: 128_000, cacheMinimum: 4_096 },
      { name: 'claude-haiku-5-5', contextWindow: 1_000_000, outputLimit: 128_000, cacheMinimum: 4_096 },
      { name: 'claude-fable-5-1', contextWindow: 1_000_000, outputLimit: 128_000, cacheMinimum: 512 },
      { name: 'claude-opus-5', contextWindow: 1_000_000, outputLimit: 128_000, cacheMinimum: 512 },
      { name: 'claude-sonnet-5', contextWindow: 1_000_000, outputLimit: 128_000 },
      { name: 'claude-haiku-4-5', contextWindow: 200_000, outputLimit: 64_000, cacheMinimum: 4_096 },
      { name: 'claude-sonnet-4-5', contextWindow: 200_000, outputLimit: 64_000 },
    ],
  },
  unlisted: { contextWindow: 200_000, outputLimit: 32_000, cacheMinimum: 4_096 },
  crossOriginHelp: 'other',
};
