/** A server on this device that records all that reaches it, for tests of what leaves and where to. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Respond = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface RecordingServer {
  readonly origin: string;
  /** Of each request, its method, address, headers, and body as JSON. */
  readonly seen: string[];
  close(): Promise<void>;
}

const running = new Set<RecordingServer>();

export async function startRecordingServer(respond: Respond): Promise<RecordingServer> {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push(JSON.stringify([request.method, request.url, request.headers, body]));
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: RecordingServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      if (!running.delete(started)) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  running.add(started);
  return started;
}

/** Ends all that a test file started. */
export async function closeRecordingServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.close()));
}
