/** Bodies as providers get them, in the order in which they keep them: tools, system prompt, messages. */
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { type Encoding, encodePlan } from '../../../src/models/encode-plan';
import { loadLanguageModel } from '../../../src/models/formats/load-format';
import { findProvider } from '../../../src/models/providers';

export type ProviderName = 'anthropic' | 'openai';
export const providerNames: readonly ProviderName[] = ['anthropic', 'openai'];

export interface Body {
  /** The request without markers, part by part, in the order of the provider's cache. */
  readonly pieces: readonly string[];
  /** For each marker, the number of pieces before it. */
  readonly marks: readonly number[];
}

const modelNames: Readonly<Record<string, string>> = { anthropic: 'claude-sonnet-5', openai: 'gpt-5.5' };

/** Encodes as the plugin does, and looks at what it would send. */
export async function bodyOf(
  plan: RequestPlan,
  provider: string,
  images: Encoding['images'] = new Map(),
): Promise<Body> {
  const row = findProvider(provider);
  if (row === undefined) throw new Error(`There is no provider ${provider}.`);
  let sent = '';
  const fetch = (_url: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    sent = String(init?.body);
    return Promise.reject(new Error('Nothing is sent from here.'));
  };
  const modelName = modelNames[provider] ?? 'm';
  const model = loadLanguageModel({
    row,
    baseUrl: row.baseUrl || 'http://localhost',
    modelName,
    fetch: fetch as never,
  });
  const encoding = {
    takesImages: true,
    images,
    joinsNeighbours: row.local,
    ...(row.cacheHint === undefined ? {} : { cacheHint: row.cacheHint }),
  };
  const call = encodePlan(plan, { provider, model: modelName }, encoding);
  await Promise.resolve(model.doStream(call)).catch(() => undefined);
  return inCacheOrder(JSON.parse(sent) as Record<string, unknown>);
}

/** Splits each message into its parts, because a marker may follow any of them. */
function inCacheOrder(body: Record<string, unknown>): Body {
  const pieces: string[] = [];
  const marks: number[] = [];
  const add = (label: string, value: unknown): void => {
    const { cache_control: mark, ...rest } = isRecord(value) ? value : { value };
    pieces.push(`${label}${JSON.stringify(rest)}`);
    if (mark !== undefined) marks.push(pieces.length);
  };
  for (const tool of listOf(body['tools'])) add('tool ', tool);
  for (const part of listOf(body['system'] ?? body['instructions'] ?? body['systemInstruction'])) add('system ', part);
  for (const message of listOf(body['messages'] ?? body['input'] ?? body['contents'])) {
    if (!isRecord(message)) continue;
    const { parts, content = parts, role, ...rest } = message;
    pieces.push(`message ${String(role)} `);
    for (const part of Array.isArray(content) ? content : [content]) add('', part);
    for (const more of Object.values(rest)) add('', more);
  }
  return { pieces, marks };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
