/** ProviderRow: all that the app knows of a provider before it talks to it; one row makes a provider. */
import type { Rates } from '../core/ports/model';
import type { words } from '../text';

/** The languages that the rows speak. */
export type WireFormat = 'anthropic' | 'openai-compatible' | 'responses' | 'gemini' | 'ollama';

export interface KnownModel {
  readonly name: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Tokens of the shortest beginning of a request that is kept for the next one; the usual 1,024 unless given. */
  readonly cacheMinimum?: number;
  /** List prices in dollars for a million tokens; `long` for requests above that many tokens. */
  readonly prices?: Rates & { readonly long?: Rates & { readonly above: number } };
  /** Whether it takes pictures, where that differs from the other models of the row. */
  readonly takesImages?: boolean;
}

export interface ModelTable {
  /** Where the numbers were read. */
  readonly source: string;
  /** When, as year-month-day. */
  readonly date: string;
  readonly models: readonly KnownModel[];
}

export interface ProviderRow {
  /** First half of a model id in settings and sessions; never changes once released. */
  readonly id: string;
  readonly labelKey: keyof typeof words.models.labels;
  readonly format: WireFormat;
  /** Without a trailing slash; empty when only the user can know it. */
  readonly baseUrl: string;
  readonly keyNeeded: boolean;
  /** Name offered for the secret that holds the key. */
  readonly keyName: string;
  /** A server on the user's own machine or network: slow to start, and nothing to pay. */
  readonly local: boolean;
  readonly table: ModelTable;
  /** What is assumed of a model that the table does not list; cautious, for a window too large loses text unseen. */
  readonly unlisted: Omit<KnownModel, 'name'>;
  /** Whether the beginning of a request is kept for the next one. */
  readonly cachesPrompts: boolean;
  /** How the provider is told what to keep, where it wants to be told (K7). */
  readonly cacheHint?: 'cache_control' | 'prompt_cache_key';
  /** Whether its models take pictures; judged by their names unless given. */
  readonly takesImages?: boolean;
  /** Which setting of the server lets a page read its answers. */
  readonly crossOriginHelp: keyof typeof words.models.crossOriginHelp;
  /** Ends of addresses that people enter out of habit and that the format puts there by itself. */
  readonly needlessPath?: RegExp;
}

/** A name of the table with a date behind it is the same model. */
const datedSuffix = /^-\d{4}-?\d{2}-?\d{2}$/;

/** Looks a model up by its name or a dated version of it. */
export function findKnownModel(row: ProviderRow, name: string): KnownModel | undefined {
  return row.table.models.find(
    (known) => name === known.name || (name.startsWith(known.name) && datedSuffix.test(name.slice(known.name.length))),
  );
}
