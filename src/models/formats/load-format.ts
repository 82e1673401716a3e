/** The only import of the formats; all other code loads this file by a dynamic import, on first use. */
import type { Connection } from '../http/connection';
import type { ProviderRow, WireFormat } from '../providers/provider';
import { anthropic } from './anthropic';
import { openChatCompletions } from './chat-completions';
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

type Open = (settings: LanguageModelSettings) => StreamingModel;

const streamed =
  (format: StreamedFormat): Open =>
  (settings) =>
    openStreamedModel(format, settings);

const makers: Readonly<Record<WireFormat, Open>> = {
  anthropic: streamed(anthropic),
  'openai-compatible': openChatCompletions,
  responses: (settings) =>
    openStreamedModel({ ...responses, body: (call, name) => responsesBody(call, name, settings.hints) }, settings),
  gemini: streamed(gemini),
  ollama: streamed(ollama),
};

export function loadLanguageModel(settings: LanguageModelSettings): StreamingModel {
  return makers[settings.row.format](settings);
}
