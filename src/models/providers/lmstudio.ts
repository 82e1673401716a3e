/** LM Studio's local server; the context window is the one with which the model was loaded. */
import type { ProviderRow } from './provider';

export const lmStudio: ProviderRow = {
  id: 'lmstudio',
  labelKey: 'lmStudio',
  format: 'openai-compatible',
  baseUrl: 'http://localhost:1234/v1',
  keyNeeded: false,
  keyName: '',
  local: true,
  cachesPrompts: false,
  table: { source: 'the list of the server', date: '2026-11-20', models: [] },
  unlisted: { contextWindow: 4_096, outputLimit: 4_096 },
  crossOriginHelp: 'lmStudio',
  windowPaths: ['/../api/v0/models'],
};
