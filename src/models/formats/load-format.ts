/**
 * The only import of the formats and of a package for one; all other code loads this file by a dynamic import, on first use.
 */
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import type { JSONObject } from '@ai-sdk/provider';
import * as z from 'zod/v4';
import type { Connection } from '../http/connection';
import { isRecord } from '../http/wire-format';
import type { ProviderRow, WireFormat } from '../providers/provider';
import { anthropic } from './anthropic';
import { listField, recordField, textField } from './call-content';
import { gemini } from './gemini';
import { ollama } from './ollama';
import type { RequestOption } from './request-options';
import { plainPiece } from './plain-pieces';
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
const isLeftOut = ({ hints }: LanguageModelSettings, hint: RequestOption): boolean => hints?.includes(hint) === false;

const makers: Readonly<Record<WireFormat, Open>> = {
  anthropic: streamed(anthropic),
  'openai-compatible': (settings) =>
    withPlainPieces(
      new OpenAICompatibleChatLanguageModel(settings.modelName, {
        provider: 'docent.chat',
        url: ({ path }) => settings.baseUrl + path,
        fetch: settings.fetch as typeof window.fetch,
        includeUsage: !isLeftOut(settings, 'usage'),
        errorStructure: { errorSchema: otherEvent, errorToMessage: () => '' },
        metadataExtractor: { extractMetadata: () => Promise.resolve(undefined), createStreamExtractor: openDetails },
        // Servers that forward to OpenAI's own models refuse the name that all others accept.
        ...(isLeftOut(settings, 'limitName') && { transformRequestBody: renameOutputLimit }),
      }),
    ),
  responses: (settings) =>
    openStreamedModel({ ...responses, body: (call, name) => responsesBody(call, name, settings.hints) }, settings),
  gemini: streamed(gemini),
  ollama: streamed(ollama),
};

export function loadLanguageModel(settings: LanguageModelSettings): StreamingModel {
  return makers[settings.row.format](settings);
}

/** Has each piece read in plain form: the package ends an answer at any field that it does not expect. */
function withPlainPieces(model: OpenAICompatibleChatLanguageModel): StreamingModel {
  const own = model as unknown as { chunkSchema: z.ZodType };
  own.chunkSchema = z.preprocess(plainPiece, own.chunkSchema);
  return model;
}

function renameOutputLimit({ max_tokens: limit, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, max_completion_tokens: limit };
}

/**
 * What may come between the pieces of an answer: a whole error, with what the provider behind a gateway said, or an event
 * without choices, such as a sign of life or a count of tokens, which is read as an empty piece.
 */
const otherEvent = z
  .unknown()
  .refine((event) => recordField(event).choices == null)
  .transform((event) => {
    const { error, message, detail, code } = recordField(event);
    const isError = [error, message, detail, code].some((said) => said != null);
    return isError ? { error: error ?? event } : { ...recordField(event), choices: [] };
  });

/**
 * Collects what OpenRouter adds to a choice: its error, and thoughts in the form in which it wants them back, because
 * without them Gemini refuses its own calls.
 */
function openDetails() {
  const details: Record<string, unknown>[] = [];
  let error: JSONObject | undefined;
  const add = (detail: Record<string, unknown>): void => {
    const last = details.at(-1);
    const isNext = detail.data === undefined && last?.type === detail.type && last?.index === detail.index;
    if (last === undefined || !isNext) details.push({ ...detail });
    else {
      for (const [key, value] of Object.entries(detail)) {
        if (key === 'text' || key === 'summary') last[key] = textField(last[key]) + textField(value);
        else last[key] = value ?? last[key];
      }
    }
  };
  return {
    processChunk(chunk: unknown) {
      const [choice] = listField(recordField(chunk).choices);
      if (isRecord(choice?.error)) error = choice.error as JSONObject;
      listField(recordField(choice?.delta).reasoning_details).forEach(add);
    },
    buildMetadata: () => ({
      ...(details.length > 0 && { openaiCompatible: { reasoning_details: details as JSONObject[] } }),
      ...(error !== undefined && { docent: { error } }),
    }),
  };
}
