/**
 * The only import of the formats and their packages; all other code loads this file by a dynamic import, on first use.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Connection } from '../http/connection';
import type { ProviderRow, WireFormat } from '../providers/provider';
import { gemini } from './gemini';
import { ollama } from './ollama';
import type { RequestOption } from './request-options';
import { responses, responsesBody } from './responses';
import { openStreamedModel, type StreamedFormat, type StreamingModel } from './streamed-format';

export interface LanguageModelSettings {
  readonly row: ProviderRow;
  readonly baseUrl: string;
  readonly modelName: string;
  /** The optional parts that requests may carry; all of them unless given. */
  readonly hints?: readonly RequestOption[];
  readonly fetch: Connection['fetch'];
}

interface Loaded {
  readonly model: StreamingModel;
  /** What every call of this format carries besides the plan. */
  readonly options: Pick<LanguageModelV4CallOptions, 'providerOptions'>;
}

/**
 * A placeholder, because the connection sets the real key: the packages never see it, so their errors cannot reveal it.
 */
const keyPlaceholder = 'set-by-the-connection';

const streamed =
  (format: StreamedFormat) =>
  (settings: LanguageModelSettings): Loaded => ({ model: openStreamedModel(format, settings), options: {} });
const isLeftOut = ({ hints }: LanguageModelSettings, hint: RequestOption): boolean => hints?.includes(hint) === false;

const makers: Record<WireFormat, (settings: LanguageModelSettings) => Loaded> = {
  anthropic: ({ baseUrl, modelName, fetch }) => ({
    model: createAnthropic({ baseURL: baseUrl, apiKey: keyPlaceholder, fetch: fetch as typeof window.fetch })(
      modelName,
    ),
    // Only complete arguments are used, so the server may validate them before it sends them.
    options: { providerOptions: { anthropic: { toolStreaming: false } } },
  }),
  'openai-compatible': (settings) => ({
    model: createOpenAICompatible({
      name: 'docent',
      baseURL: settings.baseUrl,
      fetch: settings.fetch as typeof window.fetch,
      includeUsage: !isLeftOut(settings, 'usage'),
      // Servers that forward to OpenAI's own models refuse the name that all others accept.
      ...(isLeftOut(settings, 'limitName') && { transformRequestBody: renameOutputLimit }),
    })(settings.modelName),
    options: {},
  }),
  responses: (settings) =>
    streamed({ ...responses, body: (call, name) => responsesBody(call, name, settings.hints) })(settings),
  gemini: streamed(gemini),
  ollama: streamed(ollama),
};

export function loadLanguageModel(settings: LanguageModelSettings): Loaded {
  return makers[settings.row.format](settings);
}

function renameOutputLimit({ max_tokens: limit, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, max_completion_tokens: limit };
}
