/** Encodes a RequestPlan as the prompt and tools of a language model call: real roles, nothing flattened to text. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { AssistantPart, Message, TextPart, ToolResultPart } from '../core/message';
import type { RequestPlan, ToolDeclaration } from '../core/request/request-plan';
import { isReasoningOf, type ReasoningSource } from './reasoning-data';
import { isRecord } from './wire-format';

export type EncodedPlan = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'maxOutputTokens'>;

export function encodePlan(plan: RequestPlan, source: ReasoningSource): EncodedPlan {
  const messages = plan.messages.flatMap((message) => encodeMessage(message, source));
  return {
    prompt: plan.system === '' ? messages : [{ role: 'system', content: plan.system }, ...messages],
    ...(plan.tools.length > 0 && { tools: plan.tools.map(encodeTool) }),
    maxOutputTokens: plan.maxOutputTokens,
  };
}

/** A message that says nothing to this model is left out: providers refuse empty ones. */
function encodeMessage(message: Message, source: ReasoningSource): LanguageModelV4Message[] {
  switch (message.role) {
    case 'user': {
      const content = message.parts.flatMap(encodeText);
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    case 'assistant': {
      const content = message.parts.flatMap((part) => encodeAssistantPart(part, source));
      return content.some((part) => part.type !== 'reasoning') ? [{ role: 'assistant', content }] : [];
    }
    case 'tool': {
      return message.parts.length === 0 ? [] : [{ role: 'tool', content: message.parts.map(encodeToolResult) }];
    }
  }
}

function encodeText({ text }: TextPart): LanguageModelV4TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function encodeAssistantPart(
  part: AssistantPart,
  source: ReasoningSource,
): (LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart)[] {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'reasoning': {
      // Another model's thoughts are noise to this one, and a server that does not know the field refuses them.
      if (!isReasoningOf(part.providerData, source)) return [];
      const { metadata } = part.providerData;
      return [{ type: 'reasoning', text: part.text, ...(metadata && { providerOptions: metadata }) }];
    }
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.id,
          toolName: sendableName(part.name),
          input: sendableArguments(part.argumentsText),
        },
      ];
  }
}

function encodeToolResult({ callId, name, text, isError }: ToolResultPart): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: sendableName(name),
    output: { type: isError ? 'error-text' : 'text', value: text },
  };
}

function encodeTool({ name, description, parameters }: ToolDeclaration): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: parameters };
}

/** Models invent names that no provider takes back; the history must stay sendable. */
function sendableName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

/**
 * The arguments byte for byte, or, when they are no JSON object, an object that quotes them: servers parse what stands
 * in the history and would refuse every later request.
 */
function sendableArguments(argumentsText: string): string {
  if (argumentsText.trim() === '') return '{}';
  try {
    let hostile = false;
    const parsed: unknown = JSON.parse(argumentsText, (key, value: unknown) => {
      hostile ||=
        key === '__proto__' || (key === 'constructor' && isRecord(value) && Object.hasOwn(value, 'prototype'));
      return value;
    });
    if (isRecord(parsed) && !hostile) return argumentsText;
  } catch {
    // Not JSON: quoted below.
  }
  return JSON.stringify({ unreadable_arguments: argumentsText });
}
