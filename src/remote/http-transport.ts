/**
 * HttpTransport: carries the messages of one MCP server over HTTP, each request and its response in one HTTP request.
 */
import type { McpReply } from '../core/ports/network';
import type { JSONRPCMessage, MCPTransport } from './load-mcp';
import { limits, type Timing, type RedactKey } from './mcp-ports';
import { asStrict } from './read-answer';
import {
  discard,
  isRecord,
  type PlainRecord,
  type RpcId,
  type RpcMessage,
  readMessages,
  startPosition,
  type StreamPosition,
} from './read-messages';
import { RemoteFailure } from './remote-failure';
import { headerText, pause, type RequestSender, untilAborted, withDeadline } from './send-request';
import { answerQuestion, type WatchedCall } from './server-questions';

export interface TransportSettings {
  readonly way: Pick<RequestSender, 'send'>;
  readonly key: string | null;
  readonly redactKey: RedactKey;
  readonly timing: Timing;
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
  /** Whether to ask first for the revision without sessions. */
  readonly asksRevision: boolean;
  /** Whether the server is remembered to be of that revision. */
  readonly isModern: boolean;
}

type RpcRequest = JSONRPCMessage & { readonly id: RpcId; readonly method: string; readonly params?: PlainRecord };
type Answer = Extract<RpcMessage, { type: 'answer' }>;

/** What was asked of the server in one HTTP request, and who watches it. */
interface Exchange {
  readonly request: RpcRequest;
  readonly signal: AbortSignal;
  readonly headers: Record<string, string>;
  readonly watched: WatchedCall | undefined;
  /** Whether it goes without the headers of the revision without sessions. */
  readonly isBare?: boolean;
}

/** An exchange that waits for its answer. */
interface Running extends Exchange {
  /** Aborts when the exchange ends in any way; nobody is asked for it from then on. */
  readonly over: AbortSignal;
  /** Counts what the user was asked for it. */
  questions: number;
}

/** The revision without sessions: each request says all that the server must know. */
export const statelessRevision = '2026-07-28';
/** Codes of errors by which a server of that revision refuses more than the revision. */
const modernErrors: readonly number[] = [-32020, -32021];
const noSuchMethod = -32601;
/** The revision with sessions that most servers know. */
const olderRevision = '2025-06-18';
/** The session id's shape; the server chooses the id, and it is sent back in a header. */
const sessionShape = /^[\x21-\x7e]{1,1024}$/;
const lastEvent = 'last-event-id';
const changes = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/**
 * A stream that ends before the response is taken up again from its last event, if the server numbers its events. What
 * a server asks of its client is refused by the library, except questions to the user during a call.
 */
