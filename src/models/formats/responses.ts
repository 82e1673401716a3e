/** OpenAI's Responses API: typed events, each output item repeated in full when it is done. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { isRecord, writeArguments } from '../http/wire-format';
import {
  type Effort,
  effortOf,
  finishPart,
  functionsOf,
  imageData,
  memoryOf,
  recordField,
  resultText,
  textField,
  withoutLastThoughts,
} from './call-content';
import type { RequestOption } from './request-options';
import type { AnswerReader, StreamedFormat } from './streamed-format';

export const responses: StreamedFormat = {
  path: () => '/responses',
  body: responsesBody,
  framing: 'events',
  reader: readResponses,
};

function readResponses(): AnswerReader {
  const thinking = new Set<string>();
  let refused = false;
  let said = '';
  return (event) => {
    if (!isRecord(event)) return [];
    if (isRecord(event.error)) return [{ type: 'error', error: event }];
    switch (event.type) {
      case 'response.output_text.delta':
        return say(textField(event.item_id), textField(event.delta));
      case 'response.refusal.delta':
        refused = true;
        return say(textField(event.item_id), textField(event.delta));
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return think(textField(event.item_id), textField(event.delta));
      case 'response.reasoning_summary_part.added':
        // Parts of a summary are paragraphs.
        return Number(event.summary_index) > 0 ? think(textField(event.item_id), '\n\n') : [];
      case 'response.output_item.done':
        return itemDone(recordField(event.item));
      case 'response.completed':
      case 'response.incomplete':
        return [endOf(recordField(event.response), refused)];
      case 'response.failed':
        return [{ type: 'error', error: { error: recordField(event.response).error ?? {} } }];
      case 'error':
        return [{ type: 'error', error: { error: event } }];
      default:
        return [];
    }
  };

  /** Messages that follow one another are paragraphs. */
  function say(id: string, delta: string): LanguageModelV4StreamPart[] {
    const gap = said !== '' && said !== id ? '\n\n' : '';
    said = id;
    return [{ type: 'text-delta', id: 'text', delta: gap + delta }];
  }

  function think(id: string, delta: string): LanguageModelV4StreamPart[] {
    const start = thinking.has(id) ? [] : [{ type: 'reasoning-start' as const, id }];
    thinking.add(id);
    return [...start, { type: 'reasoning-delta', id, delta }];
  }

  function itemDone(item: Record<string, unknown>): LanguageModelV4StreamPart[] {
    const id = textField(item.id);
    if (item.type === 'reasoning') {
      const sealed = item.encrypted_content;
      const isSealed = typeof sealed === 'string' && sealed !== '';
      if (!isSealed && !thinking.has(id)) return [];
      const memory = isSealed && { providerMetadata: { responses: { itemId: id, encryptedContent: sealed } } };
      return [{ type: 'reasoning-end', id, ...memory }];
    }
    if (item.type === 'message' && typeof item.phase === 'string') {
      return [{ type: 'reasoning-end', id, providerMetadata: { responses: { phase: item.phase } } }];
    }
    if (item.type !== 'function_call') return [];
    const { arguments: given } = item;
    const input = isRecord(given) ? writeArguments(given) : textField(given);
    return [{ type: 'tool-call', toolCallId: textField(item.call_id) || id, toolName: textField(item.name), input }];
  }
}

function endOf(response: Record<string, unknown>, refused: boolean): LanguageModelV4StreamPart {
  const counts = recordField(response.usage);
  const { input_tokens: input, output_tokens: output } = counts;
  return finishPart(reasonOf(response, refused), { input, output, raw: response.usage });
}

function reasonOf(response: Record<string, unknown>, refused: boolean): LanguageModelV4FinishReason {
  const why = textField(recordField(response.incomplete_details).reason);
  if (why === 'max_output_tokens') return { unified: 'length', raw: why };
  if (why === 'content_filter') return { unified: 'content-filter', raw: why };
  if (why !== '') return { unified: 'other', raw: why };
  return refused ? { unified: 'content-filter', raw: 'refusal' } : { unified: 'stop', raw: 'completed' };
}

