/**
 * What Anthropic is sent for many models, settings and conversations, and what is read in its streams, each compared
 * with a golden. A line of a golden is one request or one stream.
 *
 * @jest-environment node
 */
import type { AssistantPart, Message } from '../../../src/core/ports/message';
import type { ModelEvent } from '../../../src/core/ports/model';
import type { Breakpoint, RequestPlan } from '../../../src/core/ports/request-plan';
import type { ModelChoices } from '../../../src/core/settings/settings';
import { expectGolden } from '../../goldens/golden';
import { boat, eventsOf, modelAt, planOf, rowOf } from './harness';
import { framed } from './recordings';
import { error, streams } from './recordings/anthropic-streams';

const row = rowOf('anthropic');

// Requests.

interface Asked {
  readonly modelName?: string;
  readonly chosen?: ModelChoices;
}

/** The body of the first request. */
async function bodyOf(plan: RequestPlan, { modelName = 'claude-opus-5', chosen }: Asked = {}) {
  let sent = '';
  const fetch = (_url: string, init: RequestInit) => {
    if (sent === '') sent = String(init.body);
    return Promise.resolve(new Response('{}', { status: 418 }));
  };
  const readImage = () => Promise.resolve(new Uint8Array([104, 105]));
  const settings = { modelName, transport: { fetch }, readImage, ...(chosen && { chosen }) };
  await eventsOf(modelAt('https://model.example/v1', row, settings).stream(planOf(plan), new AbortController().signal));
  return JSON.parse(sent) as Record<string, unknown>;
}

const names = [
  ...['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5-20261101', 'claude-fable-5-2', 'claude-fable-5-1'],
  ...['claude-fable-5', 'claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-sonnet-5', 'claude-opus-4-6'],
  ...['claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-sonnet-4-5-20250929', 'claude-opus-4-5', 'claude-opus-4-1'],
  ...['claude-sonnet-4-20250514', 'claude-opus-4@20250514', 'claude-3-haiku-20240307', 'claude-3-5-sonnet-20241022'],
  ...['claude-2.1', 'claude-instant', 'claude-haiku-6', 'vendor/claude-opus-5', 'oak-1'],
];
const settings: readonly (readonly [maxOutputTokens: number, ModelChoices])[] = [
  [512, {}],
  [512, { temperature: 0.2 }],
  [512, { temperature: 1.7 }],
  [200_000, {}],
  [512, { effort: 'none', temperature: 0.2 }],
  [512, { effort: 'low', temperature: 0.2 }],
  [512, { effort: 'medium' }],
  [200_000, { effort: 'high' }],
];

it('sends each model what it takes of limit, temperature and effort', async () => {
  const lines: string[] = [];
  for (const modelName of names) {
    for (const [maxOutputTokens, chosen] of settings) {
      const { model, system, messages, tools, stream, ...rest } = await bodyOf(planOf({ maxOutputTokens }), {
        modelName,
        chosen,
      });
      expect([model, stream, system, messages, tools].every((field) => field !== undefined)).toBe(true);
      lines.push(`${modelName} ${maxOutputTokens} ${JSON.stringify(chosen)} ${JSON.stringify(rest)}`);
    }
  }
  expectGolden('bodies/anthropic-models.txt', lines.join('\n'));
});

it('asks for more thoughts the greater the effort is, and leaves room for the answer', async () => {
  // All that the format knows, of which users choose among some.
  const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as 'high'[];
  const thoughts = (modelName: string) =>
    Promise.all(efforts.map((effort) => bodyOf(planOf({ maxOutputTokens: 512 }), { modelName, chosen: { effort } })));
  const adaptive = await thoughts('claude-opus-5');
  expect(adaptive.map(({ output_config }) => output_config)).toEqual(
    ['low', 'low', 'medium', 'high', 'xhigh', 'max'].map((effort) => ({ effort })),
  );
  const budgeted = (await thoughts('claude-haiku-4-5')).map(
    ({ thinking, max_tokens }) => [(thinking as { budget_tokens: number }).budget_tokens, max_tokens] as const,
  );
  for (const [index, [budget, limit]] of budgeted.entries()) {
    expect(budget).toBeGreaterThan(budgeted[index - 1]?.[0] ?? 1_024);
    expect(limit).toBe(budget + 512);
    expect(limit).toBeLessThan(64_000);
  }
});