export class HttpTransport implements MCPTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the library, and only to versions that it supports. */
  protocolVersion?: string;
  readonly supportsProtocolVersionDiscovery: boolean;
  readonly waitsForProtocolVersionDiscovery = true;
  readonly supportsMcpToolParameterHeaders = true;
  /** Called when the server says, in any stream, that its catalog has changed. */
  onCatalogChanged: () => void = () => undefined;
  /** Whether the server has answered what it was asked about its revision. */
  isRevisionKnown = false;
  private session: string | null = null;
  /** By the object of arguments, which the library passes on. */
  private readonly watched = new WeakMap<object, WatchedCall>();
  /** Where the stream of what belongs to no request can be taken up again. */
  private heard = startPosition();
  /** The watched requests that wait for their answer, oldest first. */
  private running: readonly Running[] = [];
  private further = 0;
  /** Counts the replies to the server that are under way. */
  private replies = 0;

  constructor(private readonly settings: TransportSettings) {
    this.supportsProtocolVersionDiscovery = settings.asksRevision;
  }

  /** Has the call with these very arguments watched. */
  watch(args: object, call: WatchedCall): void {
    this.watched.set(args, call);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(
    message: JSONRPCMessage,
    options: { readonly signal?: AbortSignal; readonly headers?: Record<string, string> } = {},
  ): Promise<void> {
    const { signal = this.settings.closed, headers = {} } = options;
    if (!isRequest(message)) return this.notify(message, options.signal);
    const args = message.params?.arguments;
    const watched = isRecord(args) ? this.watched.get(args) : undefined;
    const request = watched === undefined ? message : withProgress(message);
    if (message.method === 'server/discover') return this.discover({ request, signal, headers, watched });
    this.onmessage?.(forLibrary(await this.answerTo({ request, signal, headers, watched }), message.id));
  }

  close(): Promise<void> {
    this.endSession();
    this.onclose?.();
    return Promise.resolve();
  }

  /**
   * Hears in a stream of its own what belongs to no request, until the server ends it: that the catalog has changed, and
   * questions that a server with sessions asks during a call. The next stream goes on after the last event of this one.
   * @throws RemoteFailure if there is no such stream
   */
  async listen(signal: AbortSignal): Promise<void> {
    const { heard } = this;
    // A server that no longer has those events, or lets no page name them, may still have a stream without them.
    this.heard = startPosition();
    const response = await this.openStream(heard.lastId, signal);
    try {
      if (!response.ok && heard.lastId !== null) throw new RemoteFailure('cut');
      this.refuseStatus(response);
      this.heard = heard;
      for await (const message of readMessages(response, this.settings.redactKey, signal, heard)) {
        if (message.type !== 'answer') this.take(message, this.running.at(-1));
      }
    } finally {
      discard(response);
    }
  }

  /** Milliseconds that the server wants to pass before that stream is opened again. */
  get listenAfter(): number {
    return this.heard.retryMilliseconds;
  }

  /** Asks for what the library does not ask for, or reads too strictly. */
  async readResult(method: string, params: PlainRecord, signal: AbortSignal): Promise<PlainRecord> {
    const request = { ...this.base(method), params: { ...params, ...this.meta } };
    const { body } = await this.answerTo({ request, signal, headers: {}, watched: undefined });
    if ('error' in body) throw new RemoteFailure('reported', body.error.code);
    return body.result;
  }

  /**
   * Returns whether a request may have failed because its session has ended. Many servers that have forgotten a session
   * say 400, which they do not say to a request that has run.
   */
  mayHaveExpired({ kind, number }: RemoteFailure): boolean {
    return kind === 'expired' || (kind === 'status' && number === 400 && this.session !== null);
  }

  private openStream(lastId: string | null, signal: AbortSignal): Promise<Response> {
    if (!this.isStateless) {
      const headers = {
        ...this.headers(),
        accept: 'text/event-stream',
        ...(lastId !== null && { [lastEvent]: lastId }),
      };
      return this.settings.way.send({ method: 'GET', headers, mayRepeat: false }, signal);
    }
    const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const request = { ...this.base('subscriptions/listen'), params: { notifications: all, ...this.meta } };
    return this.post(request, signal);
  }

  /** The members of the library's requests that say who asks, for a request of the transport's own. */
  private meta: PlainRecord = {};

  private base(method: string): RpcRequest {
    this.further += 1;
    return { jsonrpc: '2.0', id: `docent-${this.further}`, method };
  }

  private get isStateless(): boolean {
    return this.protocolVersion === statelessRevision;
  }

  /**
   * Asks for the revision. A server that does not know the question is one of an earlier revision, with any answer;
   * what else is wrong shows when it is asked to begin a session. The first question has no headers that an earlier
   * server might not let pages send; a server of the revision refuses it for that, and is asked again with them.
   */
  private async discover(exchange: Exchange): Promise<void> {
    const { request, signal } = exchange;
    const { timing, closed } = this.settings;
    const bounds = { timing, closed, signal, milliseconds: limits.probeMilliseconds };
    let isAnswered = true;
    const ask = (isBare: boolean): Promise<Answer> =>
      withDeadline(bounds, (inner) => this.answerTo({ ...exchange, isBare, signal: inner }));
    const isRefusedAsModern = ({ body }: Answer): boolean => 'error' in body && modernErrors.includes(body.error.code);
    const asked = ask(!this.settings.isModern).then((first) => (isRefusedAsModern(first) ? ask(false) : first));
    const answer = await asked.catch((thrown: unknown): Answer => {
      if (!(thrown instanceof RemoteFailure) || !leavesRevisionOpen(thrown)) throw thrown;
      isAnswered = thrown.kind !== 'cut' && thrown.kind !== 'unreachable';
      return { type: 'answer', id: request.id, body: { error: { code: noSuchMethod, message: '' } } };
    });
    this.isRevisionKnown = isAnswered;
    if ('error' in answer.body) {
      const code = modernErrors.includes(answer.body.error.code) ? answer.body.error.code : noSuchMethod;
      this.onmessage?.(forLibrary({ ...answer, body: { error: { code, message: '' } } }, request.id));
      return;
    }
    this.meta = { _meta: request.params?._meta };
    this.onmessage?.(forLibrary(answer, request.id));
  }

  /** Sends a request, and again with what the user answered for as long as the server asks for more. */
  private async answerTo(exchange: Exchange): Promise<Answer> {
    const { request, signal, watched } = exchange;
    let answer = await this.request(exchange);
    for (let round = 0; 'result' in answer.body && answer.body.result.resultType === 'input_required'; round++) {
      if (round >= limits.questions) throw new RemoteFailure('asks-on');
      const { inputRequests, requestState } = answer.body.result;
      const asked = isRecord(inputRequests) ? Object.entries(inputRequests) : [];
      const inputResponses: Record<string, McpReply> = {};
      for (const [key, input] of asked) {
        if (!isRecord(input) || input.method !== 'elicitation/create' || watched?.during.ask === undefined) {
          throw new RemoteFailure('asks-other');
        }
        const params = isRecord(input.params) ? input.params : {};
        inputResponses[key] = await untilAborted(answerQuestion(params, watched, signal), signal);
      }
      if (asked.length === 0) await pause(this.settings.timing, limits.retryMilliseconds / 4, signal);
      const params = {
        ...request.params,
        ...(asked.length > 0 && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      };
      answer = await this.request({ ...exchange, request: { ...request, id: this.base('').id, params } });
    }
    return answer;
  }

  private async request(exchange: Exchange): Promise<Answer> {
    const { request, signal, headers, watched, isBare } = exchange;
    const opened: Response[] = [];
    const over = new AbortController();
    const running: Running = { ...exchange, over: over.signal, questions: 0 };
    if (watched !== undefined) this.running = [...this.running, running];
    const position = startPosition();
    try {
      let response = await this.post(request, signal, headers, isBare);
      opened.push(response);
      // Some servers refuse a revision that they do not know, in place of naming one that they know.
      if (request.method === 'initialize' && response.status === 400 && this.settings.asksRevision) {
        const params = { ...request.params, protocolVersion: olderRevision };
        response = await this.post({ ...request, params }, signal, headers);
        opened.push(response);
      }
      if (!this.hasReadableError(response)) this.refuseStatus(response);
      if (request.method === 'initialize') this.takeSession(response);
      for (let resumed = 0; ; resumed++) {
        const answer = await this.receive(response, running, position);
        if (answer !== null) return answer;
        if (position.lastId === null || resumed >= limits.resumptions) throw new RemoteFailure('unanswered');
        response = await this.resume(position, exchange);
        opened.push(response);
      }
    } catch (thrown) {
      this.reportStopped(request, signal);
      throw thrown;
    } finally {
      over.abort();
      opened.forEach(discard);
      this.running = this.running.filter((each) => each !== running);
    }
  }

  /**
   * Reads messages up to the response to this request, because a server may leave its stream open after it.
   * @returns null if the stream ended, or broke off where it can be taken up again
   */
  private async receive(response: Response, exchange: Running, position: StreamPosition): Promise<Answer | null> {
    const { request, signal } = exchange;
    let refusals = 0;
    try {
      for await (const message of readMessages(response, this.settings.redactKey, signal, position)) {
        const isRefused =
          message.type === 'request' && message.method !== 'ping' && !asksUser(message.method, exchange);
        if (isRefused && ++refusals > limits.refusals) throw new RemoteFailure('broken');
        if (message.type !== 'answer') {
          this.take(message, exchange);
          continue;
        }
        // Some gateways repeat a number as a text.
        if (String(message.id ?? request.id) !== String(request.id)) throw new RemoteFailure('misdirected');
        return message;
      }
      this.refuseStatus(response);
    } catch (thrown) {
      const isCut = thrown instanceof RemoteFailure && thrown.kind === 'cut';
      if (!isCut || position.lastId === null) throw thrown;
    }
    return null;
  }

  /** Takes what comes before the response: notices, and what the server asks. */
  private take(message: Exclude<RpcMessage, Answer>, running?: Running): void {
    const { watched } = running ?? {};
    if (message.type === 'notification') {
      if (changes.test(message.method)) this.onCatalogChanged();
      if (message.method === 'notifications/progress') advance(message.params, running?.request, watched);
      return;
    }
    const { id, method, params = {} } = message;
    // The stream of what belongs to no request has no end, so only what waits can be counted there.
    if (running === undefined || watched === undefined || !asksUser(method, running)) {
      if (this.replies < limits.refusals) this.onmessage?.(forLibrary(message, id));
      return;
    }
    if (++running.questions > limits.questions) return;
    const { over } = running;
    // The stream is read on until then. A reply that does not arrive is missed by the server, which then ends the call.
    answerQuestion(params, watched, over)
      .then((result) => this.notify({ jsonrpc: '2.0', id, result }, over))
      .catch(() => undefined);
  }

  /**
   * Asks for the events after the last one, when the server wants to be asked. A call has begun by then, so a refusal must
   * not read as if the call itself had been refused, which may be sent again.
   */
  private async resume(
    { lastId, retryMilliseconds }: StreamPosition,
    { request, signal }: Exchange,
  ): Promise<Response> {
    await pause(this.settings.timing, Math.min(retryMilliseconds, limits.retryMilliseconds), signal);
    const headers = { ...this.headers(), accept: 'text/event-stream', [lastEvent]: lastId ?? '' };
    try {
      const response = await this.settings.way.send({ method: 'GET', headers, mayRepeat: true }, signal);
      if (!response.ok) discard(response);
      this.refuseStatus(response);
      return response;
    } catch (thrown) {
      throw request.method === 'tools/call' && !signal.aborted ? new RemoteFailure('cut') : thrown;
    }
  }

  private async notify(message: JSONRPCMessage, signal?: AbortSignal): Promise<void> {
    const { timing, closed } = this.settings;
    const bounds = { timing, closed, signal, milliseconds: limits.connectMilliseconds };
    const isReply = !('method' in message);
    if (isReply) this.replies += 1;
    const sent = withDeadline(bounds, (inner) => this.post(message, inner));
    const response = await sent.finally(() => {
      if (isReply) this.replies -= 1;
    });
    discard(response);
    this.refuseStatus(response);
  }

  private post(
    message: JSONRPCMessage,
    signal: AbortSignal,
    more: Record<string, string> = {},
    isBare = false,
  ): Promise<Response> {
    const method = 'method' in message ? message.method : '';
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method === 'initialize' ? this.authorization() : this.headers()),
      ...(this.isStateless && method !== 'initialize' && !isBare && headersOf(message)),
      ...more,
    };
    const body = JSON.stringify(message);
    // A page that may not send these headers is refused like one that may not ask at all; the next request shows it.
    const mayRepeat = method !== 'tools/call' && method !== 'server/discover' && method !== 'subscriptions/listen';
    return this.settings.way.send({ method: 'POST', headers, body, mayRepeat }, signal);
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

  /** Whether a refusal may say in JSON what is wrong, as those of the revision without sessions do. */
  private hasReadableError({ ok, status, headers }: Response): boolean {
    const isJson = headers.get('content-type')?.toLowerCase().includes('json') === true;
    return !ok && this.isStateless && isJson && (status === 400 || status === 404);
  }

  private refuseStatus({ ok, status }: Response): void {
    if (ok) return;
    const isExpired = status === 404 && this.session !== null;
    throw isExpired ? new RemoteFailure('expired') : new RemoteFailure('status', status);
  }

  /**
   * Notifies the server of a cancelled tool call so that it can stop; delivery is best effort. Without sessions, the end
   * of the request says it.
   */
  private reportStopped({ id, method }: RpcRequest, signal: AbortSignal): void {
    if (!signal.aborted || method !== 'tools/call' || this.isStateless) return;
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

const openKinds: readonly RemoteFailure['kind'][] = [
  ...(['silent', 'cut', 'unreachable', 'web-page', 'broken'] as const),
  ...(['misdirected', 'unanswered', 'too-large', 'expired'] as const),
];

/** Failures that a server of an earlier revision may give to a question that it does not know. */
function leavesRevisionOpen({ kind, number }: RemoteFailure): boolean {
  if (kind === 'status') return number !== 401 && number !== 403 && number !== 429;
  return openKinds.includes(kind);
}

/** Whether what a server asks during a call is put to the user. */
function asksUser(method: string, { watched }: Running): boolean {
  return method === 'elicitation/create' && watched?.during.ask !== undefined;
}

/** The library only keeps track of ids, so the token of a call's progress can be its id. */
function withProgress(request: RpcRequest): RpcRequest {
  const meta = isRecord(request.params?._meta) ? request.params._meta : {};
  return { ...request, params: { ...request.params, _meta: { ...meta, progressToken: request.id } } };
}

function advance(params: PlainRecord = {}, request: RpcRequest | undefined, watched: WatchedCall | undefined): void {
  const { progressToken, progress, total, message } = params;
  const meta = request?.params?._meta;
  const token = isRecord(meta) ? meta.progressToken : undefined;
  if (watched === undefined || progressToken !== token || typeof progress !== 'number') return;
  watched.patience.extend();
  watched.during.progressed?.({
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  });
}

/** The headers that repeat what a request is about; text that no header can carry is sent as base64. */
function headersOf(message: JSONRPCMessage): Record<string, string> {
  if (!isRequest(message)) return {};
  const { name, uri } = message.params ?? {};
  const about = typeof name === 'string' ? name : uri;
  return {
    'mcp-method': message.method,
    ...(typeof about === 'string' && { 'mcp-name': headerText(about) }),
  };
}

function forLibrary(message: Exclude<RpcMessage, { type: 'notification' }>, id: RpcId): JSONRPCMessage {
  if (message.type === 'answer') {
    const { body } = message;
    return { jsonrpc: '2.0', id, ...('result' in body ? { result: asStrict(body.result) } : body) };
  }
  const { method, params } = message;
  return { jsonrpc: '2.0', id: message.id, method, ...(params && { params }) };
}
