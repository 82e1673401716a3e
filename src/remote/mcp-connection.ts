/** A connection to one server over HTTP: its revision, its requests, and what it says by itself. */
import { startOf } from '../core/base/cut';
import { fail, type Outcome, succeed } from '../core/ports/failure';
import type { McpAnswer, McpCallPorts, McpConnection, McpCatalog } from '../core/ports/network';
import { words } from '../text';
import { HttpTransport, statelessRevision } from './http-transport';
import type { MCPClient } from './load-mcp';
import { limits, type McpPorts, type Timing, type RedactKey } from './mcp-ports';
import { type AskList, type Note, fetchCatalog, promptMethod } from './read-catalog';
import { formatPrompt, formatResource, formatToolResult } from './read-answer';
import { type AskedServer, failureOfProblem, isReported, problemOf, RemoteFailure } from './remote-failure';
import { type Patience, pause, untilAborted, type RequestSender, withDeadline } from './send-request';

export interface LineSettings {
  readonly server: AskedServer;
  readonly way: RequestSender;
  readonly key: string | null;
  readonly redactKey: RedactKey;
  readonly timing: Timing;
  readonly version: string;
  readonly note: Note;
  readonly memory?: McpPorts['memory'];
}

/** A client of the library, and the transport under it. */
interface Line {
  readonly client: MCPClient;
  readonly transport: HttpTransport;
}

type Run<Value> = (client: MCPClient, signal: AbortSignal, patience: Patience, line: Line) => Promise<Value>;

const maxReportLength = 4_000;

/** A connection to one server that starts a new session when the server has ended the old one. */
export class HttpMcpConnection implements McpConnection {
  private readonly closing = new AbortController();
  private line: Line | null = null;
  private renewal: Promise<Line> | null = null;
  private changed: (() => void) | null = null;
  /** The stream of changes that is heard, and the session that it belongs to. */
  private listening: { readonly line: Line | null; readonly stop: AbortController } | null = null;
  /** What was left out of the catalog that was read last, in words. */
  private missing: readonly string[] = [];
  /** The revision of the server, as far as it is known. */
  private revision: string | null = null;

  constructor(private readonly settings: LineSettings) {}

  async open(signal: AbortSignal): Promise<Outcome<McpConnection>> {
    const outcome = await this.settle(async () => {
      this.line = await this.beginReadable(signal);
      return this.toPublic();
    });
    // Aborts requests that are still running for a connection that failed to open.
    if (!outcome.ok) this.close();
    return outcome;
  }

  readCatalog(signal: AbortSignal): Promise<Outcome<McpCatalog>> {
    const { server, note } = this.settings;
    const omissions: string[] = [];
    const hear = (said: string): void => {
      if (omissions.length >= limits.omissions || omissions.includes(said)) return;
      omissions.push(said);
      note(said);
    };
    this.missing = omissions;
    const ask: AskList = (run) =>
      this.ask(limits.listMilliseconds, signal, (client, inner, _patience, { transport }) =>
        run(client, inner, transport),
      );
    return this.settle(() => fetchCatalog(ask, server.name, hear));
  }

  /**
   * Calls a tool. An error that the server reports for the call is its result, so that its text counts as untrusted.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    during: McpCallPorts = {},
  ): Promise<Outcome<McpAnswer>> {
    const call: Run<McpAnswer> = async (client, inner, patience, { transport }) => {
      const own = { ...args };
      let hasLeftOut = false;
      transport.watch(own, { during, patience, leftOut: () => (hasLeftOut = true) });
      const called = client.callTool({ name, arguments: own, options: { signal: inner } });
      const answer = await called.then(formatToolResult, reportOf);
      return hasLeftOut ? { ...answer, text: `${words.remote.questionLeftOut}\n\n${answer.text}` } : answer;
    };
    return this.settle(() => this.ask(limits.callMilliseconds, signal, call), true);
  }

  /** Reads a resource. An error that the server reports is the result, as for a call. */
  readResource(uri: string, signal: AbortSignal): Promise<Outcome<McpAnswer>> {
    const read: Run<McpAnswer> = (client, inner) =>
      client.readResource({ uri, options: { signal: inner } }).then(formatResource, reportOf);
    return this.settle(() => this.ask(limits.callMilliseconds, signal, read));
  }

  fillPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Outcome<string>> {
    const fill: Run<string> = async (_client, inner, _patience, { transport }) => {
      const text = formatPrompt(await transport.readResult(promptMethod, { name, arguments: args }, inner));
      if (text === '') throw new RemoteFailure('broken');
      return text;
    };
    return this.settle(() => this.ask(limits.callMilliseconds, signal, fill));
  }

  /**
   * Hears of changes: in every stream, and in one of its own. That one is opened again when it ends, ever later if it
   * ends at once, until it cannot be opened several times in a row, and with each new session.
   */
  watch(changed: () => void): void {
    this.changed = changed;
    this.keepListening();
  }

  private keepListening(): void {
    const { line, closing } = this;
    if (this.changed === null || closing.signal.aborted || this.listening?.line === line) return;
    // A server that has ended a session may leave its stream open.
    this.listening?.stop.abort();
    const own = { line, stop: new AbortController() };
    this.listening = own;
    const heard = this.listen(line, own.stop.signal).catch(() => undefined);
    void heard.finally(() => {
      if (this.listening === own) this.listening = null;
    });
  }

  private async listen(line: Line | null, signal: AbortSignal): Promise<void> {
    const { timing, way } = this.settings;
    const { listenMilliseconds: least, listenMostMilliseconds: most, listenFailures } = limits;
    let endedAtOnce = 0;
    for (let failures = 0; failures < listenFailures && !signal.aborted && !way.isBuffered();) {
      let hasLasted = false;
      const disarm = timing.after(least, () => (hasLasted = true));
      try {
        await line?.transport.listen(signal);
        failures = 0;
        endedAtOnce = hasLasted ? 0 : endedAtOnce + 1;
      } catch (thrown) {
        if (thrown instanceof RemoteFailure && thrown.kind === 'status') return;
        failures += 1;
        endedAtOnce = 0;
      } finally {
        disarm();
      }
      const wait = Math.min(least * 2 ** Math.max(0, endedAtOnce - 1), most);
      const asked = Math.min(line?.transport.listenAfter ?? 0, limits.listenAskedMilliseconds);
      await pause(timing, Math.max(wait, asked), signal);
    }
  }

  close(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    this.listening?.stop.abort();
    this.line?.client.close().catch(() => undefined);
  }

  /** Returns an object without access to the API key, even for code that serializes it. */
  private toPublic(): McpConnection {
    return {
      readCatalog: (signal) => this.readCatalog(signal),
      omissions: () => this.missing,
      callTool: (name, args, signal, during) => this.callTool(name, args, signal, during),
      readResource: (uri, signal) => this.readResource(uri, signal),
      fillPrompt: (name, args, signal) => this.fillPrompt(name, args, signal),
      watch: (changed) => this.watch(changed),
      close: () => this.close(),
    };
  }

  private async settle<Value>(work: () => Promise<Value>, isCall = false): Promise<Outcome<Value>> {
    try {
      return succeed(await work());
    } catch (thrown) {
      return fail(failureOfProblem(problemOf(thrown), this.settings.server, isCall));
    }
  }

  /** Runs a request. One refused because its session expired did not run, so it is sent once more in a new session. */
  private ask<Value>(milliseconds: number, signal: AbortSignal, run: Run<Value>): Promise<Value> {
    const { timing } = this.settings;
    return withDeadline({ timing, milliseconds, signal, closed: this.closing.signal }, async (inner, patience) => {
      const { line } = this;
      if (line === null) throw new RemoteFailure('closed');
      try {
        return await run(line.client, inner, patience, line);
      } catch (thrown) {
        if (!(thrown instanceof RemoteFailure) || !line.transport.mayHaveExpired(thrown)) throw thrown;
      }
      const renewed = await untilAborted(this.renew(line), inner);
      return run(renewed.client, inner, patience, renewed);
    });
  }