const source = { provider: 'anthropic', model: 'claude-opus-5' };
const text = (value: string) => ({ type: 'text', text: value }) as const;
const user = (...values: string[]): Message => ({ role: 'user', parts: values.map(text) });
const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const thought = (value: string, metadata?: object, of = source) =>
  ({ type: 'reasoning', text: value, providerData: { ...of, ...(metadata && { metadata }) } }) as const;
const signed = (value: string, signature = 'c2lnbmVk') => thought(value, { anthropic: { signature } });
const redacted = thought('', { anthropic: { redactedData: 'c2VhbGVk' } });
const call = (id: string, argumentsText = '{"query":"keel"}', metadata?: object) =>
  ({
    type: 'tool-call',
    id,
    name: 'search_notes',
    argumentsText,
    ...(metadata && { providerData: { ...source, metadata } }),
  }) as const;
const results = (...ids: readonly string[]): Message => ({
  role: 'tool',
  parts: ids.map((callId, at) => ({
    type: 'tool-result',
    callId,
    name: 'search_notes',
    text: `Result ${at} of ${callId}.`,
    isError: at % 2 === 1,
  })),
});
const after = (...places: readonly (Breakpoint['after'] | readonly [after: number, part: number])[]): Breakpoint[] =>
  places.map((place) =>
    typeof place === 'object' ? { after: place[0], part: place[1], ends: 'step' } : { after: place, ends: 'turn' },
  );

const conversations: Readonly<Record<string, Partial<RequestPlan>>> = {
  'a question': {},
  'no instructions, no tools': { system: '', tools: [] },
  'thoughts, signed, sealed, and without either': {
    messages: [
      user('A?'),
      assistant(signed('One.'), redacted, signed('', ''), thought('Unsigned.'), thought('Empty.', {}), text('B.')),
      user('C?'),
      assistant(thought('Of another.', { anthropic: { signature: 'x' } }, { ...source, model: 'other' }), text('D.')),
      user('E?'),
    ],
  },
  'text after calls, and thoughts between them': {
    messages: [
      user('A?'),
      assistant(call('c1'), text('I look.'), call('c2'), signed('Hm.'), call('c3'), text('Again.')),
      results('c1', 'c2', 'c3'),
    ],
  },
  'a question right after results, and questions in a row': {
    messages: [user('A?'), assistant(call('c1')), results('c1'), user('Stop.'), user('And B?', '', 'And C?')],
  },
  'answers in a row': {
    messages: [user('A?'), assistant(text('B.')), assistant(text('C.'), call('c1')), results('c1')],
  },
  'an answer with spaces before a question': { messages: [user('A?'), assistant(text('  B. \n')), user('C?')] },
  'an image, with a mark': {
    messages: [{ role: 'user', parts: [text('See.'), boat] }, assistant(text('A boat.')), user('B?')],
    breakpoints: after(0),
  },
  'marks on everything that takes one': {
    messages: [
      user('A?', 'B?'),
      assistant(text('I look.'), call('c1'), call('c2')),
      results('c1', 'c2'),
      assistant(text('C.')),
    ],
    breakpoints: after('system', 0, [1, 1], 2),
  },
  'marks on texts': {
    messages: [user('A?'), assistant(text('B.')), user('C?', 'D?')],
    breakpoints: after([0, 0], 1, [2, 0]),
  },
  'calls of a caller': {
    messages: [
      user('A?'),
      assistant(call('c1', '{}', { anthropic: { caller: { type: 'direct' } } }), call('c2')),
      results('c1', 'c2'),
    ],
  },
  'arguments of all kinds': {
    messages: [
      user('A?'),
      assistant(
        call('c1', ''),
        call('c2', '{"query":'),
        call('c3', '[1]'),
        call('c4', '{"__proto__":{"x":1}}'),
        call('c5', '{"a":{"b":[1,null,"\\u00e9\\ud83c"]},"1":2,"0":3}'),
        call('c6', ' { "n" : 1.50 } '),
      ),
      results('c1', 'c2', 'c3', 'c4', 'c5', 'c6'),
    ],
  },
  'ids and names that it does not take': {
    messages: [
      user('A?'),
      assistant(call('functions.search_notes:0'), { ...call(`call_${'x'.repeat(80)}`), name: 'two words ü' }),
      results('functions.search_notes:0', `call_${'x'.repeat(80)}`),
    ],
  },
  'unusual text': { system: 'Ü\u2028\u0000', messages: [user('🍵 \ud83c </user> "quoted" \\ \t\r\n')] },
};

