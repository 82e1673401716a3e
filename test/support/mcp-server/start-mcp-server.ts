/** A loopback server of the Model Context Protocol that follows a script, and counts the calls that ran. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo, type Params } from './results';
import type { McpScript, RanCall, RecordedMcpRequest } from './script';
import { sendAnswer } from './send-answer';

export interface ScriptedMcpServer {
  /** Where it is asked. */
  url: string;
  /** What ran, in order. */
  calls: readonly RanCall[];
  requests: readonly RecordedMcpRequest[];
  /** Sessions that clients have ended. */
  ended: readonly string[];
  /** Also forgets what was counted so far; sessions go on. */
  set(script: McpScript): void;
  /** Refuses from now on the sessions that it has given. */
  endSessions(): void;
  close(): Promise<void>;
}

const allowedHeaders = 'content-type, accept, authorization, mcp-protocol-version, mcp-session-id';

/** @param port 0, the default, takes any free one */
export async function startMcpServer(first: McpScript = {}, port = 0): Promise<ScriptedMcpServer> {
  let script = first;
  let sessionCount = 0;
  const sessions = new Set<string>();
  const calls: RanCall[] = [];
  const requests: RecordedMcpRequest[] = [];
  const ended: string[] = [];
  /** Called once the client has answered the request of this id. */
  const waiting = new Map<unknown, () => void>();
  const answered = (asked: string): Promise<void> =>
    new Promise((resolve) => {
      const isThere = requests.some(({ message }) => message?.id === asked && message.method === undefined);
      if (isThere) resolve();
      else waiting.set(asked, resolve);
    });

  const pageHeaders = (): Record<string, string> => {
    if (script.cors === false) return {};
    const exposed = script.cors === 'no-session' ? '' : 'mcp-session-id';
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed };
  };

  const refusal = (recorded: RecordedMcpRequest): number | null => {
    if (script.key !== undefined && recorded.headers.authorization !== `Bearer ${script.key}`) return 401;
    if (script.session !== true || recorded.message?.method === 'initialize') return null;
    const session = recorded.headers['mcp-session-id'];
    if (session === undefined) return 400;
    return sessions.has(session) ? null : (script.expiredStatus ?? 404);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'OPTIONS') return sendPreflight(response, pageHeaders());
    const recorded = recordOf(request, await readMessage(request));
    requests.push(recorded);
    response.on('close', () => (recorded.aborted = !response.writableFinished));
    const headers = pageHeaders();
    const status = refusal(recorded);
    if (status !== null) return void response.writeHead(status, headers).end();
    if (request.method === 'DELETE') {
      ended.push(recorded.headers['mcp-session-id'] ?? '');
      sessions.delete(recorded.headers['mcp-session-id'] ?? '');
      return void response.writeHead(204, headers).end();
    }
    if (request.method !== 'POST') return void response.writeHead(405, headers).end();
    const { id, method, params } = recorded.message ?? {};
    const behaviour = script.behaviours?.[String(method)] ?? {};
    if (id === undefined || method === undefined) {
      waiting.get(id)?.();
      return void response.writeHead(behaviour.status ?? 202, headers).end();
    }
    const ownHeaders = { ...headers };
    if (method === 'initialize' && script.session === true) {
      const session = `session-${++sessionCount}`;
      sessions.add(session);
      ownHeaders['mcp-session-id'] = session;
    }
    const outcome = answerTo(script, String(method), (params ?? {}) as Params, calls);
    const body = behaviour.result === undefined ? outcome : { result: behaviour.result };
    const message = { jsonrpc: '2.0', id, ...body, ...behaviour.message };
    const isStream = script.stream === true;
    await sendAnswer({ response, recorded, behaviour, headers: ownHeaders, isStream, answered }, message);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(`The script failed: ${String(thrown)}`);
    });
  });
  // A client that is busy for a while finds its connection as it left it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    requests,
    ended,
    set(next) {
      script = next;
      calls.length = 0;
      requests.length = 0;
      ended.length = 0;
    },
    endSessions: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendPreflight(response: ServerResponse, pageHeaders: Record<string, string>): void {
  const allows = pageHeaders['access-control-allow-origin'] !== undefined;
  const allowance = {
    ...pageHeaders,
    'access-control-allow-methods': 'POST, DELETE, OPTIONS',
    'access-control-allow-headers': allowedHeaders,
  };
  response.writeHead(allows ? 204 : 403, allows ? allowance : {}).end();
}

function recordOf(request: IncomingMessage, message: Record<string, unknown> | null): RecordedMcpRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', headers, message, written: 0, aborted: false };
}

async function readMessage(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}
