/** A request in one shape, whichever dialect it was sent in. */
import type { RecordedRequest } from './script';

export interface ReadMessage {
  readonly role: string;
  /** All its text parts in one. */
  readonly text: string;
  readonly texts: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

export interface ReadRequest {
  readonly system: string;
  readonly messages: readonly ReadMessage[];
  readonly tools: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

interface Part {
  type?: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
  functionCall?: { id?: string; name: string; args: unknown };
  functionResponse?: { id?: string; name: string; response: { result?: string; error?: string } };
}

interface Call {
  id?: string;
  function: { name: string; arguments: unknown };
}

interface Item extends Part {
  role?: string;
  call_id?: string;
  arguments?: string;
  output?: string;
  tool_call_id?: string;
  tool_calls?: Call[];
  parts?: Part[];
}

interface Body {
  system?: unknown;
  instructions?: string;
  systemInstruction?: { parts: Part[] };
  messages?: Item[];
  input?: Item[];
  contents?: Item[];
  tools?: { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }[];
}

export function readRequest({ body, headers }: Pick<RecordedRequest, 'body' | 'headers'>): ReadRequest {
  const { system, instructions, systemInstruction, messages, input, contents, tools = [] } = body as Body;
  const items = messages ?? input ?? contents ?? [];
  const [first, ...rest] = items;
  const hasSystemMessage = first?.role === 'system';
  const apart = textOf(system ?? instructions ?? systemInstruction?.parts ?? '');
  return {
    system: hasSystemMessage ? textOf(first.content) : apart,
    messages: joinItems((hasSystemMessage ? rest : items).map(readItem)),
    tools: tools.flatMap((tool) => (tool.functionDeclarations ?? [tool.function ?? tool]).map(({ name = '' }) => name)),
    headers,
  };
}

/** Merges consecutive assistant items: the Responses API sends a call as an item separate from the message text. */
function joinItems(messages: readonly ReadMessage[]): ReadMessage[] {
  return messages.reduce<ReadMessage[]>((joined, message) => {
    const last = joined.at(-1);
    if (last?.role !== 'assistant' || message.role !== 'assistant') return [...joined, message];
    const both = {
      role: 'assistant',
      text: last.text + message.text,
      texts: [...last.texts, ...message.texts],
      calls: [...last.calls, ...message.calls],
      results: [],
    };
    return [...joined.slice(0, -1), both];
  }, []);
}

function readItem(item: Item): ReadMessage {
  const content = item.content ?? item.parts;
  const parts = Array.isArray(content) ? (content as Part[]) : [];
  const texts = typeof content === 'string' ? [content] : parts.flatMap(({ text }) => text ?? []);
  return {
    role: roleOf(item),
    text: textOf(content),
    texts,
    calls: [
      ...(item.tool_calls ?? []).map(({ id = '', function: { name, arguments: given } }) => call(id, name, given)),
      ...(item.type === 'function_call' ? [call(item.call_id ?? '', item.name ?? '', item.arguments)] : []),
      ...parts.filter(({ type }) => type === 'tool_use').map(({ id = '', name = '', input }) => call(id, name, input)),
      ...parts.flatMap(({ functionCall: made }) =>
        made === undefined ? [] : [call(made.id ?? '', made.name, made.args)],
      ),
    ],
    results: [
      ...(item.tool_call_id === undefined ? [] : [{ id: item.tool_call_id, text: textOf(content) }]),
      ...(item.type === 'function_call_output' ? [{ id: item.call_id ?? '', text: item.output ?? '' }] : []),
      ...parts
        .filter(({ type }) => type === 'tool_result')
        .map((part) => ({ id: part.tool_use_id ?? '', text: textOf(part.content) })),
      ...parts.flatMap(({ functionResponse: given }) =>
        given === undefined ? [] : [{ id: given.id ?? '', text: given.response.result ?? given.response.error ?? '' }],
      ),
    ],
  };
}

/** Items without a role of their own belong to who makes them. */
function roleOf({ role, type }: Item): string {
  if (role === 'model' || type === 'function_call' || type === 'reasoning') return 'assistant';
  return role ?? (type === 'function_call_output' ? 'tool' : '');
}

function call(id: string, name: string, given: unknown) {
  return { id, name, args: typeof given === 'string' ? (JSON.parse(given) as unknown) : given };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Part[]).map((part) => part.text ?? '').join('');
}
