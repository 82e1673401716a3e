/** ProviderRow: everything known about a provider and its models before the first request; one row makes a provider. */
import type { ModelFamily, Prices, Rates } from '../../core/ports/model';
import type { ModelFacts } from '../../core/settings/settings';
import type { words } from '../../text';

/** The wire formats of the rows. */
export type WireFormat = 'anthropic' | 'openai-compatible' | 'responses' | 'gemini' | 'ollama';

export interface KnownModel {
  readonly name: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Tokens of the shortest prefix that the provider caches; the usual 1,024 unless given. */
  readonly cacheMinimum?: number;
  /** List prices in dollars per million tokens; `long` applies to requests above that many tokens. */
  readonly prices?: Rates & { readonly long?: Rates & { readonly above: number } };
  /** Whether the model accepts images, if that differs from the row's other models. */
  readonly takesImages?: boolean;
}

interface ModelTable {
  /** The source of the numbers. */
  readonly source: string;
  /** When they were read, as year-month-day. */
  readonly date: string;
  readonly models: readonly KnownModel[];
}

/** CallIds: which ids of tool calls a provider accepts, and the length of those that are made in their place. */
export interface CallIds {
  readonly shape: RegExp;
  /** At most 16. */
  readonly length: number;
}

export interface ProviderRow {
  /** First half of a model id in settings and sessions; never changes once released. */
  readonly id: string;
  readonly labelKey: keyof typeof words.models.labels;
  readonly format: WireFormat;
  /** Without a trailing slash; empty when only the user can know it. */
  readonly baseUrl: string;
  readonly keyNeeded: boolean;
  /** Default name of the secret that holds the key. */
  readonly keyName: string;
  /** The page on which the provider gives keys. */
  readonly keyPage?: string;
  /** Whether the server is on the user's own machine or network: slow to start, and free. */
  readonly local: boolean;
  readonly table: ModelTable;
  /** Assumed for a model that is not in the table; cautious, because too large a window silently loses text. */
  readonly unlisted: Omit<KnownModel, 'name'>;
  /** Whether the provider caches the beginning of a request for the next one. */
  readonly cachesPrompts: boolean;
  /** How the provider is asked to cache a request, if it needs to be asked (K7). */
  readonly cacheHint?: 'cache_control' | 'prompt_cache_key';
  /** Whether its models accept images; depends on their names unless given. */
  readonly takesImages?: boolean;
  /** Which setting of the server allows a page to read its responses. */
  readonly crossOriginHelp: keyof typeof words.models.crossOriginHelp;
  /** Whether its API refuses requests with earlier reasoning in them. */
  readonly refusesThoughts?: boolean;
  /** Any unless given. */
  readonly callIds?: CallIds;
  /** Whether its API refuses a question right after results, as a stopped turn leaves them. */
  readonly answersResults?: boolean;
  /**
   * Paths, relative to the base address, that report context windows; asked in turn until one does, unless the list of
   * models did already.
   */
  readonly windowPaths?: readonly string[];
  /** Path ends that users enter out of habit and that the format adds itself. */
  readonly needlessPath?: RegExp;
}

/** A table name followed by a date is the same model. */
const datedSuffix = /^-\d{4}-?\d{2}-?\d{2}$/;

/** Finds a model by its name or a dated version of it. */
export function findKnownModel(row: ProviderRow, name: string): KnownModel | undefined {
  return row.table.models.find(
    (known) => name === known.name || (name.startsWith(known.name) && datedSuffix.test(name.slice(known.name.length))),
  );
}

/**
 * Parts of the names of models that accept images, as servers list them. Many servers do not report which do; a model
 * missing here gets a text note for each image.
 * Source: published model cards; read 2026-11-20.
 */
const namesOfThose =
  /gpt-4o|gpt-4\.1|gpt-[5-9]|\bo[34]\b|claude|gemini|gemma-?3|llava|bakllava|moondream|pixtral|internvl|minicpm-v|cogvlm|smolvlm|qwen[\d.]*-?vl|llama-?4|mistral-(?:small-?3\.[12]|medium-?3)|phi-?(?:3\.5|4)-(?:vision|multimodal)|grok-[4-9]|vision|-vl\b/i;

/** Returns whether a model accepts images: by the table or the row if they say so, else by its name. */
export function takesImages(row: ProviderRow, modelName: string): boolean {
  return findKnownModel(row, modelName)?.takesImages ?? row.takesImages ?? namesOfThose.test(modelName);
}

/**
 * Families that need less guidance, by their names at any provider. Smaller and older ones lose track of rules that are
 * said once. Source: published model cards; read 2026-11-20.
 */
