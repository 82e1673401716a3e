/**
 * Connection: the HTTP request of one attempt. Gives the libraries a fetch function and records what happened below it.
 */
import { concatBytes } from '@noble/hashes/utils.js';
import type { JoinEvents } from './join-events';
import { Aborted, ConnectionProblem, type OutgoingRequest, type Timing, send, type Transport } from './transport';

export interface Limits {
  /** For a request with an immediate response, such as the list of models. */
  readonly connectMilliseconds: number;
  /** From sending to the first byte of the response; a page cannot observe when the connection is established. */
  readonly firstByteMilliseconds: number;
  /** Between two bytes of the response. */
  readonly stallMilliseconds: number;
}

export const hostedLimits: Limits = {
  connectMilliseconds: 15_000,
  firstByteMilliseconds: 120_000,
  stallMilliseconds: 60_000,
};
/** Longer, because a local model is loaded on the first request and reads slowly. */
export const localLimits: Limits = {
  connectMilliseconds: 15_000,
  firstByteMilliseconds: 600_000,
  stallMilliseconds: 600_000,
};

/** The time limit of a buffered response, which has no first byte before its last. */
const wholeAnswerMilliseconds = 600_000;

export interface ConnectionSettings {
  readonly transport: Transport;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly firstByteMilliseconds: number;
  readonly stallMilliseconds: number;
  /** The only headers that are sent, besides the content type. */
  readonly headersFor: (origin: string) => Record<string, string>;
  readonly expects: 'stream' | 'json';
  /** Joins events that arrive at once. */
  readonly join?: JoinEvents | undefined;
}

/** 'complete' means an orderly end of the bytes, which says nothing about whether the answer was complete. */
export type BodyEnding = 'complete' | 'reset' | 'silent' | 'stalled' | 'too-long' | 'aborted' | 'unwanted';

export interface Connection {
  readonly fetch: (url: string, init: { method?: string; body?: unknown }) => Promise<Response>;
  /** Returns why there was no response to read. */
  problem(): ConnectionProblem | undefined;
  /** Returns how the bytes of the response ended; undefined while they arrive. */
  ending(): BodyEnding | undefined;
  /** Returns the text with which a successful response begins. */
  beginning(): string;
  /** Returns whether this request discovered that the server does not allow streaming. */
  fellBack(): boolean;
}

export function openConnection(settings: ConnectionSettings): Connection {
  let problem: ConnectionProblem | undefined;
  let ending: BodyEnding | undefined;
  let fellBack = false;
  let beginning = '';
  const heard = {
    onEnd: (how: BodyEnding) => void (ending = how),
    onFallBack: () => void (fellBack = true),
    onStart: (text: string) => void (beginning += text),
  };
  return {
    beginning: () => beginning,
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
  // An answer that was stopped may end in half of a character, with which servers refuse each request from then on.
  const body = init.body.replace(halfCharacter, (found) => (found === escapedBackslash ? found : '\ufffd'));
  return { url, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
}

const escapedBackslash = '\\\\';
/** In JSON, a backslash, or half of a surrogate pair, which is written as an escape only if the other half is missing. */
const halfCharacter = /\\(?:\\|ud[89a-f][\da-f]{2})/g;

async function request(
  settings: ConnectionSettings,
  outgoing: OutgoingRequest,
  { onEnd, onFallBack, onStart }: Pick<BodyWatch, 'onEnd' | 'onStart'> & { readonly onFallBack: () => void },
): Promise<Response> {
  const { transport, timing, signal, firstByteMilliseconds, stallMilliseconds, join } = settings;
  const sentAt = timing.now();
  let limit = firstByteMilliseconds;
  const response = await beforeDeadline(settings, (inner, extend) =>
    send(outgoing, transport, timing, inner, (isFound) => {
      if (settings.expects !== 'stream') return false;
      limit = extend();
      if (isFound) onFallBack();
      return true;
    }),
  );
  if (response.body === null) {
    onEnd('complete');
    return response;
  }
  const left = Math.max(0, limit - (timing.now() - sentAt));
  const { expects } = settings;
  const isLines = expects === 'stream' && response.ok;
  const maxLength = expects !== 'stream' ? maxJsonLength : isLines ? maxEventLength(outgoing) : maxLineLength;
  const watch = {
    timing,
    signal,
    firstByteMilliseconds: left,
    stallMilliseconds,
    onEnd,
    onStart,
    // The body of an error has no events.
    join: isLines ? join : undefined,
    maxLength,
    isLines,
  };
  const body = watchBody(response.body, watch);
  const { status, statusText, headers } = response;
  const watched = new Response(body, { status, statusText, headers });
  if (response.ok) await refuseOtherContent(watched, expects);
  return watched;
}

/** Runs with a signal that also aborts when the response is overdue, so that the request itself stops. */
async function beforeDeadline(
  { timing, signal, firstByteMilliseconds }: ConnectionSettings,
  run: (signal: AbortSignal, extend: () => number) => Promise<Response>,
): Promise<Response> {
  if (signal.aborted) throw new Aborted();
  const inner = new AbortController();
  const pass = (): void => inner.abort();
  let late = false;
  let limit = firstByteMilliseconds;
  let disarm = (): void => undefined;
  const arm = (milliseconds: number): number => {
    disarm();
    limit = milliseconds;
    disarm = timing.after(milliseconds, () => {
      late = true;
      inner.abort();
    });
    return milliseconds;
  };
  arm(firstByteMilliseconds);
  signal.addEventListener('abort', pass);
  try {
    return await run(inner.signal, () => arm(Math.max(firstByteMilliseconds, wholeAnswerMilliseconds)));
  } catch (thrown) {
    throw late ? new ConnectionProblem('silent', '', limit) : thrown;
  } finally {
    disarm();
    signal.removeEventListener('abort', pass);
  }
}

/** Refuses web pages: login pages of hotels and gateways respond to anything with a page and status 200. */
async function refuseOtherContent(response: Response, expects: ConnectionSettings['expects']): Promise<void> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('html')) {
    await response.body?.cancel();
    throw new ConnectionProblem('web-page');
  }
  if (expects === 'stream' && type.includes('application/json')) {
    throw new ConnectionProblem('not-a-stream', (await response.text()).slice(0, maxBeginning));
  }
}

