/** The little of a request that a script decides by, the same for all dialects. */
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
  role?: string;
  text?: string;
  content?: unknown;
  parts?: unknown;
  output?: string;
  functionResponse?: { response?: { result?: string; error?: string } };
}

interface ModelBody {
  messages?: Part[];
  /** Of Responses. */
  input?: Part[];
  /** Of Gemini. */
  contents?: Part[];
  tools?: { name?: string; function?: { name?: string }; functionDeclarations?: { name?: string }[] }[];
}

export function readConversation(request: ModelRequest): Conversation {
  const { messages, input, contents, tools = [] } = (request.body ?? {}) as ModelBody;
  const last = (messages ?? input ?? contents ?? []).at(-1);
  const content = last?.content ?? last?.parts ?? last?.output;
  const results = Array.isArray(content) ? (content as Part[]).filter(isResult) : [];
  const isAllResult = last?.role === 'tool' || last?.type === 'function_call_output';
  const toolResult = isAllResult ? textOf(content) : results.length > 0 ? textOf(results) : null;
  return {
    userText: last?.role === 'user' && toolResult === null ? textOf(content) : null,
    toolResult,
    toolNames: tools.flatMap((tool) =>
      (tool.functionDeclarations ?? [tool.function ?? tool]).flatMap(({ name }) => name ?? []),
    ),
  };
}

const isResult = (part: Part): boolean => part.type === 'tool_result' || part.functionResponse !== undefined;

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  const { text, content: inner, functionResponse } = (content ?? {}) as Part;
  if (functionResponse !== undefined)
    return functionResponse.response?.result ?? functionResponse.response?.error ?? '';
  return text ?? (inner === undefined ? '' : textOf(inner));
}
