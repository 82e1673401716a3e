/** What was sent to a model, in one shape for both protocols, read from the requests that the scripted model recorded. */
import { replies } from '../../src/core/prompt/headers';
import type { RecordedRequest, ScriptedModel } from '../workbench/scripted-model';

export interface SentMessage {
  readonly role: string;
  /** All its text parts in one. */
  readonly text: string;
  readonly texts: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

export interface SentRequest {
  readonly system: string;
  readonly messages: readonly SentMessage[];
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
}

interface Body {
  system?: unknown;
  messages: {
    role: string;
    content: unknown;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  }[];
  tools?: { name?: string; function?: { name: string } }[];
}

/** The questions put to the model, oldest first. */
export function sentRequests(model: ScriptedModel | null): SentRequest[] {
  return (model?.requests ?? [])
    .filter(({ dialect, method }) => dialect !== null && method === 'POST')
    .map(readRequest);
}

export function lastSent(model: ScriptedModel | null): SentRequest {
  const last = sentRequests(model).at(-1);
  if (last === undefined) throw new Error('Nothing was sent to the model.');
  return last;
}

/** What was said, message by message: without sections in tags, and without messages that hold nothing else. */
export function spokenTexts({ messages }: SentRequest): string[] {
  const spoken = messages.filter((message, index) => !isReply(message) && !isReply(messages[index + 1]));
  return spoken.map(({ text }) => withoutSections(text)).filter((text) => text !== '');
}

/** A fixed answer to a text that stands as a message of its own, such as the attached notes. */
function isReply(message: SentMessage | undefined): boolean {
  return message?.role === 'assistant' && Object.values<string>(replies).includes(message.text);
}

/** The messages of the newest turn: all after the last answer that a model gave. */
export function newMessages({ messages }: SentRequest): SentMessage[] {
  const answer = messages.map((message) => message.role === 'assistant' && !isReply(message)).lastIndexOf(true);
  return messages.slice(answer + 1);
}

/** Everything that was sent as text, wherever it stands. */
export function allText({ system, messages }: SentRequest): string {
  return [system, ...messages.flatMap(({ text, results }) => [text, ...results.map((result) => result.text)])].join(
    '\n',
  );
}

/** What was sent with the newest message: the system prompt and the messages of its turn. */
export function newText(request: SentRequest): string {
  return [request.system, ...newMessages(request).map(({ text }) => text)].join('\n');
}

function withoutSections(text: string): string {
  return text.replace(/<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/g, '').trim();
}

function readRequest({ body, headers }: RecordedRequest): SentRequest {
  const { system, messages, tools = [] } = body as Body;
  const [first, ...rest] = messages;
  const hasSystemMessage = first?.role === 'system';
  return {
    system: hasSystemMessage ? textOf(first.content) : textOf(system ?? ''),
    messages: (hasSystemMessage ? rest : messages).map(readMessage),
    tools: tools.map((tool) => tool.function?.name ?? tool.name ?? ''),
    headers,
  };
}

function readMessage(message: Body['messages'][number]): SentMessage {
  const parts = Array.isArray(message.content) ? (message.content as Part[]) : [];
  const ownResult =
    message.tool_call_id === undefined ? [] : [{ id: message.tool_call_id, text: textOf(message.content) }];
  return {
    role: message.role,
    text: textOf(message.content),
    texts: typeof message.content === 'string' ? [message.content] : parts.flatMap(({ text }) => text ?? []),
    calls: [
      ...(message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        args: JSON.parse(call.function.arguments) as unknown,
      })),
      ...parts
        .filter(({ type }) => type === 'tool_use')
        .map(({ id = '', name = '', input }) => ({ id, name, args: input })),
    ],
    results: [
      ...ownResult,
      ...parts
        .filter(({ type }) => type === 'tool_result')
        .map((part) => ({ id: part.tool_use_id ?? '', text: textOf(part.content) })),
    ],
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Part[]).map((part) => part.text ?? '').join('');
}
