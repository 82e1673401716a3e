/** THE list of providers, in the order in which the settings show them. A provider is one file and one line here. */
import type { ProviderRow } from './provider-row';
import { anthropic } from './providers/anthropic';
import { deepSeek } from './providers/deepseek';
import { gemini } from './providers/gemini';
import { groq } from './providers/groq';
import { lmStudio } from './providers/lmstudio';
import { mistral } from './providers/mistral';
import { ollama } from './providers/ollama';
import { openai } from './providers/openai';
import { openaiCompatible } from './providers/openai-compatible';
import { openRouter } from './providers/openrouter';
import { xai } from './providers/xai';

export const providers: readonly ProviderRow[] = [
  anthropic,
  openai,
  gemini,
  openRouter,
  mistral,
  deepSeek,
  groq,
  xai,
  ollama,
  lmStudio,
  openaiCompatible,
];

export function findProvider(id: string): ProviderRow | undefined {
  return providers.find((row) => row.id === id);
}
