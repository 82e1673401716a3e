/** Encodes a call as the body of OpenAI's Responses. Nothing is kept at the provider: each request is whole. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
} from '@ai-sdk/provider';
import { effortOf, functionsOf, imageData, memoryOf, resultText } from './call-content';

/** Names of models that think before they answer, and whose thoughts can be had in sealed form. */
const thinks = /^(?:o\d|gpt-(?:[5-9]|\d\d))/;

type Item = Record<string, unknown>;

export function responsesBody(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown> {
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
    ...(thinks.test(modelName) && { include: ['reasoning.encrypted_content'] }),
    ...(instructions !== '' && { instructions }),
    ...(tools.length > 0 && { tools }),
    input: prompt.flatMap(itemsOf),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(key !== undefined && { prompt_cache_key: key }),
  };
}

/** Calls and results are items beside the messages, not parts of them. */
function itemsOf(message: LanguageModelV4Message): Item[] {
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
    case 'assistant':
      return message.content.flatMap((part): Item[] => {
        if (part.type === 'text') return [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
        if (part.type === 'reasoning') return reasoningItem(part);
        if (part.type !== 'tool-call') return [];
        const input = typeof part.input === 'string' ? part.input : JSON.stringify(part.input);
        return [{ type: 'function_call', call_id: part.toolCallId, name: part.toolName, arguments: input }];
      });
    case 'tool':
      return message.content.flatMap((part): Item[] =>
        part.type === 'tool-result'
          ? [{ type: 'function_call_output', call_id: part.toolCallId, output: resultText(part) }]
          : [],
      );
  }
}

/** Thoughts come back sealed or not at all: without the seal the provider would look for them in its own store. */
function reasoningItem({ text, providerOptions }: LanguageModelV4ReasoningPart): Item[] {
  const id = memoryOf(providerOptions, 'responses', 'itemId');
  const sealed = memoryOf(providerOptions, 'responses', 'encryptedContent');
  if (id === undefined || sealed === undefined) return [];
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return [{ type: 'reasoning', id, summary, encrypted_content: sealed }];
}
