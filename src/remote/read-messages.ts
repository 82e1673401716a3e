/** Reads the messages of JSON-RPC in an answer over HTTP, whether it comes as one piece of JSON or as events. */
import { isRecord, type PlainRecord, readPlainJson } from './plain-json';
import { openEvents } from './read-events';
import { readText } from './read-text';
import type { RedactKey } from './redact-key';
import { RemoteProblem } from './remote-problem';

export type RpcId = string | number;
export type RpcMessage =
  | { readonly type: 'request'; readonly id: RpcId; readonly method: string; readonly params?: PlainRecord }
  | { readonly type: 'notification' }
  /** @property id null for an error about a request that the server could not read */
  | { readonly type: 'answer'; readonly id: RpcId | null; readonly body: RpcBody };
export type RpcBody =
  { readonly result: PlainRecord } | { readonly error: { readonly code: number; readonly message: string } };

/** Each message as soon as it is whole. @throws RemoteProblem at the first that is none */
export async function* readMessages(
  response: Response,
  redactKey: RedactKey,
  signal: AbortSignal,
): AsyncGenerator<RpcMessage> {
  if (response.body === null || response.status === 202) return;
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('html')) throw new RemoteProblem('web-page');
  if (type.includes('text/event-stream')) {
    const takeEvents = openEvents();
    for await (const text of readText(response, signal)) {
      for (const data of takeEvents(text)) yield* messagesIn(data, redactKey);
    }
    return;
  }
  if (!type.includes('json')) throw new RemoteProblem('broken');
  let whole = '';
  for await (const text of readText(response, signal)) whole += text;
  yield* messagesIn(whole, redactKey);
}

function messagesIn(text: string, redactKey: RedactKey): RpcMessage[] {
  const value = readPlainJson(text, redactKey);
  return (Array.isArray(value) ? value : [value]).map(messageOf);
}

function messageOf(value: unknown): RpcMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') throw new RemoteProblem('broken');
  const { id, method, params } = value;
  if (typeof method === 'string') {
    if (!isId(id)) return { type: 'notification' };
    return { type: 'request', id, method, ...(isRecord(params) && { params }) };
  }
  return { type: 'answer', id: isId(id) ? id : null, body: bodyOf(value) };
}

function bodyOf({ id, result, error }: PlainRecord): RpcBody {
  if (isRecord(result) && error === undefined && isId(id)) return { result };
  if (!isRecord(error) || result !== undefined) throw new RemoteProblem('broken');
  const { code, message } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') {
    throw new RemoteProblem('broken');
  }
  return { error: { code, message } };
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isInteger(value);
}