  /** Starts a new session, shared by all requests that find the same session expired. */
  private renew(used: Line): Promise<Line> {
    if (this.line !== used && this.line !== null) return Promise.resolve(this.line);
    this.renewal ??= this.begin(this.closing.signal)
      .then((line) => {
        this.line = line;
        this.keepListening();
        return line;
      })
      .finally(() => (this.renewal = null));
    return this.renewal;
  }

  /**
   * Starts the first session. Many servers allow cross-origin requests but hide the session id from the page, then
   * refuse requests without it; for those it retries through `requestUrl`.
   */
  private async beginReadable(signal: AbortSignal): Promise<Line> {
    try {
      return await this.begin(signal);
    } catch (thrown) {
      const isRefused = thrown instanceof RemoteFailure && thrown.kind === 'status' && thrown.number === 400;
      if (!isRefused || !this.settings.way.switchToRequestUrl()) throw thrown;
      return this.begin(signal);
    }
  }

  /**
   * Asks the server for its revision, unless it is remembered to be an earlier one. Asks again if it refuses to begin a
   * session and has not answered that: it may have changed, or a page may not have been allowed to ask.
   */
  private async begin(signal: AbortSignal): Promise<Line> {
    const { memory } = this.settings;
    const key = revisionKey(this.settings.server.address);
    const known = this.revision ?? memory?.get(key) ?? null;
    const isModern = known === statelessRevision;
    const first = this.transport(known === null || isModern, isModern);
    const line = await this.beginOver(first, signal).catch((thrown: unknown) => {
      const isStatus = thrown instanceof RemoteFailure && thrown.kind === 'status' && refusals.includes(thrown.number);
      const isRefused = isStatus || isReported(thrown);
      // The library has set the revision of a server with sessions by now.
      if (first.isRevisionKnown) this.revision = first.protocolVersion ?? null;
      if (!isRefused || first.isRevisionKnown) throw thrown;
      return this.beginOver(this.transport(true, false), signal);
    });
    const { protocolVersion } = line.client.initializeResult;
    this.revision = protocolVersion;
    if (protocolVersion !== memory?.get(key)) memory?.set(key, protocolVersion);
    return line;
  }

  private transport(asksRevision: boolean, isModern: boolean): HttpTransport {
    const { timing, way, key, redactKey } = this.settings;
    const closed = this.closing.signal;
    const transport = new HttpTransport({ way, key, redactKey, timing, closed, asksRevision, isModern });
    transport.onCatalogChanged = () => this.changed?.();
    return transport;
  }

  private beginOver(transport: HttpTransport, signal: AbortSignal): Promise<Line> {
    const { timing, version } = this.settings;
    const closed = this.closing.signal;
    return withDeadline({ timing, milliseconds: limits.connectMilliseconds, signal, closed }, async (inner) => {
      const { createMCPClient } = await import('./load-mcp');
      const client = await createMCPClient({
        transport,
        clientName: 'docent',
        version,
        capabilities: { elicitation: { form: {}, url: {} } },
        maxRetries: 0,
        initializationOptions: { signal: inner },
      });
      return { client, transport };
    });
  }
}

/** Statuses by which a server refuses to begin a session because it knows none. */
const refusals: readonly number[] = [400, 404, 405, 406, 415, 422];

function revisionKey(address: string): string {
  return `mcp-revision-${address}`;
}

/** Returns an error that the server reported as its answer. */
function reportOf(thrown: unknown): McpAnswer {
  if (!isReported(thrown)) throw thrown;
  return { text: startOf(thrown.message, maxReportLength), isError: true };
}
