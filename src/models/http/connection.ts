/** Connection: one request of one attempt; hands the libraries a fetch and remembers how it went underneath. */
import { Aborted, ConnectionProblem, type OutgoingRequest, type Timing, send, type Transport } from './transport';

export interface Limits {
  /** For a question that a server answers at once, such as its list of models. */
  readonly connectMilliseconds: number;
  /** From sending to the first byte of the answer; a page cannot see when the connection stands. */
  readonly firstByteMilliseconds: number;
  /** Between two bytes of the answer. */
  readonly stallMilliseconds: number;
}

export const hostedLimits: Limits = {
  connectMilliseconds: 15_000,
  firstByteMilliseconds: 120_000,
  stallMilliseconds: 60_000,
};
/** A local model is loaded on the first question and reads slowly. */
export const localLimits: Limits = {
  connectMilliseconds: 15_000,
  firstByteMilliseconds: 600_000,
  stallMilliseconds: 600_000,
};

/** A long answer that arrives in one piece has no first byte before its last. */
const wholeAnswerMilliseconds = 600_000;

export interface ConnectionSettings {
  readonly transport: Transport;
  readonly pace: Timing;
  readonly signal: AbortSignal;
  readonly firstByteMilliseconds: number;
  readonly stallMilliseconds: number;
  /** The only headers that go out, besides the content type. */
  readonly headersFor: (origin: string) => Record<string, string>;
  readonly expects: 'stream' | 'json';
}

export interface Connection {
  readonly fetch: (url: string, init: { method?: string; body?: unknown }) => Promise<Response>;
  /** Why there was no answer to read. */
  problem(): ConnectionProblem | undefined;
  /** How the bytes of the answer ended; undefined while they come. */
  ending(): BodyEnding | undefined;
  /** Whether it turned out just now that this server does not let the app stream. */
  fellBack(): boolean;
}

export function openConnection(settings: ConnectionSettings): Connection {
  let problem: ConnectionProblem | undefined;
  let ending: BodyEnding | undefined;
  let fellBack = false;
  const heard = { onEnd: (how: BodyEnding) => void (ending = how), onFallBack: () => void (fellBack = true) };
  return {
    problem: () => problem,
    ending: () => ending,
    fellBack: () => fellBack,
    fetch: async (url, init) => {
      try {
        return await request(settings, outgoing(settings, url, init), heard);
      } catch (thrown) {
        if (thrown instanceof ConnectionProblem) problem = thrown;
        throw thrown;
      }
    },
  };
}

function outgoing(
  settings: ConnectionSettings,
  url: string,
  init: { method?: string; body?: unknown },
): OutgoingRequest {
  const headers = settings.headersFor(new URL(url).origin);
  if (typeof init.body !== 'string') return { url, method: 'GET', headers };
  return { url, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: init.body };
}

async function request(
  settings: ConnectionSettings,
  outgoing: OutgoingRequest,
  { onEnd, onFallBack }: { readonly onEnd: (ending: BodyEnding) => void; readonly onFallBack: () => void },
): Promise<Response> {
  const { transport, pace, signal, firstByteMilliseconds, stallMilliseconds } = settings;
  const sentAt = pace.now();
  const response = await beforeDeadline(settings, (inner, extend) =>
    send(outgoing, transport, pace, inner, (isKnown) => {
      if (settings.expects === 'stream') extend();
      if (!isKnown) onFallBack();
    }),
  );
  if (response.body === null) {
    onEnd('complete');
    return response;
  }
  const left = Math.max(0, firstByteMilliseconds - (pace.now() - sentAt));
  const body = watchBody(response.body, { pace, signal, firstByteMilliseconds: left, stallMilliseconds, onEnd });
  const { status, statusText, headers } = response;
  const watched = new Response(body, { status, statusText, headers });
  if (response.ok) await refuseOtherContent(watched, settings.expects);
  return watched;
}

/** Runs with a signal that also fires when the answer is overdue, so that the request itself is given up. */
async function beforeDeadline(
  { pace, signal, firstByteMilliseconds }: ConnectionSettings,
  run: (signal: AbortSignal, extend: () => void) => Promise<Response>,
): Promise<Response> {
  if (signal.aborted) throw new Aborted();
  const inner = new AbortController();
  const pass = (): void => inner.abort();
  let late = false;
  let disarm = (): void => undefined;
  const arm = (milliseconds: number): void => {
    disarm();
    disarm = pace.after(milliseconds, () => {
      late = true;
      inner.abort();
    });
  };
  arm(firstByteMilliseconds);
  signal.addEventListener('abort', pass);
  try {
    return await run(inner.signal, () => arm(Math.max(firstByteMilliseconds, wholeAnswerMilliseconds)));
  } catch (thrown) {
    throw late ? new ConnectionProblem('silent') : thrown;
  } finally {
    disarm();
    signal.removeEventListener('abort', pass);
  }
}

/** Login pages of hotels and gateways answer anything with a page and status 200. */
async function refuseOtherContent(response: Response, expects: ConnectionSettings['expects']): Promise<void> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('html')) {
    await response.body?.cancel();
    throw new ConnectionProblem('web-page');
  }
  if (expects === 'stream' && type.includes('application/json')) {
    throw new ConnectionProblem('not-a-stream', (await response.text()).slice(0, 4_000));
  }
}

// Watches the bytes of an answer: who ended it, whether it fell silent, and that no byte that arrived is lost.

/** 'complete' is an end in good order, which says nothing about whether the answer itself was complete. */
export type BodyEnding = 'complete' | 'reset' | 'silent' | 'stalled' | 'too-long' | 'aborted' | 'unwanted';

export interface BodyWatch {
  readonly pace: Timing;
  readonly signal: AbortSignal;
  readonly firstByteMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly onEnd: (ending: BodyEnding) => void;
}

/** No event of any provider comes near this; a line without an end would fill the memory. */
const maxLineLength = 1_048_576;
const lineFeed = 10;

/**
 * The same bytes, read as fast as they come. However the source ends, this stream ends in good order: a stream that
 * fails drops what its readers have not fetched yet, and that would be text the provider did send.
 */
function watchBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let over = false;
  let disarm = (): void => undefined;
  let close = (): void => undefined;

  const end = (ending: BodyEnding): void => {
    if (over) return;
    over = true;
    disarm();
    watch.signal.removeEventListener('abort', onAbort);
    watch.onEnd(ending);
    close();
    // The connection may be broken already; then there is nothing left to release.
    if (ending !== 'complete') reader.cancel().catch(() => undefined);
  };
  const onAbort = (): void => end('aborted');
  const arm = (milliseconds: number, ending: BodyEnding): void => {
    disarm();
    disarm = watch.pace.after(milliseconds, () => end(ending));
  };

  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    let lineLength = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (over) return;
      if (done) return end('complete');
      const lastBreak = value.lastIndexOf(lineFeed);
      lineLength = lastBreak < 0 ? lineLength + value.length : value.length - lastBreak - 1;
      if (lineLength > maxLineLength) return end('too-long');
      controller.enqueue(value);
      arm(watch.stallMilliseconds, 'stalled');
    }
  };

  return new ReadableStream<Uint8Array>({
    start(controller) {
      close = () => controller.close();
      arm(watch.firstByteMilliseconds, 'silent');
      watch.signal.addEventListener('abort', onAbort);
      if (watch.signal.aborted) onAbort();
      else pump(controller).catch(() => end('reset'));
    },
    cancel() {
      close = () => undefined;
      end('unwanted');
    },
  });
}
