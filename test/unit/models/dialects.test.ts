/**
 * One session, as each row sends it to a server that refuses all that its provider refuses.
 *
 * @jest-environment node
 */
import type { ImageReference, Message } from '../../../src/core/ports/message';
import { createBuiltInReader } from '../../../src/models/built-in-reader/built-in-reader';
import { providers } from '../../../src/models/providers';
import { addDelta } from '../../../src/core/turn/run-turn';
import type { ModelEvent } from '../../../src/core/ports/model';
import type { AssistantPart } from '../../../src/core/ports/message';
import type { ProviderRow, WireFormat } from '../../../src/models/providers/provider';
import { ask, failureIn, modelAt, planOf, rowOf, textIn } from './harness';
import { framed, moreRecordings, recordings } from './recordings';
import { refusalOf, refusedBody } from './strict-servers';

const names: Readonly<Record<WireFormat, string>> = {
  anthropic: 'claude-opus-5',
  'openai-compatible': 'qwen-vl-thinking',
  responses: 'gpt-6.2-sol',
  gemini: 'gemini-3.8-flash',
  ollama: 'llava:7b',
};
const text = (value: string) => ({ type: 'text', text: value }) as const;
const call = (id: string, args = '{"query":"keel"}') =>
  ({ type: 'tool-call', id, name: 'search_notes', argumentsText: args }) as const;
const result = (callId: string, isError = false) =>
  ({ type: 'tool-result', callId, name: 'search_notes', text: 'Oak.', isError }) as const;

const image: ImageReference = {
  digest: 'a'.repeat(64),
  mediaType: 'image/png',
  width: 10,
  height: 10,
  bytes: 3,
  conversation: 'c1',
};
const shown = {
  type: 'image',
  label: 'Boat.png',
  text: '[image]',
  missingText: '[missing]',
  olderText: '[older]',
  name: 'Boat.png',
  image,
  tokens: 1,
} as const;

/** What each format leaves with thoughts and calls. */
const memories: Readonly<Record<WireFormat, object>> = {
  anthropic: { anthropic: { signature: 'c2lnbmVk' } },
  'openai-compatible': {},
  responses: { responses: { itemId: 'rs_1', encryptedContent: 'c2VhbGVk' } },
  gemini: { gemini: { thoughtSignature: 'c2lnbmVk' } },
  ollama: {},
};

/**
 * A summary, then turns of another model, a stopped turn, and turns of the model itself, one of them stopped before its
 * call, as requests grow by them.
 */
function session(row: ProviderRow): Message[] {
  const own = { provider: row.id, model: names[row.format], metadata: memories[row.format] };
  const other = { provider: 'elsewhere', model: 'other', metadata: { anthropic: { signature: 'eA==' } } };
  return [
    { role: 'user', parts: [text('<state_snapshot>We spoke of boats.</state_snapshot>'), text('And the keel?')] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'The keel.', providerData: other },
        text(''),
        { ...call('functions.search_notes:0'), providerData: other },
        call(`call_${'x'.repeat(80)}`, '{"query":'),
      ],
    },
    { role: 'tool', parts: [result('functions.search_notes:0'), result(`call_${'x'.repeat(80)}`, true)] },
    { role: 'user', parts: [text('Stop. What is on this picture?'), shown] },
    { role: 'assistant', parts: [{ type: 'reasoning', text: 'A boat.', providerData: own }, text('A boat.')] },
    { role: 'user', parts: [text('Describe it.')] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'From the bow.', providerData: own },
        text('It is white.'),
        { type: 'reasoning', text: 'Now a search.', providerData: own },
      ],
    },
    { role: 'user', parts: [text('Look for its mast and its sails.')] },
    // Cut off, and asked for again.
    { role: 'assistant', parts: [text('I lo')] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Two searches.', providerData: own },
        text('I look.'),
        text('\n\n'),
        { ...call('abcdefgh1'), providerData: own },
        call('abcdefgh2', ''),
      ],
    },
    { role: 'tool', parts: [result('abcdefgh1'), result('abcdefgh2', true)] },
  ];
}

