/** Server-sent events to every open page of one kind. */
import type { ServerResponse } from 'node:http';
import { securityHeaders } from './reply';

const keepAliveMs = 15_000;

export class EventStreams {
  private readonly open = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    const keepAlive = setInterval(() => response.write(': still here\n\n'), keepAliveMs);
    this.open.add(response);
    response.on('close', () => {
      clearInterval(keepAlive);
      this.open.delete(response);
    });
  }

  send(value: unknown): void {
    for (const response of this.open) this.sendTo(response, value);
  }

  sendTo(response: ServerResponse, value: unknown): void {
    response.write(`data: ${JSON.stringify(value)}\n\n`);
  }
}