/** Names of models that reason before they answer and provide the reasoning in encrypted form. */
const thinks = /^(?:o\d|gpt-(?:[5-9]|\d\d))/;

type Item = Record<string, unknown>;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/**
 * Encodes a call as the body of OpenAI's Responses API. The provider stores nothing, so each request is complete.
 * @param hints the optional parts to send; all of them unless given
 */
export function responsesBody(
  call: LanguageModelV4CallOptions,
  modelName: string,
  hints?: readonly RequestOption[],
): Record<string, unknown> {
  const has = (hint: RequestOption): boolean => hints?.includes(hint) !== false;
  const { prompt, maxOutputTokens, temperature } = call;
  const effort = effortOf(call);
  const key = memoryOf(call.providerOptions, 'docent', 'prompt_cache_key');
  const tools = functionsOf(call).map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));
  const instructions = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n');
  return {
    model: modelName,
    stream: true,
    store: false,
    ...(thinks.test(modelName) && has('sealed') && { include: ['reasoning.encrypted_content'] }),
    ...(instructions !== '' && { instructions }),
    ...(tools.length > 0 && { tools }),
    input: prompt.flatMap((message) => itemsOf(message, has)),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...reasoningOf(effort, thinks.test(modelName) && has('summary')),
    ...(key !== undefined && { prompt_cache_key: key }),
  };
}

/** Summaries are all that is shown of the thoughts of these models, and come only on request. */
function reasoningOf(effort: Effort | undefined, hasSummary: boolean): Record<string, unknown> {
  const summary = hasSummary && effort !== 'none' && { summary: 'auto' };
  return effort === undefined && !summary ? {} : { reasoning: { ...(effort !== undefined && { effort }), ...summary } };
}

/** Calls and results are separate items next to the messages, not parts of them. */
function itemsOf(message: LanguageModelV4Message, has: (hint: RequestOption) => boolean): Item[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user': {
      const content = message.content.map((part) =>
        part.type === 'text'
          ? { type: 'input_text', text: part.text }
          : { type: 'input_image', image_url: `data:${part.mediaType};base64,${imageData(part)}` },
      );
      return [{ role: 'user', content }];
    }
    case 'assistant': {
      const items = message.content.flatMap((part, at, parts): Item[] => {
        if (part.type === 'text') {
          const phase = has('phase') ? phaseOf(parts[at + 1]) : undefined;
          const content = [{ type: 'output_text', text: part.text }];
          return [{ role: 'assistant', content, ...(phase !== undefined && { phase }) }];
        }
        if (part.type === 'reasoning') return has('sealed') ? reasoningItem(part) : [];
        if (part.type !== 'tool-call') return [];
        const input = typeof part.input === 'string' ? part.input : JSON.stringify(part.input);
        return [{ type: 'function_call', call_id: part.toolCallId, name: part.toolName, arguments: input }];
      });
      return withoutLastThoughts(items, ({ type }) => type === 'reasoning');
    }
    case 'tool':
      return message.content.flatMap((part): Item[] =>
        part.type === 'tool-result'
          ? [{ type: 'function_call_output', call_id: part.toolCallId, output: resultText(part) }]
          : [],
      );
  }
}

/** Returns whether the text before this part was commentary or the final answer, as the provider needs it back. */
function phaseOf(part: AssistantPart | undefined): string | undefined {
  return part?.type === 'reasoning' ? memoryOf(part.providerOptions, 'responses', 'phase') : undefined;
}

/** Sends reasoning back only in encrypted form: without it, the provider would search its own store. */
function reasoningItem({ text, providerOptions }: LanguageModelV4ReasoningPart): Item[] {
  const id = memoryOf(providerOptions, 'responses', 'itemId');
  const sealed = memoryOf(providerOptions, 'responses', 'encryptedContent');
  if (id === undefined || sealed === undefined) return [];
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return [{ type: 'reasoning', id, summary, encrypted_content: sealed }];
}
