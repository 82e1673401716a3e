/**
 * Servers that know only a part of their format: they refuse the other fields one by one, or leave them out of their
 * answers; and Gemini, which may refuse the signatures of its own thoughts.
 *
 * @jest-environment node
 */
import type { Message } from '../../../src/core/ports/message';
import { providers } from '../../../src/models/providers';
import type { ProviderRow, WireFormat } from '../../../src/models/providers/provider';
import { ask, boat, failureIn, modelAt, planOf, rowOf, textIn } from './harness';
import { framed } from './recordings';
import { refusedBody } from './strict-servers';

type Json = Record<string, unknown>;

/** Names of models, which are what a refusal is remembered by. */
let count = 0;
const nextName = (start: string): string => `${start}-${(count += 1)}`;

/** The least that a server of each format can answer. */
const answers: Readonly<Record<WireFormat, readonly object[]>> = {
  anthropic: [
    { type: 'message_start', message: { content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Oak.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
  'openai-compatible': [
    { choices: [{ delta: { content: 'Oak.' } }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
  ],
  responses: [
    { type: 'response.output_text.delta', delta: 'Oak.' },
    { type: 'response.completed', response: {} },
  ],
  gemini: [{ candidates: [{ content: { parts: [{ text: 'Oak.' }] }, finishReason: 'STOP' }] }],
  ollama: [{ message: { content: 'Oak.' } }, { done: true }],
};

/** A server that answers as little as it can, once a request has nothing that it refuses. */
function plainServer(row: ProviderRow, refusalOf: (body: Json) => string | null = () => null) {
  const bodies: Json[] = [];
  const fetch = (url: string, init: RequestInit) => {
    if (/\/api\/(?:show|ps)$/.test(url)) return Promise.resolve(new Response('{}'));
    const body = JSON.parse(String(init.body)) as Json;
    bodies.push(body);
    const refusal = refusalOf(body);
    if (refusal !== null) {
      return Promise.resolve(new Response(JSON.stringify(refusedBody(row.format, refusal)), { status: 400 }));
    }
    const type = row.format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
    return Promise.resolve(
      new Response(framed(row.format, answers[row.format]), { headers: { 'content-type': type } }),
    );
  };
  return { bodies, transport: { fetch } };
}

it.each(providers)('$id: an answer with the least of its fields is an answer', async (row) => {
  const { transport } = plainServer(row);
  const events = await ask(modelAt('https://model.example/v1', row, { modelName: nextName('plain'), transport }));
  expect([failureIn(events)?.words, textIn(events)]).toEqual([undefined, 'Oak.']);
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'complete' });
});

/** What every server of chat completions knows, in a request and in its messages. */
const known = ['model', 'messages', 'tools', 'stream', 'max_tokens', 'role', 'content', 'tool_calls', 'tool_call_id'];

function firstUnknown(body: Json): string | null {
  const messages = body.messages as Json[];
  const fields = [...Object.keys(body), ...messages.flatMap((message) => Object.keys(message))];
  const field = fields.find((name) => !known.includes(name));
  return field === undefined ? null : `Unrecognized request argument supplied: ${field}`;
}

it.each(providers.filter(({ format }) => format === 'openai-compatible'))(
  '$id: a server that refuses field after field is answered to without them, and no more is asked later',
  async (row) => {
    const { bodies, transport } = plainServer(row, firstUnknown);
    const modelName = nextName('plain');
    const chosen = { effort: 'low' as const, temperature: 0.2 };
    const model = modelAt('https://model.example/v1', row, { modelName, transport, chosen });
    const own = { provider: row.id, model: modelName, metadata: {} };
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'A?' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.', providerData: own },
          { type: 'text', text: 'A.' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'B?' }] },
    ];
    const events = await ask(model, planOf({ messages }));
    expect([failureIn(events)?.words, textIn(events)]).toEqual([undefined, 'Oak.']);
    const asked = bodies.length;
    expect(bodies.slice(0, -1).every((body) => firstUnknown(body) !== null)).toBe(true);
    await ask(model, planOf({ messages }));
    expect(bodies).toHaveLength(asked + 1);
  },
);

