/** What connections to servers need from outside, and the limits that apply to every server. */
import { redact, spellingsOf } from '../core/base/redact';
import type { DeviceStorage } from '../core/ports/device';
import type { BufferedResponse, BufferedRequest } from '../core/ports/network';

/** Timers, injected so that tests can control them. */
export interface Timing {
  /** Calls `act` once after that many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, act: () => void): () => void;
}

export interface McpPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends a request with Obsidian's `requestUrl`: not subject to CORS, but buffered and not cancellable. */
  readonly requestUrl?: (request: BufferedRequest) => Promise<BufferedResponse>;
  /** Whether requestUrl, which follows redirects, may be used for a request to this origin; never if absent. */
  readonly mayGoBuffered?: (origin: string, carriesKey: boolean) => boolean;
  /** Admits requests to this address; returns the secret of that name if it is bound to its origin, or null. */
  readonly admit: (keyName: string, url: string) => string | null;
  readonly timing: Timing;
  /** Where the revision of each server is remembered; if absent, every connection asks for it. */
  readonly memory?: DeviceStorage;
  /** The plugin's version; sent to servers. */
  readonly version: string;
  /** Receives, in words, what was left out of a catalog. */
  readonly note?: (words: string) => void;
}

export const limits = {
  connectMilliseconds: 20_000,
  listMilliseconds: 20_000,
  callMilliseconds: 60_000,
  /** The longest call whose progress the server reports. */
  progressMilliseconds: 3_600_000,
  /** The longest wait for the revision of a server, which some servers never answer. */
  probeMilliseconds: 10_000,
  /** Times that the server may answer a request with a question. */
  questions: 10,
  /**
   * Milliseconds between two openings of the stream that reports changes: at least, at most, and if the server asks for
   * more.
   */
  listenMilliseconds: 5_000,
  listenMostMilliseconds: 60_000,
  listenAskedMilliseconds: 3_600_000,
  /** Openings of that stream that may fail in a row. */
  listenFailures: 5,
  /** Bytes of one response: a picture with its text, of which the model gets what its window holds. */
  answerBytes: 4_194_304,
  /** Server requests inside one response that are refused one by one before the response counts as broken. */
  refusals: 8,
  /** Times that a stream of one request is taken up again, and the longest wait before one. */
  resumptions: 30,
  retryMilliseconds: 10_000,
  pages: 20,
  tools: 128,
  prompts: 64,
  resources: 256,
  templates: 64,
  instructionCharacters: 4_000,
  titleCharacters: 200,
  images: 8,
  /** Sentences about what was left out of a catalog. */
  omissions: 100,
  /** UTF-8 bytes of the whole catalog as JSON. */
  offerBytes: 131_072,
  nameCharacters: 128,
  descriptionCharacters: 4_000,
  uriCharacters: 2_048,
  schemaCharacters: 16_384,
  schemaLevels: 20,
} as const;

/** Removes the API key and longer parts of it from a text, in each spelling in which they could appear; null without one. */
export type RedactKey = ((text: string) => string) | null;

export function redactorOf(key: string | null): RedactKey {
  if (key === null) return null;
  const spellings = spellingsOf(key);
  return (text) => redact(text, spellings);
}
