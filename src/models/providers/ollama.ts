/** Ollama on this computer or in the house; it cuts a request that is longer than its window without saying so. */
import type { ProviderRow } from '../provider-row';

export const ollama: ProviderRow = {
  id: 'ollama',
  labelKey: 'ollama',
  format: 'openai-compatible',
  baseUrl: 'http://localhost:11434/v1',
  keyNeeded: false,
  keyName: '',
  local: true,
  cachesPrompts: false,
  table: { source: 'the list of the server', date: '2026-11-20', models: [] },
  unlisted: { contextWindow: 4_096, outputLimit: 4_096 },
  crossOriginHelp: 'ollama',
};
