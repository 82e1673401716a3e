/** OpenAI's Responses: typed events, each item of the answer told whole once it is done. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { AnswerReader, StreamedFormat } from '../streamed-format';
import { isRecord } from '../wire-format';
import { finishPart, recordField, textField } from './call-content';
import { responsesBody } from './responses-request';

export const responses: StreamedFormat = {
  path: () => '/responses',
  body: responsesBody,
  framing: 'events',
  reader: readResponses,
};

function readResponses(): AnswerReader {
  const thinking = new Set<string>();
  let refused = false;
  return (event) => {
    if (!isRecord(event)) return [];
    if (isRecord(event.error)) return [{ type: 'error', error: event }];
    switch (event.type) {
      case 'response.output_text.delta':
        return [{ type: 'text-delta', id: 'text', delta: textField(event.delta) }];
      case 'response.refusal.delta':
        refused = true;
        return [{ type: 'text-delta', id: 'text', delta: textField(event.delta) }];
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

  function think(id: string, delta: string): LanguageModelV4StreamPart[] {
    const start = thinking.has(id) ? [] : [{ type: 'reasoning-start' as const, id }];
    thinking.add(id);
    return [...start, { type: 'reasoning-delta', id, delta }];
  }

  function itemDone(item: Record<string, unknown>): LanguageModelV4StreamPart[] {
    const id = textField(item.id);
    if (item.type === 'reasoning') {
      const sealed = item.encrypted_content;
      const isKept = typeof sealed === 'string' && sealed !== '';
      if (!isKept && !thinking.has(id)) return [];
      const memory = isKept && { providerMetadata: { responses: { itemId: id, encryptedContent: sealed } } };
      return [{ type: 'reasoning-end', id, ...memory }];
    }
    if (item.type !== 'function_call') return [];
    const input = textField(item.arguments);
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
