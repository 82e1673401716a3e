/**
 * Events of chat completions that are no piece of an answer: signs of life, counts, and errors.
 *
 * @jest-environment node
 */
import type { AssistantPart, Message } from '../../../../src/core/ports/message';
import { addDelta } from '../../../../src/core/turn/run-turn';
import { ask, failureIn, modelAt, planOf, rowOf, textIn } from '../harness';
import { framed } from '../recordings';

const piece = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

function answerTo(row: string, events: readonly unknown[]) {
  const body = framed('openai-compatible', events);
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  return ask(modelAt('https://model.example/v1', rowOf(row), { transport: { fetch } }));
}

const filters = [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }];

it.each<[string, unknown]>([
  ['a sign of life', { id: 'a', object: 'chat.completion.chunk' }],
  ['nothing at all', null],
  ['no list of choices', { id: 'a', choices: null }],
  ['the filters of Azure', { id: '', choices: [], prompt_filter_results: filters }],
  ['the filters of Azure alone', { prompt_filter_results: filters }],
])('an answer goes on after %s', async (_what, event) => {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const events = await answerTo('openai-compatible', [event, piece('Oak'), event, piece('.'), end, event, '[DONE]']);
  expect([failureIn(events)?.words, textIn(events)]).toEqual([undefined, 'Oak.']);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'complete' });
});

it('an answer arrives whole if each of its pieces has an empty error, as those of Foundry Local do', async () => {
  const pieces = ['Oak', '.'].map((content) => ({ ...piece(content), error: null }));
  const events = await answerTo('openai-compatible', [...pieces, { ...piece('', 'stop'), error: null }, '[DONE]']);
  expect([failureIn(events)?.words, textIn(events)]).toEqual([undefined, 'Oak.']);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'complete' });
});

it.each<[string, object, object?]>([
  ['an error that says false', { error: false }],
  ['an error without text', { error: '' }],
  ['a number for an id, and words for a time', { id: 7, created: 'now', model: 3 }],
  ['counts that are texts', { usage: { prompt_tokens: '9', completion_tokens: '4', prompt_tokens_details: 'none' } }],
  ['a list for counts', { usage: [9, 4] }],
  ['another role', {}, { role: 'model' }],
  ['thoughts of an unknown form', {}, { reasoning: { effort: 'low' }, reasoning_content: [] }],
])('an answer arrives whole if each of its pieces has %s', async (_what, fields, delta = {}) => {
  const pieces = [piece('Oak'), piece('.', 'stop')].map(({ choices: [choice] }) => ({
    ...{ choices: [{ ...choice, delta: { ...choice?.delta, ...delta } }] },
    ...fields,
  }));
  const events = await answerTo('openai-compatible', [...pieces, '[DONE]']);
  expect([failureIn(events)?.words, textIn(events)]).toEqual([undefined, 'Oak.']);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'complete' });
});

it('keeps the counts next to those that are none', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, cost: 'free', prompt_tokens_details: { cached_tokens: '3' } };
  const events = await answerTo('openai-compatible', [{ ...piece('Oak.', 'stop'), usage }, '[DONE]']);
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 9, outputTokens: 4 } });
});

it('passes a call whose arguments are an object, as some servers send them', async () => {
  const call = { index: 0, id: 7, function: { name: 'search_notes', arguments: { query: 'oak' } } };
  const choice = { index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' };
  const events = await answerTo('openai-compatible', [{ choices: [choice] }, '[DONE]']);
  expect(events[0]).toMatchObject({ type: 'tool-call', call: { id: '7', argumentsText: '{"query":"oak"}' } });
});

const calling = (...calls: readonly object[]) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] });
const called = { id: 'a', function: { name: 'search_notes', arguments: '{"query":"oak"}' } };

it.each<[string, readonly object[]]>([
  ['without anything in it', [{}]],
  ['without a name and arguments', [{ index: 1, function: { name: '', arguments: '' } }]],
  ['with nulls alone', [{ index: 1, id: null, type: 'function', function: { name: null, arguments: null } }]],
])('an answer is read past a piece of a call %s', async (_what, calls) => {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const said = await answerTo('openai-compatible', [piece('Oak.'), calling(...calls), end, '[DONE]']);
  expect([failureIn(said)?.words, textIn(said)]).toEqual([undefined, 'Oak.']);
  expect(said.at(-1)).toEqual({ type: 'finish', reason: 'complete' });
  const whole = [calling({ index: 0, ...called }), calling(...calls), calling({ index: 0, ...called, id: 'b' })];
  const events = await answerTo('openai-compatible', [...whole, end, '[DONE]']);
  expect(events.map((event) => event.type === 'tool-call' && event.call.id)).toEqual(['a', 'b', false]);
});

