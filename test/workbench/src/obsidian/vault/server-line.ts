/** How the page asks the workbench server about the vault: over one socket, which src/server/vault-socket.ts answers. */

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

const newline = 10;
const opening = 0;
const open = 1;

/** @param connect opens a socket at the server's `/api/socket`; called again after the last one has closed */
export function openSocketLine(connect: () => LineSocket): ServerLine {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let socket: LineSocket | null = null;
  let opened: Promise<void> = Promise.resolve();
  const start = (): LineSocket => {
    const started = connect();
    started.binaryType = 'arraybuffer';
    started.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const message = new Uint8Array(data);
      const headEnd = message.indexOf(newline);
      const { id, status } = JSON.parse(decode(message.subarray(0, headEnd))) as { id: number; status: number };
      waiting.get(id)?.resolve({ status, bytes: message.slice(headEnd + 1) });
      waiting.delete(id);
    });
    opened = new Promise((resolve) => {
      started.addEventListener('open', () => resolve());
      started.addEventListener('close', () => {
        resolve();
        if (socket === started) socket = null;
        for (const { reject } of waiting.values()) reject(new Error('The workbench server does not answer.'));
        waiting.clear();
      });
    });
    return started;
  };
  return async (method, target, body) => {
    socket ??= start();
    const used = socket;
    const id = ++lastId;
    const answer = new Promise<ServerAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    if (used.readyState === opening) await opened;
    if (used.readyState === open) used.send(encode(JSON.stringify({ id, method, target }), body));
    return answer;
  };
}

function encode(head: string, body: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const line = new TextEncoder().encode(`${head}\n`);
  const message = new Uint8Array(line.length + body.length);
  message.set(line);
  message.set(body, line.length);
  return message;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
