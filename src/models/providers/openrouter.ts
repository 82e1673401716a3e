/** OpenRouter, one key for the models of many providers; its list includes each model's context window. */
import type { ProviderRow } from './provider';

export const openRouter: ProviderRow = {
  id: 'openrouter',
  labelKey: 'openRouter',
  format: 'openai-compatible',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyNeeded: true,
  keyName: 'docent-openrouter-key',
  keyPage: 'https://openrouter.ai/settings/keys',
  local: false,
  cachesPrompts: true,
  table: { source: 'the list of the server', date: '2026-11-20', models: [] },
  unlisted: { contextWindow: 128_000, outputLimit: 16_384 },
  crossOriginHelp: 'other',
};
