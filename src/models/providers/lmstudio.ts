/** LM Studio's local server; the window is the one the model was loaded with. */
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
};