it('puts the pieces of calls together whose numbers are texts', async () => {
  const pieces = ['0', '1'].flatMap((index) => [
    calling({ index, id: `call-${index}`, function: { name: 'search_notes', arguments: '{"query":' } }),
    calling({ index, function: { arguments: `"${index}"}` } }),
  ]);
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  const events = await answerTo('openai-compatible', [...pieces, end, '[DONE]']);
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.argumentsText] : []));
  expect(calls).toEqual(['{"query":"0"}', '{"query":"1"}']);
});

it('gives a model of Google the signature of its call back, and no other model', async () => {
  const signed = { ...called, extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  const raw = framed('openai-compatible', [calling({ index: 0, ...signed }), end, '[DONE]']);
  const bodies: string[] = [];
  const fetch = (_url: string, { body }: RequestInit): Promise<Response> => {
    bodies.push(String(body));
    return Promise.resolve(new Response(raw, { headers: { 'content-type': 'text/event-stream' } }));
  };
  const row = rowOf('openai-compatible');
  const open = (modelName: string) => modelAt('https://model.example/v1', row, { modelName, transport: { fetch } });
  const events = await ask(open('gemini-3.8-flash'));
  const messages: Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'A?' }] },
    { role: 'assistant', parts: events.reduce<readonly AssistantPart[]>(addDelta, []) },
    { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', name: 'search_notes', text: 'Oak.', isError: false }] },
  ];
  await ask(open('gemini-3.8-flash'), planOf({ messages }));
  await ask(open('another'), planOf({ messages }));
  expect(bodies.map((body) => body.includes('"thought_signature":"c2lnbmVk"'))).toEqual([false, true, false]);
});

it('shows thoughts in whichever field has them', async () => {
  const thinking = (delta: object) => ({ choices: [{ index: 0, delta }] });
  const pieces = [
    { reasoning_content: '', reasoning: 'The ' },
    { reasoning_content: 'keel', reasoning: '' },
    { reasoning_content: '.', reasoning: '.' },
  ].map(thinking);
  const events = await answerTo('openai-compatible', [...pieces, piece('Oak.', 'stop'), '[DONE]']);
  expect(events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('')).toBe('The keel.');
  expect(textIn(events)).toBe('Oak.');
});

it('an answer has the counts of an event without choices', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4 };
  for (const rest of [{ choices: null }, {}]) {
    const events = await answerTo('openai-compatible', [piece('Oak.', 'stop'), { ...rest, usage }, '[DONE]']);
    expect(events.at(-1)).toEqual({
      ...{ type: 'finish', reason: 'complete' },
      usage: { inputTokens: 9, outputTokens: 4 },
    });
  }
});

it.each<[unknown]>([[{ choices: [{ delta: { content: 5 } }] }], [{ choices: 'oak' }]])(
  'a piece that cannot be read ends the answer: %j',
  async (event) => {
    const events = await answerTo('openai-compatible', [piece('Oak'), event, piece('.', 'stop')]);
    expect([textIn(events), failureIn(events)?.kind]).toEqual(['Oak', 'protocol']);
  },
);

it.each<[string, RegExp]>([
  ['{"error": {"message": "The keel broke."}}', /The keel broke\./],
  ['[{"error": {"message": "The keel broke."}}]', /form that Docent can’t read/],
  ['{"choices": [{"delta": {"content": "Oak"}}]}\n{"choices": [{"finish_reason": "stop"}]}\n', /can’t read/],
  ['\n<!doctype html><title>Log in</title>', /returned a web page/],
  ['', /closed the connection before it responded/],
  [': alive\n\n', /closed the connection before it responded/],
])('a response that is called a stream and is none is reported as what it is: %j', async (body, said) => {
  for (const row of ['openai-compatible', 'anthropic', 'openai']) {
    const fetch = jest.fn(() =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    );
    const events = await ask(modelAt('https://model.example/v1', rowOf(row), { transport: { fetch } }));
    expect(failureIn(events)?.words).toMatch(said);
    expect(fetch).toHaveBeenCalledTimes(/closed/.test(said.source) ? 4 : 1);
  }
});

