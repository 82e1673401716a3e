/** Ollama's native chat API: one JSON object per line, the last one marked as done. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { isRecord, writeArguments } from '../http/wire-format';
import {
  argumentsObject,
  type Effort,
  effortOf,
  finishPart,
  functionsOf,
  imageData,
  listField,
  openThoughts,
  recordField,
  resultText,
  textField,
} from './call-content';
import type { AnswerReader, StreamedFormat } from './streamed-format';

export const ollama: StreamedFormat = {
  path: () => '/api/chat',
  body: ollamaBody,
  framing: 'lines',
  reader: readOllama,
};

function readOllama(): AnswerReader {
  const thoughts = openThoughts();
  let calls = 0;
  return (event) => {
    if (!isRecord(event)) return [];
    if (event.error !== undefined) return [{ type: 'error', error: event }];
    const message = recordField(event.message);
    const parts = [
      ...think(textField(message.thinking)),
      ...say(textField(message.content)),
      ...listField(message.tool_calls).flatMap((call) => [...thoughts.end(), callOf(call, event)]),
    ];
    return event.done === true ? [...parts, ...thoughts.end(), endOf(event)] : parts;
  };

  function think(delta: string): LanguageModelV4StreamPart[] {
    return delta === '' ? [] : thoughts.add(delta);
  }

  function say(delta: string): LanguageModelV4StreamPart[] {
    return delta === '' ? [] : [...thoughts.end(), { type: 'text-delta', id: 'text', delta }];
  }

  function callOf(call: Record<string, unknown>, event: Record<string, unknown>): LanguageModelV4StreamPart {
    const { name, arguments: given } = recordField(call.function);
    calls += 1;
    return {
      type: 'tool-call',
      // Older servers give calls no id; the timestamp makes one that no other answer has.
      toolCallId: textField(call.id) || `${textField(event.created_at) || 'call'}-${calls}`,
      toolName: textField(name),
      input: typeof given === 'string' ? given : writeArguments(given),
    };
  }
}

function endOf(event: Record<string, unknown>): LanguageModelV4StreamPart {
  const { prompt_eval_count: input, eval_count: output } = event;
  return finishPart(reasonOf(textField(event.done_reason)), { input, output, raw: undefined });
}

function reasonOf(raw: string): LanguageModelV4FinishReason {
  if (raw === 'length') return { unified: 'length', raw };
  // Older servers report `done` without a reason.
  if (raw === 'stop' || raw === '') return { unified: 'stop', raw: 'stop' };
  // The model was loaded or unloaded during the answer, which may lack its end.
  return { unified: raw === 'load' || raw === 'unload' ? 'error' : 'other', raw };
}

type OllamaMessage = Record<string, unknown>;

/**
 * Encodes a call as the body of Ollama's native chat API, the only one in which a request can set the context window.
 */
function ollamaBody(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown> {
  const { prompt, maxOutputTokens, temperature } = call;
  const effort = effortOf(call);
  const window = windowOf(call);
  const tools = functionsOf(call).map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  return {
    model: modelName,
    stream: true,
    ...(tools.length > 0 && { tools }),
    messages: prompt.flatMap(messagesOf),
    ...(effort !== undefined && { think: thinkOf(effort, modelName) }),
    // A prompt that does not fit must be refused, not silently truncated.
    truncate: false,
    shift: false,
    options: {
      ...(window !== undefined && { num_ctx: window }),
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
    },
  };
}

/** Returns the context window that the request was planned for. */
function windowOf({ providerOptions }: LanguageModelV4CallOptions): number | undefined {
  const own = providerOptions?.docent;
  return isRecord(own) && typeof own.window === 'number' ? own.window : undefined;
}

function messagesOf(message: LanguageModelV4Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user': {
      const images = message.content.flatMap((part) => (part.type === 'file' ? [imageData(part)] : []));
      const content = textsOf(message.content);
      return [{ role: 'user', content, ...(images.length > 0 && { images }) }];
    }
    case 'assistant': {
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: argumentsObject(part.input) } }]
          : [],
      );
      const thinking = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
      return [
        {
          role: 'assistant',
          content: textsOf(message.content),
          ...(thinking !== '' && { thinking }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ];
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_name: part.toolName, tool_call_id: part.toolCallId, content: resultText(part) }]
          : [],
      );
  }
}

function textsOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n\n');
}

/** Converts the effort to on or off, because most models only support whether to think. */
function thinkOf(effort: Effort, modelName: string): boolean | string {
  if (effort === 'none') return false;
  if (!modelName.includes('gpt-oss')) return true;
  return effort === 'minimal' ? 'low' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
