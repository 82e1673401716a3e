/** Reads the JSON-RPC messages of an HTTP response, whether it is one JSON document or an event stream. */
import { createParser } from 'eventsource-parser';
import { limits, type RedactKey } from './mcp-ports';
import { RemoteFailure } from './remote-failure';
import { untilAborted } from './send-request';

export type RpcId = string | number;
export type RpcMessage =
  | { readonly type: 'request'; readonly id: RpcId; readonly method: string; readonly params?: PlainRecord }
  | { readonly type: 'notification'; readonly method: string; readonly params?: PlainRecord }
  /** @property id null for an error about a request that the server could not read */
  | { readonly type: 'answer'; readonly id: RpcId | null; readonly body: RpcBody };
type RpcBody =
  | { readonly result: PlainRecord }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Where a stream of events can be taken up again after it has ended. */
export interface StreamPosition {
  /** The id of the last event; null if the server gave none that a header can carry. */
  lastId: string | null;
  /** Milliseconds that the server wants to pass before it is asked again. */
  retryMilliseconds: number;
}

export function startPosition(): StreamPosition {
  return { lastId: null, retryMilliseconds: 1_000 };
}

/**
 * Yields each message as soon as it is complete.
 * @param position updated by the stream's events
 * @throws RemoteFailure at the first one that is invalid
 */
export async function* readMessages(
  response: Response,
  redactKey: RedactKey,
  signal: AbortSignal,
  position: StreamPosition,
): AsyncGenerator<RpcMessage> {
  if (response.body === null || response.status === 202) return;
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('html')) throw new RemoteFailure('web-page');
  if (type.includes('text/event-stream')) {
    const takeEvents = openEvents(position);
    for await (const text of readText(response, signal)) {
      for (const data of takeEvents(text)) yield* messagesIn(data, redactKey);
    }
    return;
  }
  if (!type.includes('json')) throw new RemoteFailure('broken');
  let whole = '';
  for await (const text of readText(response, signal)) whole += text;
  yield* messagesIn(whole, redactKey);
}

function messagesIn(text: string, redactKey: RedactKey): RpcMessage[] {
  const value = readPlainJson(text, redactKey);
  return (Array.isArray(value) ? value : [value]).map(messageOf);
}

function messageOf(value: unknown): RpcMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') throw new RemoteFailure('broken');
  const { id, method, params } = value;
  if (typeof method === 'string') {
    const said = { method, ...(isRecord(params) && { params }) };
    return isId(id) ? { type: 'request', id, ...said } : { type: 'notification', ...said };
  }
  return { type: 'answer', id: isId(id) ? id : null, body: bodyOf(value) };
}

function bodyOf({ id, result, error }: PlainRecord): RpcBody {
  if (isRecord(result) && error === undefined && isId(id)) return { result };
  if (!isRecord(error) || result !== undefined) throw new RemoteFailure('broken');
  const { code, message } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') {
    throw new RemoteFailure('broken');
  }
  return { error: { code, message } };
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isInteger(value);
}

/** The ids of events that a header can carry. */
const idShape = /^[\x20-\x7e]{1,1024}$/;

/**
 * Parses server-sent events from a stream that may be split at any point.
 * @returns a function that takes each chunk of text and returns the data of the "message" events that it completes;
 *   events without data, with which servers send their first id, are left out
 */
export function openEvents(position: StreamPosition): (text: string) => readonly string[] {
  let whole: string[] = [];
  const parser = createParser({
    onId: (id) => (position.lastId = idShape.test(id) ? id : null),
    onRetry: (milliseconds) => (position.retryMilliseconds = milliseconds),
    onEvent({ event = '', data }) {
      if (data !== '' && (event === '' || event === 'message')) whole.push(data);
    },
  });
  return (text) => {
    whole = [];
    parser.feed(text);
    return whole;
  };
}

const maxDepth = 64;
/** Control characters other than tab and line feed. */
const controls = /(?![\t\n])\p{Cc}/gu;
/** Halves of characters, which servers of models refuse in a request. */
const halves = /\p{Cs}/gu;
/** Separates strings that no longer contain control characters. */
const separator = '\0';

export type PlainRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses untrusted JSON: limited in depth, without names that reach a prototype, and without control characters, halves
 * of characters, or the API key.
 * @throws RemoteFailure 'broken' for invalid JSON, for JSON nested too deep, and for JSON that names a prototype
 */
export function readPlainJson(text: string, redactKey: RedactKey): unknown {
  const strings: string[] = [];
  const parsed = parse(text);
  const value = mapStrings(parsed, (raw) => {
    const clean = raw.replace(controls, '').replace(halves, '\ufffd');
    strings.push(clean);
    return clean;
  });
  if (redactKey === null) return value;
  // All strings together: each one by itself would take as long as a whole text does.
  const joined = strings.join(separator);
  const redacted = redactKey(joined);
  if (redacted === joined) return value;
  const texts = redacted.split(separator).values();
  return mapStrings(parsed, () => texts.next().value ?? '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RemoteFailure('broken');
  }
}

/** Returns the value with each string and each member name mapped. */
function mapStrings(value: unknown, map: (text: string) => string, level = 0): unknown {
  if (level > maxDepth) throw new RemoteFailure('broken');
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, level + 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [map(name), mapStrings(item, map, level + 1)] as const);
  if (members.some(([name]) => name === '__proto__')) throw new RemoteFailure('broken');
  return Object.fromEntries(members);
}

/**
 * Reads the bytes of a response as text, up to the limit.
 * @throws RemoteFailure 'too-large' at the limit, 'cut' when the bytes break off, 'stopped' when the signal aborts
 */
export async function* readText(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal).catch(cutBy);
      if (done) return;
      size += value.byteLength;
      if (size > limits.answerBytes) throw new RemoteFailure('too-large');
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Rejects if the connection is already broken; then there is nothing to release.
    reader.cancel().catch(() => undefined);
  }
}

function cutBy(thrown: unknown): never {
  throw thrown instanceof RemoteFailure ? thrown : new RemoteFailure('cut');
}

/** Cancels the body of a response that nobody reads. */
export function discard(response: Response): void {
  // Rejects for a body that has a reader; that reader releases it.
  response.body?.cancel().catch(() => undefined);
}
