/** The one door to the provider packages: everything else reaches this file by a dynamic import, on first use. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import * as z from 'zod/v4';
import type { Connection } from './connection';
import type { ProviderRow, WireFormat } from './provider-row';

// The packages check answers with zod, which would else try out generated code.
z.config({ jitless: true });

export interface LanguageModelSettings {
  readonly row: ProviderRow;
  readonly baseUrl: string;
  readonly modelName: string;
  readonly fetch: Connection['fetch'];
}

interface Loaded {
  readonly model: LanguageModelV4;
  /** What every call of this format carries besides the plan. */
  readonly options: Pick<LanguageModelV4CallOptions, 'providerOptions'>;
}

/** The connection sets the real key; the packages never see it, so their errors cannot tell it. */
const keyStandIn = 'set-by-the-connection';

const makers: Record<WireFormat, (settings: LanguageModelSettings) => Loaded> = {
  anthropic: ({ baseUrl, modelName, fetch }) => ({
    model: createAnthropic({ baseURL: baseUrl, apiKey: keyStandIn, fetch: fetch as typeof window.fetch })(modelName),
    // Arguments are only used when they are whole, so the server may as well check them before it sends them.
    options: { providerOptions: { anthropic: { toolStreaming: false } } },
  }),
  'openai-compatible': ({ row, baseUrl, modelName, fetch }) => ({
    model: createOpenAICompatible({
      name: 'docent',
      baseURL: baseUrl,
      fetch: fetch as typeof window.fetch,
      includeUsage: true,
      transformRequestBody: (body) => renameOutputLimit(body, row),
    })(modelName),
    options: {},
  }),
};

export function loadLanguageModel(settings: LanguageModelSettings): Loaded {
  return makers[settings.row.format](settings);
}

function renameOutputLimit(body: Record<string, unknown>, { outputLimitField }: ProviderRow): Record<string, unknown> {
  if (outputLimitField === undefined) return body;
  const { max_tokens: limit, ...rest } = body;
  return { ...rest, [outputLimitField]: limit };
}
