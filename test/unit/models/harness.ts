/** What the tests of models share: plans, providers over a loopback server, and the events of an answer as a list. */
import type { ModelEvent } from '../../../src/core/ports';
import type { RequestPlan } from '../../../src/core/request/request-plan';
import { createModel, type ModelSettings } from '../../../src/models/create-model';
import type { Pace } from '../../../src/models/pace';
import type { ProviderRow } from '../../../src/models/provider-row';
import { findProvider } from '../../../src/models/providers';

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
    profile: 'flat',
    blocks: [],
    system: 'You are a careful reader.',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'What about tea?' }] }],
    tools: [searchTool],
    totals: {
      instructions: 0,
      reference: 0,
      history: 0,
      turn: 0,
      tools: 0,
      all: 0,
      reserve: 0,
      window: 8192,
      exact: true,
    },
    maxOutputTokens: 512,
    ...changes,
  };
}

export function rowOf(id: string): ProviderRow {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`There is no provider ${id}.`);
  return row;
}

/** The two formats, with the path at which the scripted server speaks each. */
export const formats = [
  { format: 'anthropic', row: rowOf('anthropic'), path: '/anthropic/v1' },
  { format: 'openai-compatible', row: rowOf('openai-compatible'), path: '/openai/v1' },
] as const;

/** Waits are recorded and end at once; limits of `never` do not fire. */
export function instantPace(waits: number[] = []): Pace {
  return {
    now: () => Date.UTC(2026, 10, 20),
    random: () => 0.5,
    after(milliseconds, act) {
      if (milliseconds >= never) return () => undefined;
      waits.push(milliseconds);
      const timer = setTimeout(act, 0);
      return () => clearTimeout(timer);
    },
  };
}

export const realPace: Pace = {
  now: () => Date.now(),
  random: () => 0.5,
  after(milliseconds, act) {
    if (milliseconds >= never) return () => undefined;
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

export function modelAt(baseUrl: string, row: ProviderRow, changes: Partial<ModelSettings> = {}) {
  return createModel({
    row,
    baseUrl,
    key: () => testKey,
    modelName: 'scripted',
    transport: { fetch: (url, init) => fetch(url, init) },
    pace: instantPace(),
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
