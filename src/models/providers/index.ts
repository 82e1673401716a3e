/** THE list of providers, in the order in which the settings show them. A provider is one file and one line here. */
import { anthropic } from './anthropic';
import { deepSeek } from './deepseek';
import { gemini } from './gemini';
import { groq } from './groq';
import { lmStudio } from './lmstudio';
import { mistral } from './mistral';
import { ollama } from './ollama';
import { openai } from './openai';
import { openaiCompatible } from './openai-compatible';
import { openRouter } from './openrouter';
import type { ProviderRow } from './provider';
import { xai } from './xai';

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
