/** What each wire format wants in the headers of a request, and how it lists its models. */
import type { WireFormat } from './provider-row';

export interface ListedModel {
  readonly name: string;
  /** Tokens, when the server tells. */
  readonly contextWindow?: number;
}

interface FormatRules {
  /** All headers besides the content type. */
  headers(key: string | null): Record<string, string>;
  /** Behind the base address. */
  readonly modelsPath: string;
}

export const wireFormats: Readonly<Record<WireFormat, FormatRules>> = {
  anthropic: {
    headers: (key) => ({
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      ...(key !== null && { 'x-api-key': key }),
    }),
    modelsPath: '/models?limit=1000',
  },
  'openai-compatible': {
    headers: (key): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
    modelsPath: '/models',
  },
};

/** The names under which servers tell a model's window in their list. */
const windowFields = ['context_length', 'max_model_len', 'max_input_tokens', 'context_window'];

/** Reads the answer to a request for the list; null when it is no list. */
export function readModelList(answer: unknown): ListedModel[] | null {
  const entries = isRecord(answer) ? answer.data : answer;
  if (!Array.isArray(entries)) return null;
  return entries.filter(isRecord).flatMap((entry): ListedModel[] => {
    const name = entry.id;
    if (typeof name !== 'string' || name === '') return [];
    const contextWindow = windowFields.map((field) => entry[field]).find((value) => typeof value === 'number');
    return [contextWindow === undefined ? { name } : { name, contextWindow }];
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
