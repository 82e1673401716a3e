/** One socket over which the page reads and changes the vault: a request for each file costs ten times as much. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData } from 'ws';
import { asRefusal, Refusal, refusedInJson } from './reply';

export interface SocketAnswer {
  status: number;
  bytes: Buffer;
}

/** What pages send about the vault, as a test sees it before it is carried out. */
export interface VaultMessage {
  method: string;
  /** `/api/file` and the like. */
  route: string;
  /** The file or folder that it is about, or the empty string. */
  path: string;
  body: Buffer;
}

/**
 * Returns an answer, null to let the message through, or `silence` for no answer at all, as from a terminated process.
 */
export type Interception = (message: VaultMessage) => Promise<SocketAnswer | 'silence' | null>;

interface SocketSettings {
  /** Throws a Refusal for whoever may not use the socket. */
  admit(request: IncomingMessage): void;
  /** Null for no answer. Never rejects. */
  answer(method: string, target: string, body: Buffer): Promise<SocketAnswer | null>;
  maxBytes: number;
}

const address = '/api/socket';
const newline = 10;

/**
 * A message in either direction is a line of JSON and the bytes that belong to it: `{id, method, target}` asks and
 * `{id, status}` answers, in the order in which answers are ready.
 * @returns ends all sockets, and opens no more
 */
export function openVaultSocket(server: Server, { admit, answer, maxBytes }: SocketSettings): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBytes, perMessageDeflate: false });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    try {
      if (new URL(request.url ?? '', 'http://workbench').pathname !== address)
        throw new Refusal(404, 'There is nothing at this address.');
      admit(request);
    } catch (thrown) {
      const { status, message } = asRefusal(thrown);
      const body = refusedInJson(message);
      stream.end(
        `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // What is wrong with the connection is seen by the page when it closes.
      socket.on('error', () => socket.terminate());
      socket.on('message', async (data: RawData) => {
        const message = toBuffer(data);
        const headEnd = message.indexOf(newline);
        const { id, method, target } = readHead(message.subarray(0, Math.max(0, headEnd)));
        if (id === undefined) return socket.terminate();
        const answered = await answer(String(method), String(target), message.subarray(headEnd + 1));
        if (answered === null) return;
        const line = JSON.stringify({ id, status: answered.status });
        socket.send(Buffer.concat([Buffer.from(`${line}\n`), answered.bytes]));
      });
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function readHead(bytes: Buffer): { id?: unknown; method?: unknown; target?: unknown } {
  try {
    return (JSON.parse(bytes.toString()) ?? {}) as { id?: unknown };
  } catch {
    return {};
  }
}
