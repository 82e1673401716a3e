/** ProviderRow: all that the app knows of a provider before it talks to it; one row makes a provider. */
import type { words } from '../text';

/** The two languages that the rows speak so far. */
export type WireFormat = 'anthropic' | 'openai-compatible';

export interface KnownModel {
  readonly name: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Tokens of the shortest beginning of a request that is kept for the next one; the usual 1,024 unless given. */
  readonly cacheMinimum?: number;
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
  /** Whether its models take pictures. */
  readonly takesImages?: boolean;
  /** Which setting of the server lets a page read its answers. */
  readonly crossOriginHelp: keyof typeof words.models.crossOriginHelp;
  /** How the format names the limit of the answer here, when not in its usual way. */
  readonly outputLimitField?: 'max_completion_tokens';
}

/** A name of the table with a date behind it is the same model. */
const datedSuffix = /^-\d{4}-?\d{2}-?\d{2}$/;

/** Looks a model up by its name or a dated version of it. */
export function findKnownModel(row: ProviderRow, name: string): KnownModel | undefined {
  return row.table.models.find(
    (known) => name === known.name || (name.startsWith(known.name) && datedSuffix.test(name.slice(known.name.length))),
  );
}