/** A server that answers what its provider accepts, and refuses the rest with its reason. */
function strictServer(row: ProviderRow, more: (body: Record<string, unknown>) => string | null = () => null) {
  const bodies: Record<string, unknown>[] = [];
  const refusals: string[] = [];
  const fetch = (url: string, init: RequestInit) => {
    // What Ollama is asked about a model is no request to it.
    if (/\/api\/(?:show|ps)$/.test(url)) return Promise.resolve(new Response('{}'));
    const body = JSON.parse(String(init.body)) as Record<string, unknown>;
    bodies.push(body);
    const refusal = refusalOf(row.id, body, names[row.format]) ?? more(body);
    if (refusal === null) {
      const type = row.format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
      const raw = framed(row.format, recordings[row.format].text.events);
      return Promise.resolve(new Response(raw, { headers: { 'content-type': type } }));
    }
    refusals.push(refusal);
    return Promise.resolve(new Response(JSON.stringify(refusedBody(row.format, refusal)), { status: 400 }));
  };
  return { bodies, refusals, transport: { fetch } };
}

const question: Message = { role: 'user', parts: [text('And then?')] };
const png = { readImage: () => Promise.resolve(new Uint8Array([1, 2, 3])) };
let count = 0;

it.each(providers)('the server of $id accepts each request of a session', async (row) => {
  const { refusals, bodies, transport } = strictServer(row);
  const model = modelAt('https://model.example/v1', row, { modelName: names[row.format], transport, ...png });
  const messages = session(row);
  const requests = messages.flatMap(({ role }, index) => (role === 'assistant' ? [] : [messages.slice(0, index + 1)]));
  for (const each of requests) {
    const breakpoints = [{ after: 'system' as const, ends: 'L0' as const }];
    const events = await ask(model, planOf({ messages: each, breakpoints }));
    expect([refusals, failureIn(events)?.words]).toEqual([[], undefined]);
    expect(textIn(events)).toBe('The keel is **oak**.');
  }
  expect(bodies).toHaveLength(requests.length);
  expect(JSON.stringify(bodies.at(-1))).toContain('AQID');
});

it('the built-in reader answers the same session without a server', async () => {
  const events = await ask(createBuiltInReader(), planOf({ messages: session(rowOf('openai')).slice(0, 4) }));
  expect(events.at(-1)?.type).toBe('finish');
});

/** What providers are reported to refuse in words, and whether a request without it exists. */
const reported: readonly (readonly [row: string, words: string, isSent: (body: string) => boolean])[] = [
  [
    'openai',
    'Your organization must be verified to generate reasoning summaries.',
    (body) => body.includes('"summary":"auto"'),
  ],
  ['openai', 'Encrypted content is not supported with this model.', (body) => body.includes('"include"')],
  [
    'openai',
    "Unsupported parameter: 'temperature' is not supported with this model.",
    (body) => body.includes('temperature'),
  ],
  ['openai', "Unknown parameter: 'input[2].phase'.", (body) => body.includes('"phase"')],
  ['openai', "Unknown parameter: 'prompt_cache_key'.", (body) => body.includes('prompt_cache_key')],
  ['gemini', 'Request contains an invalid argument.', (body) => body.includes('temperature')],
  ['anthropic', '`temperature` is deprecated for this model.', (body) => body.includes('temperature')],
  ['xai', 'Model does not support parameter reasoning_effort.', (body) => body.includes('reasoning_effort')],
  [
    'deepseek',
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    (body) => body.includes('"max_tokens"'),
  ],
  ['deepseek', 'The `reasoning_content` in the thinking mode must be passed back to the API.', hasBareAnswer],
  ['deepseek', 'Missing `reasoning_content` field in the assistant message at message index 2.', hasBareAnswer],
  [
    'openai-compatible',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    hasBareAnswer,
  ],
  ['lmstudio', "Unrecognized key(s) in object: 'reasoning_content'", (body) => body.includes('reasoning_content')],
  [
    'openai-compatible',
    'Unrecognized request argument supplied: stream_options',
    (body) => body.includes('stream_opt'),
  ],
  ['mistral', 'After the optional system message, conversation roles must alternate user/assistant', hasNeighbours],
  ['gemini', 'Developer instruction is not enabled for models/gemma-3-27b-it', (body) => body.includes('"systemInst')],
  [
    'lmstudio',
    'Error rendering prompt with jinja template: System role not supported',
    (body) => body.includes('"system"'),
  ],
  ['anthropic', 'messages.1.content.0: Invalid `signature` in `thinking` block', (body) => body.includes('"thinking"')],
  [
    'anthropic',
    'messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
    (body) => body.includes('"budget_tokens"'),
  ],
  ['openai', 'The encrypted content c2Vh… could not be verified.', (body) => body.includes('"encrypted_content"')],
  ['openai', "Item 'rs_1' of type 'reasoning' was provided without its required following item.", hasItem],
  [
    'groq',
    '`max_completion_tokens` must be less than or equal to `200`, the maximum value',
    (body) => limitIn(body) > 200,
  ],
  [
    'groq',
    'max_tokens is too large: 4000. This model supports at most 200 completion tokens',
    (body) => limitIn(body) > 200,
  ],
  ['deepseek', 'Invalid max_tokens value, the valid range of max_tokens is [1, 200]', (body) => limitIn(body) > 200],
  [
    'anthropic',
    'max_tokens: 4000 > 200, which is the maximum allowed number of output tokens',
    (body) => limitIn(body) > 200,
  ],
  [
    'gemini',
    'max_output_tokens: the valid range is from 1 (inclusive) to 201 (exclusive)',
    (body) => limitIn(body) > 200,
  ],
];

