/** How the page asks the workbench server about the vault: over one socket, which src/server/vault-socket.ts answers. */
import { decodeMessages, encodeMessages, type Message } from '../../vault-messages';

export interface ServerAnswer {
  status: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** @param target the path and query of the address, such as `/api/stat?path=Note.md` */
export type ServerLine = (method: string, target: string, body?: Uint8Array) => Promise<ServerAnswer>;

/** What of WebSocket is used here. */
type LineSocket = Pick<WebSocket, 'readyState' | 'binaryType' | 'send' | 'addEventListener'>;

interface Waiting {
  resolve(answer: ServerAnswer): void;
  reject(reason: Error): void;
}

interface OpenedLine {
  socket: LineSocket;
  opened: Promise<void>;
  /** What was asked in this step of the program. */
  asked: Message[];
}

const opening = 0;
const open = 1;

/** @param connect opens a socket at the server's `/api/socket`; called again after the last one has closed */
export function openSocketLine(connect: () => LineSocket): ServerLine {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let line: OpenedLine | null = null;
  const start = (): OpenedLine => {
    const socket = connect();
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      for (const { head, body } of decodeMessages(new Uint8Array(data))) {
        const { id, status } = head as { id: number; status: number };
        waiting.get(id)?.resolve({ status, bytes: body.slice() as Uint8Array<ArrayBuffer> });
        waiting.delete(id);
      }
    });
    const opened = new Promise<void>((resolve) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('close', () => {
        resolve();
        if (line?.socket === socket) line = null;
        for (const { reject } of waiting.values()) reject(new Error('The workbench server does not answer.'));
        waiting.clear();
      });
    });
    return { socket, opened, asked: [] };
  };
  const send = async (used: OpenedLine): Promise<void> => {
    await (used.socket.readyState === opening ? used.opened : undefined);
    const messages = used.asked.splice(0);
    if (used.socket.readyState === open) used.socket.send(encodeMessages(messages));
  };
  return (method, target, body = new Uint8Array()) => {
    line ??= start();
    const id = ++lastId;
    const answer = new Promise<ServerAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    if (line.asked.push({ head: { id, method, target }, body }) === 1) void send(line);
    return answer;
  };
}
