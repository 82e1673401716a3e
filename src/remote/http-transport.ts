/**
 * HttpTransport: carries the messages of one MCP session over HTTP, each request and its response in one HTTP request.
 */
import type { JSONRPCMessage, MCPTransport } from './load-mcp';
import { limits, type Timing, type RedactKey } from './mcp-ports';
import { discard, type RpcMessage, readMessages, startPosition, type StreamPosition } from './read-messages';
import { RemoteFailure } from './remote-failure';
import { type RequestSender, untilAborted, withDeadline } from './send-request';

export interface TransportSettings {
  readonly way: Pick<RequestSender, 'send'>;
  readonly key: string | null;
  readonly redactKey: RedactKey;
  readonly timing: Timing;
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
}

type RpcRequest = JSONRPCMessage & { readonly id: string | number; readonly method: string };

/** The session id's shape; the server chooses the id, and it is sent back in a header. */
const sessionShape = /^[\x21-\x7e]{1,1024}$/;

/**
 * Opens no stream of its own; one that ends before the response is taken up again from its last event, if the server
 * numbers its events. A server can send requests only until its response ends, and the library refuses them because it
 * announces no capabilities.
 */
export class HttpTransport implements MCPTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the library, and only to versions that it supports. */
  protocolVersion?: string;
  private session: string | null = null;

  constructor(private readonly settings: TransportSettings) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage, options?: { readonly signal?: AbortSignal }): Promise<void> {
    if (isRequest(message)) return this.request(message, options?.signal ?? this.settings.closed);
    await this.notify(message, options?.signal);
  }

  close(): Promise<void> {
    this.endSession();
    this.onclose?.();
    return Promise.resolve();
  }

  private async request(request: RpcRequest, signal: AbortSignal): Promise<void> {
    const opened: Response[] = [];
    const position = startPosition();
    try {
      let response = await this.post(request, signal);
      opened.push(response);
      this.refuseStatus(response);
      if (request.method === 'initialize') this.takeSession(response);
      for (let resumed = 0; !(await this.receive(response, request, signal, position)); resumed++) {
        if (position.lastId === null || resumed >= limits.resumptions) throw new RemoteFailure('unanswered');
        response = await this.resume(position, signal);
        opened.push(response);
        this.refuseStatus(response);
      }
    } catch (thrown) {
      this.reportStopped(request, signal);
      throw thrown;
    } finally {
      opened.forEach(discard);
    }
  }

  /**
   * Reads messages up to the response to this request, because a server may leave its stream open after it.
   * @returns whether the response came; false if the stream ended, or broke off where it can be taken up again
   */
  private async receive(
    response: Response,
    request: RpcRequest,
    signal: AbortSignal,
    position: StreamPosition,
  ): Promise<boolean> {
    let requests = 0;
    try {
      for await (const message of readMessages(response, this.settings.redactKey, signal, position)) {
        if (message.type === 'request' && ++requests > limits.refusals) throw new RemoteFailure('broken');
        if (message.type === 'answer' && (message.id ?? request.id) !== request.id) {
          throw new RemoteFailure('misdirected');
        }
        if (message.type !== 'notification') this.onmessage?.(forLibrary(message, request.id));
        if (message.type === 'answer') return true;
      }
    } catch (thrown) {
      const isCut = thrown instanceof RemoteFailure && thrown.kind === 'cut';
      if (!isCut || position.lastId === null) throw thrown;
    }
    return false;
  }

  /** Asks for the events after the last one, when the server wants to be asked. */
  private async resume({ lastId, retryMilliseconds }: StreamPosition, signal: AbortSignal): Promise<Response> {
    const wait = Math.min(retryMilliseconds, limits.retryMilliseconds);
    let disarm = (): void => undefined;
    const waited = new Promise<void>((resolve) => (disarm = this.settings.timing.after(wait, resolve)));
    await untilAborted(waited, signal).finally(disarm);
    const headers = { ...this.headers(), accept: 'text/event-stream', 'last-event-id': lastId ?? '' };
    return this.settings.way.send({ method: 'GET', headers, mayRepeat: true }, signal);
  }

  private async notify(message: JSONRPCMessage, signal?: AbortSignal): Promise<void> {
    const { timing, closed } = this.settings;
    const bounds = { timing, closed, signal, milliseconds: limits.connectMilliseconds };
    const response = await withDeadline(bounds, (inner) => this.post(message, inner));
    discard(response);
    this.refuseStatus(response);
  }

  private post(message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
    const method = 'method' in message ? message.method : '';
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method === 'initialize' ? this.authorization() : this.headers()),
    };
    const body = JSON.stringify(message);
    return this.settings.way.send({ method: 'POST', headers, body, mayRepeat: method !== 'tools/call' }, signal);
  }

  private headers(): Record<string, string> {
    return {
      ...this.authorization(),
      ...(this.protocolVersion !== undefined && { 'mcp-protocol-version': this.protocolVersion }),
      ...(this.session !== null && { 'mcp-session-id': this.session }),
    };
  }

  private authorization(): Record<string, string> {
    const { key } = this.settings;
    return key === null ? {} : { authorization: `Bearer ${key}` };
  }

  private takeSession(response: Response): void {
    const session = response.headers.get('mcp-session-id') ?? '';
    this.session = sessionShape.test(session) ? session : null;
  }

  private refuseStatus({ ok, status }: Response): void {
    if (ok) return;
    const isExpired = status === 404 && this.session !== null;
    throw isExpired ? new RemoteFailure('expired') : new RemoteFailure('status', status);
  }

  /** Notifies the server of a cancelled tool call so that it can stop; delivery is best effort. */
  private reportStopped({ id, method }: RpcRequest, signal: AbortSignal): void {
    if (!signal.aborted || method !== 'tools/call') return;
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } } as const;
    this.notify(notice).catch(() => undefined);
  }

  private endSession(): void {
    if (this.session === null) return;
    const { timing, way } = this.settings;
    const request = { method: 'DELETE', headers: this.headers(), mayRepeat: true } as const;
    this.session = null;
    const bounds = { timing, milliseconds: limits.connectMilliseconds };
    // The connection is closed either way; a server that misses this drops the session on its own.
    withDeadline(bounds, (inner) => way.send(request, inner)).then(discard, () => undefined);
  }
}

function isRequest(message: JSONRPCMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}

function forLibrary(message: Exclude<RpcMessage, { type: 'notification' }>, id: string | number): JSONRPCMessage {
  if (message.type === 'answer') return { jsonrpc: '2.0', id, ...message.body };
  const { method, params } = message;
  return { jsonrpc: '2.0', id: message.id, method, ...(params && { params }) };
}