function hasNeighbours(body: string): boolean {
  const roles = (JSON.parse(body) as { messages: { role: string }[] }).messages.map(({ role }) => role);
  return roles.some((role, at) => role === 'user' && roles[at - 1] === 'user');
}
function hasBareAnswer(body: string): boolean {
  const { messages } = JSON.parse(body) as { messages: { role: string; reasoning_content?: string }[] };
  return messages.some(({ role, reasoning_content: thought = '' }) => role === 'assistant' && thought === '');
}
function hasItem(body: string): boolean {
  return body.includes('"type":"reasoning"');
}
function limitIn(body: string): number {
  return Number(/"(?:max_tokens|max_completion_tokens|maxOutputTokens)":(\d+)/.exec(body)?.[1]);
}

it.each(reported)('%s: “%s” is survived by one more request, and remembered', async (id, words, isSent) => {
  const row = rowOf(id);
  const refuse = (body: object) => (isSent(JSON.stringify(body)) ? words : null);
  const { bodies, transport } = strictServer(row, refuse);
  const modelName = id === 'anthropic' ? 'new' : names[row.format];
  count += 1;
  const chosen = {
    temperature: 0.2,
    ...(/effort|thinking (?:block \(|mode)/.test(words) && { effort: 'low' as const }),
  };
  // What is remembered is remembered by name.
  const model = modelAt('https://model.example/v1', row, { modelName: `${modelName}-${count}`, transport, chosen });
  const source = { provider: id, model: `${modelName}-${count}` };
  const said = {
    type: 'reasoning',
    text: '',
    providerData: { ...source, metadata: { responses: { phase: 'commentary' } } },
  } as const;
  const { format } = row;
  const thought = { type: 'reasoning', text: 'Hm.', providerData: { ...source, metadata: memories[format] } } as const;
  const messages: Message[] = [
    { role: 'user', parts: [text('A?')] },
    // What another model answered.
    ...(isSent === hasBareAnswer ? [{ role: 'assistant' as const, parts: [text('A.')] }, question] : []),
    {
      role: 'assistant',
      parts: [thought, text('I look.'), ...(id === 'openai' ? [said] : [])],
    },
    { role: 'user', parts: [text('B?')] },
    ...(words.includes('alternate') ? [{ role: 'user' as const, parts: [text('C?')] }] : []),
  ];
  const maxOutputTokens = 4_000;
  expect(textIn(await ask(model, planOf({ messages, maxOutputTokens })))).toBe('The keel is **oak**.');
  expect(bodies.map((body) => isSent(JSON.stringify(body)))).toEqual([true, false]);
  await ask(model, planOf({ messages, maxOutputTokens }));
  expect(bodies).toHaveLength(3);
  // Its own thoughts are what such a server asks for.
  if (isSent === hasBareAnswer) expect(JSON.stringify(bodies[2])).toContain('"reasoning_content":"Hm."');
});

it('a chat whose calls were made without thoughts is answered without effort, and no other chat is', async () => {
  const words = 'When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  const row = rowOf('anthropic');
  const isSent = (body: unknown): boolean => JSON.stringify(body).includes('"budget_tokens"');
  const { bodies, transport } = strictServer(row, (body) =>
    isSent(body) && JSON.stringify(body).includes('Go on.') ? words : null,
  );
  count += 1;
  const chosen = { effort: 'low' as const };
  const model = modelAt('https://model.example/v1', row, { modelName: `new-${count}`, transport, chosen });
  const say = (said: string, conversationId: string) =>
    ask(model, planOf({ conversationId, maxOutputTokens: 4_000, messages: [{ role: 'user', parts: [text(said)] }] }));
  await say('Go on.', 'one');
  await say('Go on.', 'one');
  await say('A?', 'two');
  expect(bodies.map(isSent)).toEqual([true, false, false, true]);
});

it.each([
  [400, 'This model does not support image input.'],
  [400, 'messages[1].content must be a string'],
  [400, 'Invalid content type. image_url is only supported by certain models.'],
  [400, 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`'],
  [404, 'No endpoints found that support image input'],
  [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
])('a refusal of images, %d “%s”, is survived without them, and said', async (status, reason) => {
  const row = rowOf('openai-compatible');
  const bodies: string[] = [];
  const fetch = (_url: string, { body }: RequestInit) => {
    bodies.push(String(body));
    if (String(body).includes('image_url')) {
      return Promise.resolve(new Response(JSON.stringify({ error: { message: reason } }), { status }));
    }
    const raw = framed(row.format, recordings[row.format].text.events);
    return Promise.resolve(new Response(raw, { headers: { 'content-type': 'text/event-stream' } }));
  };
  count += 1;
  const modelName = `qwen-vl-${count}`;
  const open = () => modelAt('https://model.example/v1', row, { modelName, transport: { fetch }, ...png });
  expect(open().description.takesImages).toBe(true);
  const messages: Message[] = [{ role: 'user', parts: [text('What is it?'), shown] }];
  const events = await ask(open(), planOf({ messages }));
  expect(textIn(events)).toBe('The keel is **oak**.');
  expect(events.find(({ type }) => type === 'notice')).toMatchObject({ words: expect.stringContaining(modelName) });
  expect(bodies[1]).toContain('[image]');
  await ask(open(), planOf({ messages }));
  expect(bodies).toHaveLength(3);
  expect(open().description.takesImages).toBeUndefined();
});

it.each([
  ['At most 2 image(s) may be provided in one request.', 2],
  ['Too many images in request: 3 images provided, but the model supports a maximum of 2 images.', 2],
  ['Too many images provided. This model supports up to 2 images', 2],
  ['Request contains 3 images, exceeding the maximum of 2 allowed per request', 2],
  ['Too many images.', 1],
])('a refusal of so many images, “%s”, is survived with the newest, and said', async (reason, most) => {
  const row = rowOf('mistral');
  const countOf = (body: unknown): number => JSON.stringify(body).split('"type":"image_url"').length - 1;
  const { bodies, transport } = strictServer(row, (body) => (countOf(body) > most ? reason : null));
  count += 1;
  const modelName = `pixtral-${count}`;
  const model = modelAt('https://model.example/v1', row, { modelName, transport, ...png });
  const see = (said: string): Message => ({ role: 'user', parts: [text(said), { ...shown }] });
  const messages = [see('One.'), see('Two.'), see('Three.')];
  const events = await ask(model, planOf({ messages }));
  expect(textIn(events)).toBe('The keel is **oak**.');
  expect(events.find(({ type }) => type === 'notice')).toMatchObject({ words: expect.stringContaining(modelName) });
  await ask(model, planOf({ messages }));
  expect(bodies.map(countOf)).toEqual([3, most, most]);
  const last = JSON.stringify(bodies[2]);
  expect([last.split('[older]').length - 1, last.indexOf('[older]') < last.indexOf('Two.')]).toEqual([3 - most, true]);
});

it('OpenAI gets the phase of each earlier message back, and no other model does', async () => {
  const found = moreRecordings.find(([, name]) => name === 'messages that follow one another');
  const raw = framed('responses', found?.[2].events ?? []);
  const fetch = () => Promise.resolve(new Response(raw, { headers: { 'content-type': 'text/event-stream' } }));
  const row = rowOf('openai');
  const events: ModelEvent[] = await ask(modelAt('https://model.example/v1', row, { transport: { fetch } }));
  const parts = events.reduce<readonly AssistantPart[]>(addDelta, []);
  const messages: Message[] = [
    { role: 'user', parts: [text('A?')] },
    { role: 'assistant', parts },
    { role: 'user', parts: [text('B?')] },
  ];
  const phasesFor = async (modelName: string) => {
    const { bodies, transport } = strictServer(row);
    await ask(modelAt('https://model.example/v1', row, { modelName, transport }), planOf({ messages }));
    return (bodies[0]?.input as { role: string; phase?: string }[]).map(({ role, phase }) => [role, phase]);
  };
  expect(await phasesFor('scripted')).toEqual([
    ['user', undefined],
    ['assistant', 'commentary'],
    ['assistant', 'final_answer'],
    ['user', undefined],
  ]);
  expect((await phasesFor('gpt-4.1')).flat()).not.toContain('commentary');
});

it('OpenRouter gets the thoughts of a model back as it gave them, and no other model does', async () => {
  const said = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const thinks = (...details: object[]) => said({ reasoning: 'x', reasoning_details: details });
  const about = { format: 'anthropic-claude-v1', index: 0 };
  const sealed = { type: 'reasoning.encrypted', data: 'c2VhbGVk', id: 'tool_1', format: 'google-gemini-v1', index: 0 };
  const called = { index: 0, id: 'tool_1', type: 'function', function: { name: 'search_notes', arguments: '{}' } };
  const raw = framed('openai-compatible', [
    thinks({ type: 'reasoning.text', text: 'The ', ...about }),
    thinks(
      { type: 'reasoning.text', text: 'keel.', ...about },
      { ...about, type: 'reasoning.text', signature: 'c2ln' },
    ),
    thinks({ type: 'reasoning.text', text: 'The mast.', ...about, index: 1 }),
    said({ content: 'I look.' }),
    said({ tool_calls: [called], reasoning_details: [sealed, { ...sealed, id: 'tool_2' }] }),
    said({}, 'tool_calls'),
    '[DONE]',
  ]);
  const fetch = () => Promise.resolve(new Response(raw, { headers: { 'content-type': 'text/event-stream' } }));
  const row = rowOf('openrouter');
  const modelName = 'google/gemini-3.8-flash';
  const events = await ask(modelAt('https://model.example/v1', row, { modelName, transport: { fetch } }));
  const messages: Message[] = [
    { role: 'user', parts: [text('A?')] },
    { role: 'assistant', parts: events.reduce<readonly AssistantPart[]>(addDelta, []) },
    { role: 'tool', parts: [result('tool_1')] },
  ];
  const sentTo = async (name: string) => {
    const { bodies, transport } = strictServer(row);
    const events = await ask(
      modelAt('https://model.example/v1', row, { modelName: name, transport }),
      planOf({ messages }),
    );
    expect(failureIn(events)).toBeUndefined();
    const answer = (bodies[0]?.messages as Record<string, unknown>[])[2];
    return [answer?.reasoning_details, answer?.reasoning_content];
  };
  expect(await sentTo(modelName)).toEqual([
    [
      { type: 'reasoning.text', text: 'The keel.', ...about, signature: 'c2ln' },
      { type: 'reasoning.text', text: 'The mast.', ...about, index: 1 },
      sealed,
      { ...sealed, id: 'tool_2' },
    ],
    undefined,
  ]);
  expect(await sentTo('another')).toEqual([undefined, undefined]);
});

it('a model that only speaks Interactions is said to, without a second request', async () => {
  const { bodies, transport } = strictServer(rowOf('gemini'), () => 'This model only supports Interactions API.');
  const model = modelAt('https://model.example', rowOf('gemini'), { modelName: 'deep-research', transport });
  const failure = failureIn(await ask(model));
  expect([failure?.words, bodies.length]).toEqual([
    '“deep-research” works only with Google’s Interactions API, which Docent doesn’t support.',
    1,
  ]);
  expect(failure?.remedy).toMatch(/^Choose another/);
});

describe.each(providers)('$id', (row) => {
  const answerTo = (body: string, type: string) => {
    const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
    return ask(modelAt('https://model.example/v1', row, { transport: { fetch }, modelName: names[row.format] }));
  };
  const type = row.format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';

  it('says in one sentence what an error inside of a success was, with a next act', async () => {
    const error = refusedBody(row.format, 'The keel broke.');
    const plain = failureIn(await answerTo(JSON.stringify(error), 'application/json'));
    const streamed = failureIn(await answerTo(framed(row.format, [error]), type));
    for (const failure of [plain, streamed]) {
      expect(failure?.words).toContain('The keel broke.');
      expect(failure?.remedy).toMatch(/^\S.*\.$/);
    }
  });

  it('says that an answer closed without its end, with a next act', async () => {
    const failure = failureIn(await answerTo('', type));
    expect(failure?.words).toMatch(/closed the connection before it responded\. Docent tried 4 times\.$/);
    expect(failure?.remedy).toMatch(/^\S.*\.$/);
  });
});

const user = { role: 'user', content: 'A?' };
const asks = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, function: { arguments: '{}' } }],
});
const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'None.' });
const uses = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id }] });
const item = { type: 'function_call', call_id: 'a', name: 'b', arguments: '{}' };

it.each([
  ['groq', { messages: [user, { ...asks('a'), reasoning_content: 'Hm.' }, answers('a')] }, 'Extra inputs'],
  ['mistral', { messages: [user, asks('call_abc123'), answers('call_abc123')] }, 'Tool call id'],
  ['mistral', { messages: [user, asks('abcdefghi'), answers('abcdefghi'), user] }, "'user' after role 'tool'"],
  ['xai', { messages: [user, answers('a')] }, 'without a call'],
  ['xai', { messages: [user, asks('a'), user] }, 'without results'],
  ['deepseek', { messages: [{ role: 'user', content: '' }] }, 'content is empty'],
  ['openrouter', { messages: [user], top_k: 1 }, 'Extra inputs'],
  ['anthropic', { messages: [user, uses('functions.a:0')] }, 'pattern'],
  ['anthropic', { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }, 'non-empty'],
  ['anthropic', { messages: [uses('a')] }, 'user role'],
  ['openai', { input: [item] }, 'No tool output'],
  ['openai', { input: [{ type: 'reasoning', id: 'rs' }] }, 'required following item'],
  [
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'A?' }] },
        { role: 'model', parts: [{ functionCall: {} }] },
      ],
    },
    'signature',
  ],
  ['ollama', { messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: '{}' } }] }] }, 'unmarshal'],
])('the strict server of %s refuses what its provider does: %j', (row, body, words) => {
  const blocks = (each: Record<string, unknown>) =>
    row === 'anthropic' && typeof each.content === 'string'
      ? { ...each, content: [{ type: 'text', text: 'A?' }] }
      : each;
  const given =
    'messages' in body ? { ...body, messages: (body.messages as Record<string, unknown>[]).map(blocks) } : body;
  expect(refusalOf(row, given, 'gemini-3.8-flash')).toContain(words);
});
