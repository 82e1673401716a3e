/** What each wire format wants in the headers of a request, and how it lists its models. */
import type { ModelFacts } from '../../core/settings/settings';
import type { WireFormat } from '../providers/provider';

export interface ListedModel extends ModelFacts {
  readonly name: string;
}

interface FormatRules {
  /** All headers besides the content type. */
  headers(key: string | null): Record<string, string>;
  /** Behind the base address. */
  readonly modelsPath: string;
  /** Reads the answer to a request for the list; null when it is no list. */
  readModels(answer: unknown): ListedModel[] | null;
  /** Whether a request tells the server how large a window to use. */
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
    readModels: (answer) => readList(answer, 'data', 'id'),
  },
  responses: {
    headers: bearer,
    modelsPath: '/models',
    readModels: (answer) => readList(answer, 'data', 'id'),
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
    reportsWindow: true,
  },
};

/** Gemini lists models for pictures, speech and search vectors beside those that talk. */
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

/** Under which names the lists tell what; the first that is a number holds. */
const countFields = {
  contextWindow: [
    'context_length',
    'max_model_len',
    'max_input_tokens',
    'context_window',
    'max_context_length',
    'inputTokenLimit',
  ],
  outputLimit: ['max_tokens', 'max_completion_tokens', 'outputTokenLimit', 'top_provider.max_completion_tokens'],
} as const;

/** Dollars for one token, as text or number. */
const priceFields = {
  inputPrice: 'pricing.prompt',
  outputPrice: 'pricing.completion',
  cacheReadPrice: 'pricing.input_cache_read',
  cacheWritePrice: 'pricing.input_cache_write',
} as const;

function factsIn(entry: Record<string, unknown>): ModelFacts {
  const facts: Record<string, number> = {};
  for (const [fact, fields] of Object.entries(countFields)) {
    const value = fields.map((field) => valueAt(entry, field)).find(isCount);
    if (value !== undefined) facts[fact] = value;
  }
  for (const [fact, field] of Object.entries(priceFields)) {
    const value = valueAt(entry, field);
    const price = typeof value === 'string' && value !== '' ? Number(value) : value;
    // Rounded to what anyone charges: fractions of a cent for a million tokens are noise of the division.
    if (typeof price === 'number' && price >= 0) facts[fact] = Math.round(price * 1e10) / 1e4;
  }
  return facts;
}

/** Windows under this are a mistake of the list. */
const smallest = 1_024;
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= smallest;

function valueAt(entry: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), entry);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
