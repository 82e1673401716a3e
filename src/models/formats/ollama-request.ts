/** Encodes a call as the body of Ollama's own chat, which alone lets a request set the window. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { isRecord } from '../wire-format';
import { argumentsObject, effortOf, functionsOf, imageData, resultText, type Effort } from './call-content';

type OllamaMessage = Record<string, unknown>;

export function ollamaBody(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown> {
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
    // What does not fit is to be refused, not cut in silence.
    truncate: false,
    shift: false,
    options: {
      ...(window !== undefined && { num_ctx: window }),
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
    },
  };
}

/** The window that the request was planned for. */
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

/** Most models can only be told whether to think. */
function thinkOf(effort: Effort, modelName: string): boolean | string {
  if (effort === 'none') return false;
  if (!modelName.includes('gpt-oss')) return true;
  return effort === 'minimal' ? 'low' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