it.each<[unknown]>([
  [{ error: 'The keel broke.' }],
  [{ error: { message: 'The keel broke.', type: 'oak' } }],
  [{ object: 'error', message: 'The keel broke.', type: 'oak' }],
  [{ detail: 'The keel broke.' }],
])('an error without choices is an error: %j', async (event) => {
  const events = await answerTo('openai-compatible', [piece('Oak'), event]);
  expect(textIn(events)).toBe('Oak');
  expect(failureIn(events)?.words).toContain('The keel broke.');
});

const raw = JSON.stringify({ error: { message: 'The keel is too long.' } });
const error = { code: 400, message: 'Provider returned error', metadata: { provider_name: 'Shipyard', raw } };
const failed = { index: 0, delta: { content: '' }, finish_reason: 'error' };

it.each<[string, object]>([
  ['with choices', { error, choices: [failed] }],
  ['alone', { error }],
  ['in its choice', { choices: [{ ...failed, error }] }],
])('an error of OpenRouter in the middle, %s, says what the provider behind it said', async (_how, event) => {
  const events = await answerTo('openrouter', [piece('Oak'), { id: 'a', ...event }, '[DONE]']);
  expect(textIn(events)).toBe('Oak');
  expect(failureIn(events)?.words).toBe(
    'OpenRouter rejected the request: Provider returned error: The keel is too long.',
  );
});

/** What is shown of an answer whose text comes in these pieces: thoughts, then text. */
async function shownOf(pieces: readonly string[], reason = 'stop') {
  const said = pieces.map((content) => piece(content));
  const events = await answerTo('openai-compatible', [...said, piece('', reason), '[DONE]']);
  const thoughts = events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
  return [thoughts, textIn(events)];
}

it.each<[string, string, string]>([
  ['<think>\nA keel?\n</think>\n\nOak.', '\nA keel?\n', 'Oak.'],
  ['\n <think>A <think> in it</think>Oak.', 'A <think> in it', 'Oak.'],
  ['<think></think>\n\nOak.', '', 'Oak.'],
  ['<thinking>A </think> in it</thinking>Oak.', 'A </think> in it', 'Oak.'],
  ['<think>A < b, </thin but no end', 'A < b, </thin but no end', ''],
  ['<think>A keel?</think>', 'A keel?', ''],
  ['<thinner> wood', '', '<thinner> wood'],
  ['<thi', '', '<thi'],
  ['\n  \n', '', '\n  \n'],
  ['Write `<think>` and </think>.', '', 'Write `<think>` and </think>.'],
])('shows a thought at the beginning of a text as one, wherever it is split: %j', async (text, thoughts, said) => {
  expect(await shownOf([text])).toEqual([thoughts, said]);
  expect(await shownOf(Array.from(text))).toEqual([thoughts, said]);
  for (let at = 1; at < text.length; at++) {
    expect(await shownOf([text.slice(0, at), text.slice(at)])).toEqual([thoughts, said]);
  }
});

it('shows the beginning of a text that breaks off, and no thought in the text of a model that thinks elsewhere', async () => {
  const cut = await answerTo('openai-compatible', [piece('<th')]);
  expect(textIn(cut)).toBe('<th');
  const thinks = { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] };
  const events = await answerTo('openai-compatible', [thinks, piece('<think>Oak.</think>', 'stop'), '[DONE]']);
  expect(textIn(events)).toBe('<think>Oak.</think>');
});

it('leaves the tags of thoughts in an answer to a message that has some, such as a passage that is rewritten', async () => {
  const raw = framed('openai-compatible', [piece('<think>Oak.</think> It is.', 'stop'), '[DONE]']);
  const fetch = () => Promise.resolve(new Response(raw, { headers: { 'content-type': 'text/event-stream' } }));
  const model = modelAt('https://model.example/v1', rowOf('openai-compatible'), { transport: { fetch } });
  const asked = (text: string) => planOf({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
  expect(textIn(await ask(model, asked('Shorten “<think>Oak, I think.</think> It is.”')))).toBe(
    '<think>Oak.</think> It is.',
  );
  expect(textIn(await ask(model, asked('What is it?')))).toBe('It is.');
});

it('puts a call behind the thought and the text that came before it', async () => {
  const text = ['<think>A keel?', '</think>I look.'].map((content) => piece(content));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  const events = await answerTo('openai-compatible', [...text, calling({ index: 0, ...called }), end, '[DONE]']);
  expect(events.reduce<readonly AssistantPart[]>(addDelta, []).map(({ type }) => type)).toEqual([
    'reasoning',
    'text',
    'tool-call',
  ]);
});
