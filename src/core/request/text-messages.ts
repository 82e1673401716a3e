/**
 * Messages for a model without native tools: its calls as the text that it wrote, their results as a message of the
 * user. A chat can change between models with and without native tools at any message.
 */
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from '../ports/message';

/** Returns one message for each; those without calls and results are the same objects. */
export function writeCallsAsText(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role === 'tool') return textOfResults(message);
    return message.role === 'assistant' && message.parts.some(isCall) ? textOfCalls(message) : message;
  });
}

function isCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call';
}

function textOfCalls({ parts }: AssistantMessage): AssistantMessage {
  const calls = parts.filter(isCall);
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const written = calls.map((call) => call.written ?? '').join('');
  const native = calls.filter((call) => call.written === undefined);
  const text = [said + written, ...(native.length === 0 ? [] : [blockOf(native)])].filter((each) => each !== '');
  return {
    role: 'assistant',
    parts: [...parts.filter(({ type }) => type === 'reasoning'), { type: 'text', text: text.join('\n\n') }],
  };
}

/** Writes native calls in the form that the system prompt asks for. */
function blockOf(calls: readonly ToolCallPart[]): string {
  const list = calls.map(
    ({ name, argumentsText }) => `{"tool": ${JSON.stringify(name)}, "params": ${argumentsText.trim() || '{}'}}`,
  );
  return `\`\`\`json\n{"useTools": {"calls": [${list.join(', ')}]}}\n\`\`\``;
}

function textOfResults({ parts }: ToolMessage): UserMessage {
  const texts = parts.map(({ name, text, isError }, index) => {
    const number = parts.length === 1 ? '' : ` ${index + 1} of ${parts.length}`;
    return `[${isError ? 'Error' : 'Result'}${number}: ${name}]\n${text}`;
  });
  return { role: 'user', parts: [{ type: 'text', text: texts.join('\n\n') }], carriesResults: true };
}
