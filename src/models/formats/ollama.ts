/** Ollama's own chat: one JSON object a line, the last one marked as done. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { AnswerReader, StreamedFormat } from '../streamed-format';
import { isRecord } from '../wire-format';
import { finishPart, listField, recordField, textField } from './call-content';
import { ollamaBody } from './ollama-request';

export const ollama: StreamedFormat = {
  path: () => '/api/chat',
  body: ollamaBody,
  framing: 'lines',
  reader: readOllama,
};

const thoughts = 'thoughts';

function readOllama(): AnswerReader {
  let isThinking = false;
  let calls = 0;
  return (event) => {
    if (!isRecord(event)) return [];
    if (event.error !== undefined) return [{ type: 'error', error: event }];
    const message = recordField(event.message);
    const parts = [
      ...think(textField(message.thinking)),
      ...say(textField(message.content)),
      ...listField(message.tool_calls).flatMap((call) => [...endThoughts(), callOf(call, event)]),
    ];
    return event.done === true ? [...parts, ...endThoughts(), endOf(event)] : parts;
  };

  function think(delta: string): LanguageModelV4StreamPart[] {
    if (delta === '') return [];
    const start = isThinking ? [] : [{ type: 'reasoning-start' as const, id: thoughts }];
    isThinking = true;
    return [...start, { type: 'reasoning-delta', id: thoughts, delta }];
  }

  function say(delta: string): LanguageModelV4StreamPart[] {
    return delta === '' ? [] : [...endThoughts(), { type: 'text-delta', id: 'text', delta }];
  }

  function endThoughts(): LanguageModelV4StreamPart[] {
    if (!isThinking) return [];
    isThinking = false;
    return [{ type: 'reasoning-end', id: thoughts }];
  }

  function callOf(call: Record<string, unknown>, event: Record<string, unknown>): LanguageModelV4StreamPart {
    const { name, arguments: given } = recordField(call.function);
    calls += 1;
    return {
      type: 'tool-call',
      // Older servers give calls no name of their own; the time makes one that no other answer has.
      toolCallId: textField(call.id) || `${textField(event.created_at) || 'call'}-${calls}`,
      toolName: textField(name),
      input: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
    };
  }
}

function endOf(event: Record<string, unknown>): LanguageModelV4StreamPart {
  const { prompt_eval_count: input, eval_count: output } = event;
  return finishPart(reasonOf(textField(event.done_reason)), { input, output, raw: undefined });
}

function reasonOf(raw: string): LanguageModelV4FinishReason {
  if (raw === 'length') return { unified: 'length', raw };
  // Before there were reasons, `done` was all.
  if (raw === 'stop' || raw === '') return { unified: 'stop', raw: 'stop' };
  // The model was put in or taken out of memory meanwhile, and what it said may lack its end.
  return { unified: raw === 'load' || raw === 'unload' ? 'error' : 'other', raw };
}