interface BodyWatch {
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly firstByteMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly onEnd: (ending: BodyEnding) => void;
  /** Receives the first texts of the body. */
  readonly onStart: (text: string) => void;
  readonly join?: JoinEvents | undefined;
  /** In bytes: of a line, or of the whole body. */
  readonly maxLength: number;
  /** Whether each line is read and dropped; any other body, such as that of an error, is stored in memory as a whole. */
  readonly isLines: boolean;
}

/**
 * Milliseconds, less than a frame of a screen: each chunk costs the libraries as much as many events in one, and what
 * is drawn once a frame is no later for it.
 */
const gatherTime = 12;
/** The same where this many chunks came within that time: text that comes so fast is drawn far less often. */
const fastGatherTime = 36;
const fastChunks = 4;

/** Gathered: passes a chunk on at once, and those that follow it closely together. */
class Gathered {
  private chunks: Uint8Array[] = [];
  private passedAt = Number.NEGATIVE_INFINITY;
  private wait = gatherTime;
  private disarm: (() => void) | null = null;

  constructor(
    private readonly timing: Timing,
    private readonly onBytes: (bytes: Uint8Array) => void,
  ) {}

  take(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    // A hidden window's timers may wait for a minute, so what arrives later looks at the clock itself.
    if (this.timing.now() - this.passedAt >= this.wait) this.pass();
    else this.disarm ??= this.timing.after(this.wait, () => this.pass());
  }

  /** Passes on what waits. */
  pass(): void {
    const { chunks } = this;
    this.drop();
    if (chunks.length === 0) return;
    this.wait = chunks.length < fastChunks ? gatherTime : fastGatherTime;
    this.passedAt = this.timing.now();
    this.onBytes(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : concatBytes(...chunks));
  }

  /** Forgets what waits. */
  drop(): void {
    this.disarm?.();
    this.disarm = null;
    this.chunks = [];
  }
}

/**
 * The maximum length of a line, far above what any provider says in an event; a line without an end would fill the
 * memory.
 */
const maxLineLength = 1_048_576;
/** Bytes of a character that is written as `\u1234`. */
const escapedLength = 6;
/** The maximum length of JSON, such as a list of models, which is often one line. */
const maxJsonLength = 16_777_216;
const lineFeed = 10;
/** In bytes; enough for the words of an error. */
const maxBeginning = 4_000;

/** Returns the maximum length of an event: OpenAI repeats the instructions and tools of the request in some of its own. */
function maxEventLength({ body = '' }: OutgoingRequest): number {
  return Math.min(maxJsonLength, maxLineLength + body.length * escapedLength);
}

/** Milliseconds in which a server that has said its last word ends the response, so that the connection can be used again. */
const farewell = 50;
const lastWord = /\ndata: ?\[DONE\]\s*$/;
const maxLastWord = 32;

/** Returns whether chat completions have said their last word, after which some servers and proxies leave a response open. */
function listenForLastWord(): (bytes: Uint8Array) => boolean {
  let end = '\n';
  let isSaid = false;
  return (bytes) => {
    end = (end + new TextDecoder().decode(bytes.subarray(-maxLastWord))).slice(-maxLastWord);
    isSaid ||= lastWord.test(end);
    return isSaid;
  };
}

/**
 * Watches who ends a response and whether it stalls. Passes on the bytes, read as fast as they arrive. This stream
 * always closes normally, because a stream that fails drops what its readers have not fetched yet, and that would be
 * text the provider did send.
 */
function watchBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let over = false;
  let disarm = (): void => undefined;
  let close = (): void => undefined;
  let gathered: Gathered | null = null;

  const end = (ending: BodyEnding): void => {
    if (over) return;
    over = true;
    disarm();
    gathered?.pass();
    watch.signal.removeEventListener('abort', onAbort);
    watch.onEnd(ending);
    close();
    // Rejects if the connection is already broken; then there is nothing to release.
    reader.cancel().catch(() => undefined);
  };
  const onAbort = (): void => end('aborted');
  const arm = (milliseconds: number, ending: BodyEnding): void => {
    disarm();
    disarm = watch.timing.after(milliseconds, () => end(ending));
  };

  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const isOver = listenForLastWord();
    const chunks = new Gathered(watch.timing, (bytes) => {
      controller.enqueue(watch.join?.(bytes) ?? bytes);
      if (over) return;
      if (isOver(bytes)) arm(farewell, 'complete');
      else arm(watch.stallMilliseconds, 'stalled');
    });
    gathered = chunks;
    const decoder = new TextDecoder();
    let [length, read] = [0, 0];
    for (;;) {
      const { done, value } = await reader.read();
      if (over) return;
      if (done) return end('complete');
      const lastBreak = watch.isLines ? value.lastIndexOf(lineFeed) : -1;
      length = lastBreak < 0 ? length + value.length : value.length - lastBreak - 1;
      if (length > watch.maxLength) return end('too-long');
      if (read < maxBeginning) watch.onStart(decoder.decode(value.subarray(0, maxBeginning), { stream: true }));
      read += value.length;
      chunks.take(value);
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
      gathered?.drop();
      end('unwanted');
    },
  });
}
