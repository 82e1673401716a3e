/** The little of a request that a script decides by, the same for both dialects. */
import type { ModelRequest } from './script';

export interface Conversation {
  /** The text of the last message, when the user wrote it. */
  userText: string | null;
  /** The text of the last message, when it carries results of tools. */
  toolResult: string | null;
  toolNames: string[];
}

interface Part {
  type?: string;
  text?: string;
  content?: unknown;
}

interface ModelBody {
  messages?: { role?: string; content?: unknown }[];
  tools?: { name?: string; function?: { name?: string } }[];
}

export function readConversation(request: ModelRequest): Conversation {
  const { messages = [], tools = [] } = (request.body ?? {}) as ModelBody;
  const last = messages.at(-1);
  const results = Array.isArray(last?.content)
    ? (last.content as Part[]).filter((part) => part.type === 'tool_result')
    : [];
  const toolResult =
    last?.role === 'tool' ? textOf(last.content) : results.length > 0 ? textOf(results.map((r) => r.content)) : null;
  return {
    userText: last?.role === 'user' && toolResult === null ? textOf(last.content) : null,
    toolResult,
    toolNames: tools.flatMap((tool) => tool.function?.name ?? tool.name ?? []),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  const { text, content: inner } = (content ?? {}) as Part;
  return text ?? (inner === undefined ? '' : textOf(inner));
}
