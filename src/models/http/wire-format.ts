/** What each wire format needs in the headers of a request, and how it lists its models. */
import type { ReportedFacts } from '../../core/settings/settings';
import type { WireFormat } from '../providers/provider';

export interface ListedModel extends ReportedFacts {
  readonly name: string;
}

interface FormatRules {
  /** Returns all headers besides the content type. */
  headers(key: string | null): Record<string, string>;
  /** Relative to the base address. */
  readonly modelsPath: string;
  /** Parses the response to a list request; returns null if it is not a list. */
  readModels(answer: unknown): ListedModel[] | null;
  /** Where the server describes a single model, if its list says too little. */
  readonly modelPath?: string;
  /** Whether a request sets the context window that the server uses. */
  readonly reportsWindow?: boolean;
}

const bearer = (key: string | null): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` });

export const wireFormats: Readonly<Record<WireFormat, FormatRules>> = {
  anthropic: {
    headers: (key) => ({
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      ...(key !== null && { 'x-api-key': key }),
    }),
    modelsPath: '/models?limit=1000',
    readModels: (answer) => readList(answer, 'data', 'id'),
  },
  'openai-compatible': {
    headers: bearer,
    modelsPath: '/models',
    readModels: (answer) => readList(answer, 'data', 'id', isChatModel),
  },
  responses: {
    headers: bearer,
    modelsPath: '/models',
    readModels: (answer) => readList(answer, 'data', 'id', isChatModel),
  },
  gemini: {
    headers: (key): Record<string, string> => (key === null ? {} : { 'x-goog-api-key': key }),
    modelsPath: '/models?pageSize=1000',
    readModels: (answer) => readList(answer, 'models', 'name', answersChats),
  },
  ollama: {
    headers: bearer,
    modelsPath: '/api/tags',
    readModels: (answer) => readList(answer, 'models', 'name'),
    modelPath: '/api/show',
    reportsWindow: true,
  },
};

/** Names of models for pictures, sound, vectors and filters, which lists in the format of OpenAI hold as well. */
const otherModels =
  /(?:^|[/:_.-])(?:whisper|tts|dall-e|(?:chat)?gpt-image|sora|embed(?:ding)?s?|bge|rerank(?:er)?|moderation|transcribe|realtime|babbage|davinci)(?:$|[/:_.-])/i;

/** Returns whether a model can chat, by its kind if LM Studio names it, else by its name. */
function isChatModel({ id, type }: Record<string, unknown>): boolean {
  return type !== 'embeddings' && !otherModels.test(String(id));
}

/**
 * Adds what a server says elsewhere than in its list. LM Studio: the window with which each model in memory was loaded;
 * one that is not loaded may come with any. LiteLLM: the smallest facts of those that answer under one name. llama.cpp:
 * the window of its only model. Models that can't chat are left out.
 */
export function addWindows(models: readonly ListedModel[], answer: unknown): readonly ListedModel[] {
  const entries = isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const only = models.length === 1 && isRecord(answer) && valueAt(answer, 'default_generation_settings.n_ctx');
  const byName = new Map<unknown, Record<string, unknown>[]>();
  for (const entry of entries) {
    const name = entry.model_name ?? entry.id;
    const before = byName.get(name);
    if (before === undefined) byName.set(name, [entry]);
    else before.push(entry);
  }
  return models.flatMap((model) => {
    const own = byName.get(model.name) ?? [];
    const infos = own.map(({ model_info: info }) => info).filter(isRecord);
    if (!isChatModel({ ...own[0], id: model.name }) || infos.some(({ mode }) => !isChatMode(mode))) return [];
    const [facts] = infos.map(factsIn).sort((a, b) => (a.contextWindow ?? Infinity) - (b.contextWindow ?? Infinity));
    const window = [own[0]?.loaded_context_length, only].find(isCount);
    return [{ ...model, ...facts, ...(window !== undefined && { contextWindow: window }), ...toolSupportIn(own[0]) }];
  });
}

const isChatMode = (mode: unknown): boolean => typeof mode !== 'string' || mode === 'chat' || mode === 'responses';

/** Returns whether a model can chat: Gemini also lists models for images, speech and embeddings. */
function answersChats({ supportedGenerationMethods: methods }: Record<string, unknown>): boolean {
  return !Array.isArray(methods) || methods.includes('generateContent');
}

function readList(
  answer: unknown,
  field: string,
  nameField: string,
  isWanted: (entry: Record<string, unknown>) => boolean = () => true,
): ListedModel[] | null {
  const entries = isRecord(answer) ? answer[field] : answer;
  if (!Array.isArray(entries)) return null;
  return entries.filter(isRecord).flatMap((entry): ListedModel[] => {
    const name = entry[nameField];
    if (typeof name !== 'string' || name === '' || !isWanted(entry)) return [];
    return [{ name: name.replace(/^models\//, ''), ...factsIn(entry) }];
  });
}

/** The field names that lists use for each fact; the first with a number counts. */
const countFields = {
  contextWindow: [
    'context_length',
    'max_model_len',
    'max_input_tokens',
    'context_window',
    'max_context_length',
    'inputTokenLimit',
    'meta.n_ctx',
  ],
  outputLimit: [
    'max_output_tokens',
    'max_tokens',
    'max_completion_tokens',
    'outputTokenLimit',
    'top_provider.max_completion_tokens',
  ],
} as const;

/** Dollars per token, as text or number, with the names of OpenRouter and LiteLLM. */
const priceFields = {
  inputPrice: ['pricing.prompt', 'input_cost_per_token'],
  outputPrice: ['pricing.completion', 'output_cost_per_token'],
  cacheReadPrice: ['pricing.input_cache_read', 'cache_read_input_token_cost'],
  cacheWritePrice: ['pricing.input_cache_write', 'cache_creation_input_token_cost'],
} as const;

function factsIn(entry: Record<string, unknown>): ReportedFacts {
  const facts: Record<string, number> = {};
  for (const [fact, fields] of Object.entries(countFields)) {
    const value = fields.map((field) => valueAt(entry, field)).find(isCount);
    if (value !== undefined) facts[fact] = value;
  }
  for (const [fact, fields] of Object.entries(priceFields)) {
    const value = fields.map((field) => valueAt(entry, field)).find((each) => each != null);
    const price = typeof value === 'string' && value !== '' ? Number(value) : value;
    // Rounded to a precision that prices have: smaller fractions per million tokens are division noise.
    const rounded = typeof price === 'number' ? Math.round(price * 1e10) / 1e4 : Number.NaN;
    if (rounded >= 0 && rounded < Infinity) facts[fact] = rounded;
  }
  return { ...facts, ...toolSupportIn(entry) };
}

/**
 * Reads whether a model supports tools natively: from the capabilities of Ollama and LM Studio, the parameters of
 * OpenRouter, or the capability of Mistral. Empty if the entry does not say.
 */
export function toolSupportIn(entry: unknown): Pick<ReportedFacts, 'nativeTools'> {
  if (!isRecord(entry)) return {};
  const { capabilities, supported_parameters: parameters, supports_function_calling: supports } = entry;
  if (typeof supports === 'boolean') return { nativeTools: supports };
  if (isRecord(capabilities) && typeof capabilities.function_calling === 'boolean') {
    return { nativeTools: capabilities.function_calling };
  }
  const list = [capabilities, parameters].find((each): each is unknown[] => Array.isArray(each) && each.length > 0);
  return list === undefined ? {} : { nativeTools: list.some((each) => each === 'tools' || each === 'tool_use') };
}

/** The minimum plausible count; smaller ones are mistakes of the list. */
const minCount = 1_024;
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= minCount;

function valueAt(entry: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), entry);
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the arguments of a call that came as an object, as JSON. For those that are nested too deep to be written it
 * returns a text, which every tool refuses with words for the model.
 */
export function writeArguments(args: unknown): string {
  try {
    return JSON.stringify(args ?? {});
  } catch {
    return '"Nested too deep."';
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
