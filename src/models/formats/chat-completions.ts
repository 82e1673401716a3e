/** Chat completions, the format of OpenAI-compatible servers, read by a package. */
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import type { JSONObject } from '@ai-sdk/provider';
import * as z from 'zod/v4';
import { isRecord, writeArguments } from '../http/wire-format';
import { listField, recordField, textField } from './call-content';
import type { RequestOption } from './request-options';
import type { Address, StreamingModel } from './streamed-format';

interface ChatSettings extends Address {
  /** The optional parts that requests may carry; all of them unless given. */
  readonly hints?: readonly RequestOption[];
}

const isLeftOut = ({ hints }: ChatSettings, hint: RequestOption): boolean => hints?.includes(hint) === false;

export function openChatCompletions(settings: ChatSettings): StreamingModel {
  return withPlainPieces(
    new OpenAICompatibleChatLanguageModel(settings.modelName, {
      provider: 'docent.chat',
      url: ({ path }) => settings.baseUrl + path,
      fetch: settings.fetch as typeof window.fetch,
      includeUsage: !isLeftOut(settings, 'usage'),
      errorStructure: { errorSchema: otherEvent, errorToMessage: () => '' },
      metadataExtractor: { extractMetadata: () => Promise.resolve(undefined), createStreamExtractor: openDetails },
      transformRequestBody: (body) => {
        // Servers that forward to OpenAI's own models refuse the name that all others accept.
        const renamed = isLeftOut(settings, 'limitName') ? renameOutputLimit(body) : body;
        const changes = [
          ...(isLeftOut(settings, 'bare') ? [withThought] : []),
          ...(isLeftOut(settings, 'texts') ? [withOneText] : []),
        ];
        if (changes.length === 0) return renamed;
        return { ...renamed, messages: changes.reduce((all, change) => all.map(change), listField(body.messages)) };
      },
    }),
  );
}

/** Has each piece read in plain form: the package ends an answer at any field that it does not expect. */
function withPlainPieces(model: OpenAICompatibleChatLanguageModel): StreamingModel {
  const own = model as unknown as { chunkSchema: z.ZodType };
  own.chunkSchema = z.preprocess(plainPiece, own.chunkSchema);
  return model;
}

/**
 * Returns the piece of an answer without what nothing reads or can be read: names and times in any form, roles, errors
 * that report none, and counts that are no numbers. Any other event stays as it is.
 */
function plainPiece(event: unknown): unknown {
  const { id: _id, created: _created, model: _model, error, choices, usage, ...rest } = recordField(event);
  const isError = error !== undefined && error !== null && error !== false && error !== '';
  if (isError || !isRecord(event)) return event;
  if (!Array.isArray(choices)) return withoutError(event);
  const counts = plainCounts(recordField(usage));
  // The package would report zero tokens.
  const hasCounts = counts.prompt_tokens !== undefined;
  return { ...rest, choices: choices.map(plainChoice), ...(hasCounts && { usage: counts }) };
}

function withoutError({ error: _error, ...event }: Record<string, unknown>): Record<string, unknown> {
  return event;
}

function plainChoice(choice: unknown): unknown {
  if (!isRecord(choice) || !isRecord(choice.delta)) return choice;
  const { role: _role, reasoning, reasoning_content: thought, tool_calls: calls, ...delta } = choice.delta;
  return {
    ...choice,
    delta: {
      ...delta,
      ...(typeof reasoning === 'string' && { reasoning }),
      // The package reads the other field only without this one.
      ...(typeof thought === 'string' && thought !== '' && { reasoning_content: thought }),
      ...(Array.isArray(calls) && { tool_calls: listField(calls).map(plainCall).filter(saysSomething) }),
    },
  };
}

function plainCall({ id, index, function: called, ...call }: Record<string, unknown>): Record<string, unknown> {
  const { arguments: given, ...rest } = recordField(called);
  const place = typeof index === 'string' ? Number.parseInt(index, 10) : index;
  return {
    ...call,
    ...(Number.isInteger(place) && { index: place }),
    ...((typeof id === 'string' || typeof id === 'number') && { id: `${id}` }),
    function: {
      ...rest,
      ...(given != null && { arguments: typeof given === 'string' ? given : writeArguments(given) }),
    },
  };
}

/** Whether a piece of a call has anything to add; the package would miss the name of a call that never comes. */
function saysSomething({ id, function: called, extra_content: extra }: Record<string, unknown>): boolean {
  const { name, arguments: given } = recordField(called);
  return [id, name, given, extra].some((said) => said !== undefined && said !== null && said !== '');
}

function plainCounts(usage: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
      if (isRecord(value)) return [[name, plainCounts(value)]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

/** Gives an answer a thought, without which DeepSeek and Kimi refuse every request with it while they think. */
function withThought(message: Record<string, unknown>): Record<string, unknown> {
  const hasThought = [message.reasoning_content, message.reasoning_details].some((thought) => thought !== undefined);
  return message.role !== 'assistant' || hasThought ? message : { ...message, reasoning_content: '(none)' };
}

/** Joins the texts of a message, for servers that know one alone. */
function withOneText(message: Record<string, unknown>): Record<string, unknown> {
  const parts = listField(message.content);
  if (parts.length === 0 || parts.some(({ type }) => type !== 'text')) return message;
  return { ...message, content: parts.map(({ text }) => String(text)).join('\n\n') };
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
