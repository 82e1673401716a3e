/** Any server with OpenAI's chat completions API: vLLM, SGLang, llama.cpp, LiteLLM and company gateways. */
import type { ProviderRow } from './provider';

export const openaiCompatible: ProviderRow = {
  id: 'openai-compatible',
  labelKey: 'openaiCompatible',
  format: 'openai-compatible',
  baseUrl: '',
  keyNeeded: false,
  keyName: 'docent-server-key',
  local: true,
  // Only some servers cache prompts, so Docent does not count on it.
  cachesPrompts: false,
  table: { source: 'the list of the server', date: '2026-11-20', models: [] },
  unlisted: { contextWindow: 32_768, outputLimit: 8_192 },
  crossOriginHelp: 'other',
  // LiteLLM, and llama.cpp before its list named the window.
  windowPaths: ['/model/info', '/../props'],
};
