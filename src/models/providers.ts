/** THE list of providers, in the order in which the settings show them. A provider is one file and one line here. */
import type { ProviderRow } from './provider-row';
import { anthropic } from './providers/anthropic';
import { lmStudio } from './providers/lmstudio';
import { ollama } from './providers/ollama';
import { openai } from './providers/openai';
import { openaiCompatible } from './providers/openai-compatible';
import { openRouter } from './providers/openrouter';

export const providers: readonly ProviderRow[] = [anthropic, openai, openRouter, ollama, lmStudio, openaiCompatible];

export function findProvider(id: string): ProviderRow | undefined {
  return providers.find((row) => row.id === id);
}