const modernFamilies =
  /\b(?:claude-(?:fable|opus|sonnet|haiku)-[4-9]|gpt-[5-9]|o[34](?:-|$)|gemini-[3-9]|grok-[4-9]|deepseek-v[4-9]|mistral-(?:large-[4-9]|medium-3-5))/i;

/** Returns whether a model needs less guidance: a known family, and not on a local server, where it may be reduced. */
export function isModern(row: ProviderRow, modelName: string): boolean {
  return !row.local && modernFamilies.test(modelName);
}

/** Models that think before they answer, by their names at any provider. Source: published model cards; read 2026-11-20. */
const reasoningNames =
  /\b(?:o[134](?:-|$)|deepseek-r|qwq|magistral|gpt-oss|phi-4-reasoning)|reason(?:er|ing)|thinking/i;

/** The number of parameters that local servers write into a model's name, in billions, such as the 8 of `llama3.1:8b`. */
const parameters = /(?:^|[-_:.x ])(\d+(?:\.\d+)?)b(?![a-z0-9])/i;
const maxSmall = 15;

/**
 * Returns the family whose template is appended to the base prompt (R025): `small` for a local model of at most 15
 * billion parameters by its name, `reasoning` for one that thinks before it answers, `frontier` for one that needs less
 * guidance.
 */
export function familyOf(row: ProviderRow, modelName: string): ModelFamily | undefined {
  const billions = parameters.exec(modelName)?.[1];
  if (row.local && billions !== undefined && Number(billions) <= maxSmall) return 'small';
  if (reasoningNames.test(modelName)) return 'reasoning';
  return isModern(row, modelName) ? 'frontier' : undefined;
}

export interface FactSources {
  /** What the user set for this model. */
  readonly chosen?: ModelFacts | undefined;
  /** What the provider's list reports about this model. */
  readonly reported?: ModelFacts | undefined;
  /** Milliseconds of today, for the age of prices; without it, none is old. */
  readonly now?: number;
}

/** The age, in milliseconds, from which prices are said to be old. */
const oldAfter = 90 * 86_400_000;

export interface ModelKnowledge extends Omit<KnownModel, 'name' | 'prices'> {
  readonly prices?: Prices;
  readonly isWindowGuessed?: true;
}

/** Merges what is known about a model: the user's settings, the provider's list, the table, a cautious guess. */
export function knowledgeOf(
  row: ProviderRow,
  name: string,
  { chosen, reported, now }: FactSources = {},
): ModelKnowledge {
  const listed = findKnownModel(row, name);
  const { prices, ...known } = listed ?? { ...row.unlisted, name };
  const merged = { ...known, ...limitsIn(reported), ...limitsIn(chosen) };
  const rates = ratesIn(chosen, reported, prices);
  const { date, source } = row.table;
  const isOld = now !== undefined && now - Date.parse(date) > oldAfter;
  const origin = rates === prices ? { date, source, ...(isOld && { isOld: true as const }) } : { date: null };
  const isGuess = (listed ?? reported?.contextWindow ?? chosen?.contextWindow) === undefined;
  return {
    ...merged,
    ...(isGuess && { isWindowGuessed: true }),
    ...(rates !== undefined && { prices: { ...rates, ...origin } }),
  };
}

function limitsIn({ contextWindow, outputLimit }: ModelFacts = {}): Pick<
  Partial<KnownModel>,
  'contextWindow' | 'outputLimit'
> {
  return { ...(contextWindow !== undefined && { contextWindow }), ...(outputLimit !== undefined && { outputLimit }) };
}

/**
 * Merges prices over the table's; any price that is set drops the table's surcharge for long requests, which belongs to
 * its own rates. Without a price for what is sent, which is most of a request, the others would make it look free.
 */
function ratesIn(
  chosen: ModelFacts = {},
  reported: ModelFacts = {},
  before: KnownModel['prices'],
): KnownModel['prices'] {
  const facts = ['inputPrice', 'outputPrice', 'cacheReadPrice', 'cacheWritePrice'] as const;
  const [input, output, cacheRead, cacheWrite] = facts.map((fact) => chosen[fact] ?? reported[fact]);
  if ([input, output, cacheRead, cacheWrite].every((price) => price === undefined)) return before;
  const known = input ?? before?.input;
  if (known === undefined) return undefined;
  const rates: Rates = {
    input: known,
    output: output ?? before?.output ?? 0,
    ...optional('cacheRead', cacheRead ?? before?.cacheRead),
    ...optional('cacheWrite', cacheWrite ?? before?.cacheWrite),
  };
  return rates;
}

function optional<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: number };
}