it('sends each conversation as it is stored', async () => {
  const lines: string[] = [];
  for (const [name, plan] of Object.entries(conversations)) {
    const { system, messages, tools } = await bodyOf(planOf(plan));
    const sent = [{ system }, ...(messages as object[]), { tools: tools !== undefined }];
    lines.push([`${name}:`, ...sent.map((each) => `  ${JSON.stringify(each)}`)].join('\n'));
  }
  expectGolden('bodies/anthropic-conversations.txt', lines.join('\n'));
});

it('R229 marks a call as the end of what is cached, and still says who called', async () => {
  const direct = call('c1', '{}', { anthropic: { caller: { type: 'direct' } } });
  const messages = [user('A?'), assistant(direct), results('c1')];
  const body = await bodyOf(planOf({ messages, breakpoints: after(1) }));
  expect((body.messages as { content: object[] }[])[1]?.content).toEqual([
    {
      type: 'tool_use',
      id: 'c1',
      name: 'search_notes',
      input: {},
      caller: { type: 'direct' },
      cache_control: { type: 'ephemeral' },
    },
  ]);
});

// Streams.

async function read(response: () => Response): Promise<ModelEvent[]> {
  const transport = { fetch: () => Promise.resolve(response()) };
  const stopper = new AbortController();
  const model = modelAt('https://model.example/v1', row, { transport });
  return eventsOf(model.stream(planOf(), stopper.signal), ({ type }) => {
    if (type === 'waiting') stopper.abort();
  });
}

function line(name: string, events: readonly ModelEvent[]): string {
  return [`${name}:`, ...events.map((event) => `  ${JSON.stringify(event)}`)].join('\n');
}

it('reads each stream', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const lines: string[] = [];
  for (const [name, events] of Object.entries(streams)) {
    lines.push(line(name, await read(() => new Response(framed('anthropic', events), { headers }))));
  }
  expectGolden('anthropic-streams.txt', lines.join('\n'));
});

it('reads each response that is no stream', async () => {
  const body = JSON.stringify(error('invalid_request_error'));
  const responses: Readonly<Record<string, () => Response>> = {
    'in its own words': () => new Response(body, { status: 400 }),
    'in words of a proxy': () => new Response('upstream connect error', { status: 400 }),
    'without words': () => new Response('', { status: 400 }),
    'when it is overloaded': () =>
      new Response(JSON.stringify(error('overloaded_error')), { status: 529, headers: { 'retry-after': '7' } }),
    'without a body': () => new Response(null, { status: 200 }),
    'as words': () => new Response('data: words\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    'as done': () => new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  };
  const lines: string[] = [];
  for (const [name, response] of Object.entries(responses)) lines.push(line(name, await read(response)));
  expectGolden('anthropic-responses.txt', lines.join('\n'));
});
