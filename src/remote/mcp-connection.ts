/** A connection to one server over HTTP, and the text of its tool results. */
import { canonicalJson } from '../core/base/equality';
import { fail, type Outcome, succeed } from '../core/ports/failure';
import type { McpAnswer, McpConnection, McpCatalog } from '../core/ports/network';
import { words } from '../text';
import { HttpTransport } from './http-transport';
import type { MCPClient } from './load-mcp';
import { limits, type Timing, type RedactKey } from './mcp-ports';
import { type Note, fetchCatalog } from './read-catalog';
import { isRecord, type PlainRecord } from './read-messages';
import { type AskedServer, failureOfProblem, isReported, problemOf, RemoteFailure } from './remote-failure';
import { untilAborted, type RequestSender, withDeadline } from './send-request';

export interface LineSettings {
  readonly server: AskedServer;
  readonly way: RequestSender;
  readonly key: string | null;
  readonly redactKey: RedactKey;
  readonly timing: Timing;
  readonly version: string;
  readonly note: Note;
}

type Run<Value> = (client: MCPClient, signal: AbortSignal) => Promise<Value>;

const maxReportLength = 4_000;
const maxLabelLength = 200;

/** A connection to one server that starts a new session when the server has ended the old one. */
export class HttpMcpConnection implements McpConnection {
  private readonly closing = new AbortController();
  private client: MCPClient | null = null;
  private renewal: Promise<MCPClient> | null = null;

  constructor(private readonly settings: LineSettings) {}

  async open(signal: AbortSignal): Promise<Outcome<McpConnection>> {
    const outcome = await this.settle(async () => {
      this.client = await this.beginReadable(signal);
      return this.toPublic();
    });
    // Aborts requests that are still running for a connection that failed to open.
    if (!outcome.ok) this.close();
    return outcome;
  }

  readCatalog(signal: AbortSignal): Promise<Outcome<McpCatalog>> {
    const { server, note } = this.settings;
    return this.settle(() => fetchCatalog((run) => this.ask(limits.listMilliseconds, signal, run), server.name, note));
  }

  /**
   * Calls a tool. An error that the server reports for the call is its result, so that its text counts as untrusted.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Outcome<McpAnswer>> {
    const call: Run<McpAnswer> = async (client, inner) => {
      try {
        return formatToolResult(await client.callTool({ name, arguments: { ...args }, options: { signal: inner } }));
      } catch (thrown) {
        if (!isReported(thrown)) throw thrown;
        return { text: thrown.message.slice(0, maxReportLength), isError: true };
      }
    };
    return this.settle(() => this.ask(limits.callMilliseconds, signal, call), true);
  }

  close(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    this.client?.close().catch(() => undefined);
  }

  /** Returns an object without access to the API key, even for code that serializes it. */
  private toPublic(): McpConnection {
    return {
      readCatalog: (signal) => this.readCatalog(signal),
      callTool: (name, args, signal) => this.callTool(name, args, signal),
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
    return withDeadline({ timing, milliseconds, signal, closed: this.closing.signal }, async (inner) => {
      const { client } = this;
      if (client === null) throw new RemoteFailure('closed');
      try {
        return await run(client, inner);
      } catch (thrown) {
        if (!(thrown instanceof RemoteFailure) || thrown.kind !== 'expired') throw thrown;
      }
      return run(await untilAborted(this.renew(client), inner), inner);
    });
  }

  /** Starts a new session, shared by all requests that find the same session expired. */
  private renew(used: MCPClient): Promise<MCPClient> {
    if (this.client !== used && this.client !== null) return Promise.resolve(this.client);
    this.renewal ??= this.begin(this.closing.signal)
      .then((client) => (this.client = client))
      .finally(() => (this.renewal = null));
    return this.renewal;
  }

  /**
   * Starts the first session. Many servers allow cross-origin requests but hide the session id from the page, then
   * refuse requests without it; for those it retries through `requestUrl`.
   */
  private async beginReadable(signal: AbortSignal): Promise<MCPClient> {
    try {
      return await this.begin(signal);
    } catch (thrown) {
      const isRefused = thrown instanceof RemoteFailure && thrown.kind === 'status' && thrown.number === 400;
      if (!isRefused || !this.settings.way.switchToRequestUrl()) throw thrown;
      return this.begin(signal);
    }
  }

  private begin(signal: AbortSignal): Promise<MCPClient> {
    const { timing, way, key, redactKey, version } = this.settings;
    const closed = this.closing.signal;
    return withDeadline({ timing, milliseconds: limits.connectMilliseconds, signal, closed }, async (inner) => {
      const { createMCPClient } = await import('./load-mcp');
      return createMCPClient({
        transport: new HttpTransport({ way, key, redactKey, timing, closed }),
        clientName: 'docent',
        version,
        capabilities: {},
        maxRetries: 0,
        protocolVersionDiscovery: false,
        initializationOptions: { signal: inner },
      });
    });
  }
}

/**
 * Formats the parts of a tool result as text; parts without text are described in words. Structured content is added
 * unless a text is the same JSON: servers may put the rows there and only a sentence into the text.
 * @param result what the library accepted as a tool result
 */
function formatToolResult(result: PlainRecord): McpAnswer {
  const { content, structuredContent, isError } = result;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts
    .filter(isRecord)
    .map(textOf)
    .filter((text) => text.trim() !== '');
  if (isRecord(structuredContent) && !texts.some((text) => isSameJson(text, structuredContent))) {
    texts.push(JSON.stringify(structuredContent));
  }
  return { text: texts.join('\n\n'), isError: isError === true };
}

function isSameJson(text: string, value: PlainRecord): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}

function textOf(part: PlainRecord): string {
  const { type, text, uri, name, resource, data, mimeType } = part;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource' && isRecord(resource)) return textOfResource(resource);
  if (type === 'resource_link') return words.remote.link(labelOf(name), labelOf(uri));
  if (typeof data === 'string') return words.remote.partLeftOut(labelOf(type), labelOf(mimeType), kilobytesOf(data));
  return words.remote.unknownPart(labelOf(type));
}

function textOfResource({ uri, text, blob, mimeType }: PlainRecord): string {
  if (typeof text === 'string') return `${labelOf(uri)}\n${text}`;
  const size = typeof blob === 'string' ? kilobytesOf(blob) : 0;
  return words.remote.partLeftOut(labelOf(uri), labelOf(mimeType), size);
}

/** Returns a short single line, because it appears inside Docent's own words. */
function labelOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, maxLabelLength) : '';
}

function kilobytesOf(base64: string): number {
  return Math.max(1, Math.round((base64.length * 3) / 4 / 1024));
}
