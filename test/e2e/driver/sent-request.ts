/** What was sent to a model, in one shape for all protocols, read from the requests that the scripted model recorded. */
import { replies } from '../../../src/core/prompt/world';
import { type ReadMessage, type ReadRequest, readRequest, type ScriptedModel } from '../../support/model-server';

export type SentMessage = ReadMessage;
export type SentRequest = ReadRequest;

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

/** Whether a message is the fixed reply to a text that is sent as a message of its own, such as the attached notes. */
function isReply(message: SentMessage | undefined): boolean {
  return message?.role === 'assistant' && Object.values<string>(replies).includes(message.text);
}

/** The messages of the newest turn: all after the last answer that a model gave. */
export function newMessages({ messages }: SentRequest): SentMessage[] {
  const answer = messages.map((message) => message.role === 'assistant' && !isReply(message)).lastIndexOf(true);
  return messages.slice(answer + 1);
}

/** Returns all text of a request: the system prompt, the messages and the results of tools. */
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
