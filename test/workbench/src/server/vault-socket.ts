/** One socket over which the page reads and changes the vault: a request for each file costs ten times as much. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData } from 'ws';
import { decodeMessages, encodeMessages, type Message } from '../vault-messages';
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

/**
 * Of the messages, `{id, method, target}` asks and `{id, status}` answers, in the order in which answers are ready.
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
      const ready: Message[] = [];
      const reply = async ({ head, body }: Message): Promise<void> => {
        const { id, method, target } = head as { id?: unknown; method?: unknown; target?: unknown };
        if (id === undefined) return socket.terminate();
        const answered = await answer(String(method), String(target), toBuffer(body));
        if (answered === null) return;
        const isFirst = ready.push({ head: { id, status: answered.status }, body: answered.bytes }) === 1;
        if (isFirst) setImmediate(() => socket.send(encodeMessages(ready.splice(0))));
      };
      socket.on('message', (data: RawData) => {
        try {
          for (const message of decodeMessages(joined(data))) void reply(message);
        } catch {
          socket.terminate();
        }
      });
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function joined(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : new Uint8Array(data);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
