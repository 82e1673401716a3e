/** ProviderRow: all that the app knows of a provider and its models before it talks to it; one row makes a provider. */
import type { Prices, Rates } from '../../core/ports/model';
import type { ModelFacts } from '../../core/settings/settings';
import type { words } from '../../text';

/** The languages that the rows speak. */
export type WireFormat = 'anthropic' | 'openai-compatible' | 'responses' | 'gemini' | 'ollama';

interface KnownModel {
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

/**
 * Parts of the names of models that take pictures, as servers list them. Many servers do not say which do; a model
 * that is missing here is told of pictures in words.
 * Source: published model cards; read 2026-11-20.
 */
const namesOfThose =
  /gpt-4o|gpt-4\.1|gpt-5|\bo[34]\b|claude|gemini|gemma-?3|llava|bakllava|moondream|pixtral|internvl|minicpm-v|cogvlm|smolvlm|qwen[\d.]*-?vl|llama-?4|mistral-(?:small-?3\.[12]|medium-?3)|phi-?(?:3\.5|4)-(?:vision|multimodal)|grok-[4-9]|vision|-vl\b/i;

/** Which models take pictures: those of a provider whose row says so, else those whose names are known for it. */
export function takesImages(row: ProviderRow, modelName: string): boolean {
  return findKnownModel(row, modelName)?.takesImages ?? row.takesImages ?? namesOfThose.test(modelName);
}

// What is known of a model: the user's word first, then the provider's list, then the table, then a cautious guess.

export interface FactSources {
  /** What the user set for this model. */
  readonly chosen?: ModelFacts | undefined;
  /** What the provider's list said of it. */
  readonly reported?: ModelFacts | undefined;
}

export interface ModelKnowledge extends Omit<KnownModel, 'name' | 'prices'> {
  readonly prices?: Prices;
}

export function knowledgeOf(row: ProviderRow, name: string, { chosen, reported }: FactSources = {}): ModelKnowledge {
  const { prices, ...known } = findKnownModel(row, name) ?? { ...row.unlisted, name };
  const merged = { ...known, ...limitsIn(reported), ...limitsIn(chosen) };
  const rates = ratesIn(chosen, ratesIn(reported, prices));
  const date = rates === prices ? row.table.date : null;
  return { ...merged, ...(rates !== undefined && { prices: { ...rates, date } }) };
}

function limitsIn({ contextWindow, outputLimit }: ModelFacts = {}): Pick<
  Partial<KnownModel>,
  'contextWindow' | 'outputLimit'
> {
  return { ...(contextWindow !== undefined && { contextWindow }), ...(outputLimit !== undefined && { outputLimit }) };
}

/** Prices that were set stand without the table's: half of one and half of the other is nobody's price. */
function ratesIn(facts: ModelFacts = {}, before: KnownModel['prices']): KnownModel['prices'] {
  const { inputPrice, outputPrice, cacheReadPrice, cacheWritePrice } = facts;
  if ([inputPrice, outputPrice, cacheReadPrice, cacheWritePrice].every((price) => price === undefined)) return before;
  const rates: Rates = {
    input: inputPrice ?? before?.input ?? 0,
    output: outputPrice ?? before?.output ?? 0,
    ...optional('cacheRead', cacheReadPrice ?? before?.cacheRead),
    ...optional('cacheWrite', cacheWritePrice ?? before?.cacheWrite),
  };
  return rates;
}

function optional<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: number };
}
