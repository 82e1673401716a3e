/** What hooks are handed: copies of a turn's parts, so that no hook can change them behind anyone's back. */
import type { Message, ToolCallPart } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import type { Mention, Source } from '../session/entry';
import type { AgentRequest, HookedCall, HookedResult, ModelRequest } from './hook';

export function viewRequest(conversationId: string, text: string, mentions: readonly Mention[]): AgentRequest {
  return { conversationId, text, mentions: mentions.map(({ kind, id, label }) => ({ kind, id, label })) };
}

export function viewCall(conversationId: string, { name, argumentsText }: ToolCallPart): HookedCall {
  return { conversationId, name, argumentsText };
}

export function viewResult(result: {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
}): HookedResult {
  const { text, isError, sources } = result;
  return { text, isError, sources: [...new Set(sources.map(({ path }) => path))] };
}

export function viewPlan(plan: RequestPlan): ModelRequest {
  const { conversationId, modelId, system, messages, totals, maxOutputTokens } = plan;
  return {
    conversationId,
    modelId,
    system,
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    tokens: totals.all,
    room: totals.window - totals.reserve,
    maxOutputTokens,
  };
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'tool-result' ? part.text : [])).join('\n\n');
}
