/** Writes an answer of the scripted server, with the faults that its script injects on the way. */
import type { ServerResponse } from 'node:http';
import type { Behaviour, RecordedMcpRequest } from './script';

export interface Sending {
  response: ServerResponse;
  recorded: RecordedMcpRequest;
  behaviour: Behaviour;
  headers: Record<string, string>;
  isStream: boolean;
  /** Resolves when the client has answered the request of this id. */
  answered: (id: string) => Promise<void>;
}

export async function sendAnswer(sending: Sending, message: object): Promise<void> {
  const { response, behaviour, headers, isStream } = sending;
  if (behaviour.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delay));
  if (behaviour.hang === 'headers') return;
  if (behaviour.cut === 'headers') return void response.destroy();
  const isEvents = isStream || behaviour.before !== undefined || behaviour.every !== undefined;
  const type = behaviour.type ?? (isEvents ? 'text/event-stream' : 'application/json');
  const status = behaviour.status ?? 200;
  response.writeHead(status, { ...headers, 'content-type': type, ...behaviour.headers });
  if (behaviour.flood !== undefined) return flood(sending, behaviour.flood, isEvents);
  const { id } = message as { id?: unknown };
  const sentBefore = typeof behaviour.before === 'function' ? behaviour.before(id) : (behaviour.before ?? []);
  const first = sentBefore.map(eventOf).join('');
  const isPaused = behaviour.awaits !== undefined || behaviour.every !== undefined;
  if (isPaused) await pauseWithin(sending, first, id);
  const before = isPaused ? '' : first;
  const answer = isEvents ? eventOf(message) : JSON.stringify(message);
  const body = behaviour.raw ?? (status === 200 ? before + answer : '');
  const isPart = behaviour.hang === 'body' || behaviour.cut === 'body';
  const some = isPart ? body.slice(0, Math.floor(body.length / 2)) : body;
  await write(sending, some);
  if (behaviour.cut === 'body') return void response.destroy();
  if (isPart || behaviour.staysOpen === true) return;
  response.end();
}

/** Writes what comes before the answer, and waits until that may come. */
async function pauseWithin(sending: Sending, first: string, id: unknown): Promise<void> {
  const { behaviour, answered, response } = sending;
  await write(sending, first);
  const { count = 0, event } = behaviour.every ?? {};
  for (let at = 0; at < count && event !== undefined && !response.destroyed; at++) {
    await write(sending, eventOf(event(at, id)));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (behaviour.awaits !== undefined) await answered(behaviour.awaits);
}

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

async function write({ response, recorded, behaviour }: Sending, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const size = behaviour.chunkBytes ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    const chunk = bytes.subarray(at, at + size);
    recorded.written += chunk.length;
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
  }
}

/** Writes only as fast as the client reads, so that the number of bytes written shows how much the client read. */
async function flood({ response, recorded }: Sending, size: number, isEvents: boolean): Promise<void> {
  const chunk = Buffer.alloc(65_536, 'x');
  const start = '{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"';
  response.write(isEvents ? `data: ${start}` : start);
  for (let sent = 0; sent < size && !response.destroyed; sent += chunk.length) {
    recorded.written += chunk.length;
    if (response.write(chunk)) continue;
    await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end);
      response.off('close', end);
      resolve();
    };
    response.on('drain', end);
    response.on('close', end);
  });
}
