/**
 * Ollama on this computer or the local network, over its native chat API: only there can a request set the context
 * window.
 */
import type { ProviderRow } from './provider';

export const ollama: ProviderRow = {
  id: 'ollama',
  labelKey: 'ollama',
  format: 'ollama',
  baseUrl: 'http://localhost:11434',
  keyNeeded: false,
  keyName: '',
  local: true,
  cachesPrompts: false,
  table: { source: 'the list of the server', date: '2026-11-20', models: [] },
  // Enough tokens for the prompt, some notes and an answer, in memory that most computers can spare.
  unlisted: { contextWindow: 8_192, outputLimit: 4_096 },
  crossOriginHelp: 'ollama',
  needlessPath: /\/(?:v1|api(?:\/(?:chat|generate|tags))?)$/,
};
