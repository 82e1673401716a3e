/** What the lines to servers ask of the world, and the bounds that hold for every server. */
import { redact, spellingsOf } from '../core/base/redact';
import type { BufferedResponse, BufferedRequest } from '../core/ports/network';

/** Time, handed in so that tests can set it. */
export interface Timing {
  /** Acts once after that many milliseconds unless the returned function is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

export interface McpPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Asks outside the page: no cross-origin rule holds it up, but nothing can be cancelled or stopped half-way. */
  readonly requestUrl?: (request: BufferedRequest) => Promise<BufferedResponse>;
  /** The secret of that name, where it was stored for the origin of this address. */
  readonly key: (keyName: string, url: string) => string | null;
  readonly pace: Timing;
  /** Of the plugin; told to servers. */
  readonly version: string;
  /** Hears in words what of an offer could not be taken. */
  readonly note?: (words: string) => void;
}

export const limits = {
  connectMilliseconds: 20_000,
  listMilliseconds: 20_000,
  callMilliseconds: 60_000,
  /** Bytes of one answer. */
  answerBytes: 262_144,
  /** Requests of a server inside one answer that are still refused one by one. */
  refusals: 8,
  pages: 20,
  tools: 128,
  prompts: 64,
  resources: 256,
  /** Of the whole offer as JSON, in UTF-8. */
  offerBytes: 131_072,
  nameCharacters: 128,
  descriptionCharacters: 4_000,
  uriCharacters: 2_048,
  schemaCharacters: 16_384,
  schemaLevels: 20,
} as const;

// Takes the key that a server was sent out of whatever it answers, in every form in which it could come back.

/** @returns null where there is nothing to take out */
export type RedactKey = ((text: string) => string) | null;

export function redactorOf(key: string | null): RedactKey {
  if (key === null) return null;
  const spellings = spellingsOf(key);
  // No spelling is shorter than the key itself.
  return (text) => (text.length < key.length ? text : redact(text, spellings));
}