describe('a server that knows a message as one text alone', () => {
  const row = rowOf('openai-compatible');
  const isList = ({ messages }: Json): boolean => (messages as Json[]).some(({ content }) => Array.isArray(content));
  const question: Message = {
    role: 'user',
    parts: [
      { type: 'text', text: '<note>\nOak.\n</note>' },
      { type: 'text', text: 'A?' },
    ],
  };

  it.each([
    'content must be a string',
    "'content' field must be a string",
    'Failed to deserialize: messages[0].content: invalid type: sequence, expected a string at line 1',
    '[{"loc":["body","messages",0,"content"],"msg":"Input should be a valid string","type":"string_type"}]',
  ])('that refuses lists with %j gets the parts one below the other, from the first refusal on', async (words) => {
    const { bodies, transport } = plainServer(row, (body) => (isList(body) ? words : null));
    const model = modelAt('https://model.example/v1', row, { modelName: nextName('texts'), transport });
    const events = await ask(model, planOf({ messages: [question] }));
    expect([failureIn(events)?.words, textIn(events), bodies.length]).toEqual([undefined, 'Oak.', 2]);
    expect((bodies[1]?.messages as Json[]).at(-1)).toEqual({
      role: 'user',
      content: '<note>\nOak.\n</note>\n\nA?',
    });
    await ask(model, planOf({ messages: [question] }));
    expect(bodies).toHaveLength(3);
  });

  it('gets words in place of an image, and then the parts one below the other', async () => {
    const { bodies, transport } = plainServer(row, (body) => (isList(body) ? 'content must be a string' : null));
    const model = modelAt('https://model.example/v1', row, { modelName: nextName('llava'), transport });
    const shown: Message = { role: 'user', parts: [...question.parts, boat] };
    const events = await ask(model, planOf({ messages: [shown] }));
    expect([failureIn(events)?.words, textIn(events), bodies.length]).toEqual([undefined, 'Oak.', 3]);
    expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
  });
});

describe('Gemini', () => {
  const row = rowOf('gemini');
  const signed = (modelName: string): Message[] => {
    const providerData = {
      provider: 'gemini',
      model: modelName,
      metadata: { gemini: { thoughtSignature: 'c2lnbmVk' } },
    };
    return [
      { role: 'user', parts: [{ type: 'text', text: 'A?' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'a', name: 'search_notes', argumentsText: '{"query":"a"}', providerData }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'a', name: 'search_notes', text: 'Oak.', isError: false }],
      },
    ];
  };
  const isSigned = (body: Json): boolean => JSON.stringify(body).includes('c2lnbmVk');

  it.each([
    'Thought signature is not valid.',
    'Corrupted thought signature.',
    'Invalid thought_signature in functionCall parts.',
    'Unable to submit request because thoughtSignature is invalid.',
  ])('that refuses a signature (“%s”) is asked once more without, and not again with', async (words) => {
    const { bodies, transport } = plainServer(row, (body) => (isSigned(body) ? words : null));
    const modelName = nextName('gemini-3.8-flash');
    const model = modelAt('https://model.example/v1', row, { modelName, transport });
    expect(textIn(await ask(model, planOf({ messages: signed(modelName) })))).toBe('Oak.');
    expect(bodies.map(isSigned)).toEqual([true, false]);
    await ask(model, planOf({ messages: signed(modelName) }));
    expect(bodies.map(isSigned)).toEqual([true, false, false]);
    // Another model may take its own.
    const other = nextName('gemini-3.8-flash');
    await ask(
      modelAt('https://model.example/v1', row, { modelName: other, transport }),
      planOf({ messages: signed(other) }),
    );
    expect(bodies.map(isSigned).slice(3)).toEqual([true, false]);
  });

  it('that refuses them without any is told of in its words, after one more request', async () => {
    const { bodies, transport } = plainServer(row, () => 'Thought signature is not valid.');
    const modelName = nextName('gemini-3.8-flash');
    const model = modelAt('https://model.example/v1', row, { modelName, transport });
    const failure = failureIn(await ask(model, planOf({ messages: signed(modelName) })));
    expect(failure?.words).toContain('Thought signature is not valid.');
    expect(failure?.remedy).toMatch(/^\S.*\.$/);
    expect(bodies).toHaveLength(2);
    expect(failureIn(await ask(model, planOf({ messages: signed(modelName) })))?.words).toContain('not valid');
    expect(bodies).toHaveLength(3);
  });
});
