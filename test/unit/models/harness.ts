/** What the tests of models share: plans, providers over a loopback server, and the events of an answer as a list. */
import type { ImagePart } from '../../../src/core/ports/message';
import type { ModelEvent } from '../../../src/core/ports/model';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { createModel, type ModelSettings } from '../../../src/models/create-model';
import type { Timing, Transport } from '../../../src/models/http/transport';
import { findProvider } from '../../../src/models/providers';
import type { ProviderRow } from '../../../src/models/providers/provider';
import { admitWith, memoryDevice } from '../../support/memory-ports';
import { noTotals } from '../../support/scripted-model';

export const testKey = 'sk-test/canary+key=="0123456789';
export const never = 1_000_000_000;
export const patient = { connectMilliseconds: never, firstByteMilliseconds: never, stallMilliseconds: never };

export const searchTool = {
  name: 'search_notes',
  description: 'Searches the notes.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

export function planOf(changes: Partial<RequestPlan> = {}): RequestPlan {
  return {
    conversationId: 'c1',
    modelId: 'test/scripted',
    blocks: [],
    system: 'You are a careful reader.',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'What about tea?' }] }],
    tools: [searchTool],
    totals: { ...noTotals, window: 8192 },
    maxOutputTokens: 512,
    ...changes,
  };
}

/** An image as the messages of a plan have it. */
export const boat: ImagePart = {
  type: 'image',
  name: 'boat.png',
  label: '[Image: boat.png]',
  text: '[Not taken: boat.png]',
  missingText: '[Gone: boat.png]',
  olderText: '[Older: boat.png]',
  image: { digest: 'd1', mediaType: 'image/png', width: 6, height: 4, bytes: 2, conversation: 'c1' },
  tokens: 1,
};

export function rowOf(id: string): ProviderRow {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`There is no provider ${id}.`);
  return row;
}

/** An error in the words of a format. */
type Saying = (type: string, message: string, status?: number) => object;
const openaiSays: Saying = (type, message) => ({ error: { type, message, code: type } });

/** The formats, each with the path at which the scripted server speaks it and with what it calls things. */
export const formats = [
  {
    format: 'anthropic',
    get row() {
      return rowOf('anthropic');
    },
    path: '/anthropic/v1',
    endpoint: '/messages',
    reasons: { length: 'max_tokens', refusal: 'refusal' },
    saying: ((type, message) => ({ type: 'error', error: { type, message } })) as Saying,
  },
  {
    format: 'openai-compatible',
    get row() {
      return rowOf('openai-compatible');
    },
    path: '/openai/v1',
    endpoint: '/chat/completions',
    reasons: { length: 'length', refusal: 'content_filter' },
    saying: openaiSays,
  },
  {
    format: 'responses',
    get row() {
      return rowOf('openai');
    },
    path: '/openai/v1',
    endpoint: '/responses',
    reasons: { length: 'max_output_tokens', refusal: 'refusal' },
    saying: openaiSays,
  },
  {
    format: 'gemini',
    get row() {
      return rowOf('gemini');
    },
    path: '/gemini/v1beta',
    endpoint: '/models/scripted:streamGenerateContent',
    reasons: { length: 'MAX_TOKENS', refusal: 'SAFETY' },
    saying: ((_type, message, status = 500) => ({ error: { code: status, message, status: 'X' } })) as Saying,
  },
  {
    format: 'ollama',
    get row() {
      return rowOf('ollama');
    },
    path: '/ollama',
    endpoint: '/api/chat',
    reasons: { length: 'length', refusal: null },
    saying: ((_type, message) => ({ error: message })) as Saying,
  },
] as const;

/** Milliseconds; shorter waits only gather what arrives closely together. */
const shortest = 100;

/** Waits are recorded and end at once; limits of `never` do not fire. */
export function instantTiming(waits: number[] = []): Timing {
  return {
    now: () => Date.UTC(2026, 10, 20),
    random: () => 0.5,
    after(milliseconds, act) {
      if (milliseconds >= never) return () => undefined;
      if (milliseconds >= shortest) waits.push(milliseconds);
      const timer = setTimeout(act, 0);
      return () => clearTimeout(timer);
    },
  };
}

export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => 0.5,
  after(milliseconds, act) {
    if (milliseconds >= never) return () => undefined;
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A transport with a memory of its own, in which what a server holds is remembered. */
export function rememberingTransport(): Transport {
  return { fetch: (url, init) => fetch(url, init), memory: memoryDevice() };
}

export function modelAt(baseUrl: string, row: ProviderRow, changes: Partial<ModelSettings> = {}) {
  return createModel({
    row,
    baseUrl,
    admit: admitWith(testKey),
    modelName: 'scripted',
    transport: { fetch: (url, init) => fetch(url, init) },
    timing: instantTiming(),
    limits: patient,
    ...changes,
  });
}

export async function eventsOf(
  stream: AsyncIterable<ModelEvent>,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

export function ask(model: ReturnType<typeof createModel>, plan = planOf(), signal = new AbortController().signal) {
  return eventsOf(model.stream(plan, signal));
}

export function textIn(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

export function failureIn(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  return last?.type === 'failure' ? last.failure : undefined;
}
