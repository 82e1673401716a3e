/** @jest-environment node */
import type { Message } from '../../../src/core/ports/message';
import { readRequest, type ScriptedModel, startScriptedModel } from '../../support/model-server';
import { ask, formats, modelAt, planOf, searchTool, testKey, textIn } from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

const sent = (index: number) => readRequest(server.requests[index] ?? { body: {}, headers: {} });
const bodyText = (index: number): string => JSON.stringify(server.requests[index]?.body);

/** The header that carries the key. */
const keyHeaders: Readonly<Record<string, readonly [string, string]>> = {
  anthropic: ['x-api-key', testKey],
  gemini: ['x-goog-api-key', testKey],
};
const bearer = ['authorization', `Bearer ${testKey}`] as const;

describe.each(formats)('$format', ({ format, row, path, reasons }) => {
  const model = () => modelAt(server.url + path, row);

  it('R231 streams text and ends with the reason and the usage that the provider reported', async () => {
    const usage = { input: 40, output: 7, cacheRead: 30, cacheWrite: 5, reasoning: 2 };
    // Slower than what arrives closely together, which is passed on as one.
    server.setScript([{ text: 'Tea is a drink, « chaud » 🍵.', usage, delayMs: 30 }]);
    const events = await ask(model());
    expect(textIn(events)).toBe('Tea is a drink, « chaud » 🍵.');
    expect(events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(3);
    const reported: Partial<Record<typeof format, object>> = {
      anthropic: { inputTokens: 75, cacheReadTokens: 30, cacheWriteTokens: 5 },
      ollama: { inputTokens: 40 },
    };
    const usual = { inputTokens: 40, cacheReadTokens: 30, reasoningTokens: 2 };
    const expected = { ...(reported[format] ?? usual), outputTokens: 7 };
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'complete', usage: expected });
  });

  it('sends the plan once: system, roles, tools as functions, the limit of the answer', async () => {
    server.setScript([{ text: 'Yes.' }]);
    await ask(model());
    expect(server.requests).toHaveLength(1);
    const { system, messages, tools } = sent(0);
    expect(system).toBe('You are a careful reader.');
    expect(messages.map(({ role, text }) => [role, text])).toEqual([['user', 'What about tea?']]);
    expect(tools).toEqual([searchTool.name]);
    expect(bodyText(0)).toContain(JSON.stringify(searchTool.parameters));
    expect(bodyText(0)).toMatch(/"(?:max_tokens|max_output_tokens|maxOutputTokens|num_predict)":512/);
  });

  it('sends nothing but the headers that are needed', async () => {
    server.setScript([{ text: 'Yes.' }]);
    await ask(model());
    const headers = server.requests[0]?.headers ?? {};
    // What Node's own fetch adds to every request, a browser's would as well or would not let us set.
    const byRuntime = ['host', 'connection', 'accept', 'accept-encoding', 'accept-language', 'content-length'];
    const runtime = [...byRuntime, 'sec-fetch-mode', 'user-agent', 'cache-control', 'pragma'];
    const ours = Object.keys(headers).filter((name) => !runtime.includes(name));
    const [keyHeader, keyValue] = keyHeaders[format] ?? bearer;
    const more = format === 'anthropic' ? ['anthropic-dangerous-direct-browser-access', 'anthropic-version'] : [];
    expect(ours.sort()).toEqual([...more, keyHeader, 'content-type'].sort());
    expect(headers['user-agent'] ?? 'node').not.toMatch(/ai-sdk/);
    expect(headers[keyHeader]).toBe(keyValue);
  });

  it('hands on a call by the tool’s own names, also those that Anthropic refuses', async () => {
    const parameters = { type: 'object', properties: { $filter: { type: 'string' } }, required: ['$filter'] };
    server.setScript([{ text: '', toolCalls: [{ name: 'find', arguments: { _filter: 'tea' }, id: 'call_1' }] }]);
    const events = await ask(model(), planOf({ tools: [{ name: 'find', description: '', parameters }] }));
    expect(bodyText(0)).toContain('"properties":{"_filter":');
    expect(bodyText(0)).toContain('"required":["_filter"]');
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(calls).toMatchObject([{ id: 'call_1', name: 'find', argumentsText: '{"$filter":"tea"}' }]);
  });

  it.each([
    ['default_api:search_notes', 'search_notes'],
    ['functions.Search_Notes:0', 'search_notes'],
    ['notes/search_notes', 'search_notes'],
    ['find', 'find'],
    ['FIND', 'FIND'],
    ['notes.search', 'notes.search'],
  ])('hands on a call of %s by the name of the one tool that it means', async (name, own) => {
    const tools = ['search_notes', 'find', 'Find'].map((each) => ({ name: each, description: '', parameters: {} }));
    server.setScript([{ text: '', toolCalls: [{ name, arguments: { query: 'tea' }, id: 'call_1' }] }]);
    const events = await ask(model(), planOf({ tools }));
    expect(events.flatMap((event) => (event.type === 'tool-call' ? [event.call.name] : []))).toEqual([own]);
  });

  it('hands on a tool call whole, and sends it back with its result in their own roles', async () => {
    const call = { name: 'search_notes', arguments: { query: 'green tea' }, id: 'call_1' };
    server.setScript([{ text: 'I look.', toolCalls: [call] }, { text: 'Found.' }]);
    const first = await ask(model());
    const calls = first.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(calls).toMatchObject([
      { type: 'tool-call', id: 'call_1', name: 'search_notes', argumentsText: '{"query":"green tea"}' },
    ]);
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });

    const result = { callId: 'call_1', name: 'search_notes', text: 'Sencha.md', isError: false } as const;
    const messages: Message[] = [
      ...planOf().messages,
      { role: 'assistant', parts: [{ type: 'text', text: 'I look.' }, ...calls] },
      { role: 'tool', parts: [{ type: 'tool-result', ...result }] },
    ];
    expect(textIn(await ask(model(), planOf({ messages })))).toBe('Found.');
    const second = sent(1);
    expect(second.system).toBe('You are a careful reader.');
    const [question, answer, results] = second.messages;
    expect([question?.role, question?.text]).toEqual(['user', 'What about tea?']);
    expect([answer?.role, answer?.text]).toEqual(['assistant', 'I look.']);
    expect(answer?.calls).toEqual([{ id: 'call_1', name: 'search_notes', args: { query: 'green tea' } }]);
    expect(results?.results).toEqual([{ id: 'call_1', text: 'Sencha.md' }]);
    expect(second.messages).toHaveLength(3);
  });

  it('sends what a model thought and signed back to it, and to no other', async () => {
    const call = { name: 'search_notes', arguments: { query: 'tea' }, id: 'call_1' };
    server.setScript([{ reasoning: 'First the notes.', toolCalls: [call] }, { text: 'Found.' }, { text: 'Other.' }]);
    const events = await ask(model());
    const thoughts = events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
    expect(thoughts).toBe('First the notes.');
    const end = events.find((event) => event.type === 'reasoning-end');
    if (end?.type !== 'reasoning-end') throw new Error('The reasoning never ended.');
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    // The store keeps it as JSON.
    const parts = JSON.parse(
      JSON.stringify([{ type: 'reasoning', text: thoughts, providerData: end.providerData }, ...calls]),
    ) as [];
    const result = { type: 'tool-result', callId: 'call_1', name: 'search_notes', text: 'x', isError: true } as const;
    const messages: Message[] = [...planOf().messages, { role: 'assistant', parts }, { role: 'tool', parts: [result] }];
    await ask(model(), planOf({ messages }));
    // Each format wants something else back: the thoughts, their seal, or a signature on the call.
    const returned: Record<typeof format, readonly string[]> = {
      anthropic: ['"type":"thinking"', 'First the notes.', '"signature":"signature-0"', '"is_error":true'],
      'openai-compatible': ['"reasoning_content":"First the notes."'],
      responses: ['"encrypted_content":"sealed-0"', '"id":"rs_0"', 'First the notes.'],
      gemini: ['"thoughtSignature":"signature-0"', '{"error":"x"}'],
      ollama: ['"thinking":"First the notes."'],
    };
    for (const word of returned[format]) expect(bodyText(1)).toContain(word);
    const other = modelAt(server.url + path, row, { modelName: format === 'gemini' ? 'scripted' : 'another' });
    if (format === 'gemini') return;
    await ask(other, planOf({ messages }));
    for (const secret of ['First the notes.', 'signature-0', 'sealed-0']) expect(bodyText(2)).not.toContain(secret);
    expect(sent(2).messages.at(-1)?.results).toEqual([{ id: 'call_1', text: 'x' }]);
  });

  it('F28 F29 reports a refusal and a stop by length as such, and passes no call that was cut', async () => {
    const whole = { name: 'search_notes', arguments: { query: 'tea' }, id: 'whole' };
    const none = { name: 'search_notes', arguments: '', id: 'none' };
    server.setScript([{ text: 'Long', finishReason: reasons.length, toolCalls: [whole, none] }]);
    const long = await ask(model());
    expect(long.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(long.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []))).toEqual(['whole']);
    // Ollama has no word for it: a model refuses in its own.
    if (reasons.refusal === null) return;
    server.setScript([{ text: 'I will not.', finishReason: reasons.refusal, toolCalls: [whole] }]);
    const refused = await ask(model());
    expect(refused.at(-1)).toMatchObject({ type: 'finish', reason: 'refusal' });
    expect(refused.some((event) => event.type === 'tool-call')).toBe(false);
    expect(textIn(refused)).toBe('I will not.');
  });

  it('F28 passes no call whose arguments a stop by length cut off', async () => {
    // Gemini and Ollama send arguments in one piece, as an object, so that they cannot be cut off.
    if (format === 'gemini' || format === 'ollama') return;
    const cut = { name: 'search_notes', arguments: '{"query":"te', id: 'cut' };
    server.setScript([{ text: 'Long', finishReason: reasons.length, toolCalls: [cut] }]);
    expect((await ask(model())).some((event) => event.type === 'tool-call')).toBe(false);
  });

  it('F28 passes broken arguments of a finished answer on, and keeps the history sendable', async () => {
    const call = { name: 'search notes!', arguments: '{"query": tea}', id: 'call_1' };
    server.setScript([{ toolCalls: [call] }, { text: 'Sorry.' }]);
    const events = await ask(model());
    const parts = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(parts).toMatchObject([{ id: 'call_1', name: 'search notes!' }]);
    // In Gemini's JSON a broken object can only be a text.
    expect(parts[0]?.argumentsText).toContain('{"query": tea}'.replaceAll('"', format === 'gemini' ? '\\"' : '"'));
    await ask(model(), planOf({ messages: [...planOf().messages, { role: 'assistant', parts }] }));
    expect(bodyText(1)).toContain('search_notes_');
    expect(bodyText(1)).not.toContain('search notes!');
    expect(bodyText(1)).toContain('unreadable_arguments');
  });

  it('F26 F27 understands the same answer in chunks of one byte', async () => {
    const call = { name: 'search_notes', arguments: { query: 'thé 🍵' }, id: 'call_1' };
    server.setScript([{ text: 'Voilà 🍵', toolCalls: [call], chunkBytes: 1 }]);
    const events = await ask(model());
    expect(textIn(events)).toBe('Voilà 🍵');
    expect(events.at(-2)).toMatchObject({ type: 'tool-call', call: { argumentsText: '{"query":"thé 🍵"}' } });
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  }, 20_000);

  it('leaves usage out where the provider reports none', async () => {
    if (format === 'anthropic') return;
    server.setScript([{ text: 'Yes.', usage: null }]);
    expect((await ask(model())).at(-1)).toEqual({ type: 'finish', reason: 'complete' });
  });

  it('gives each call of an answer an id of its own, also where the provider gives none', async () => {
    const call = { name: 'search_notes', arguments: { query: 'tea' } };
    server.setScript([{ toolCalls: [call, call] }, { toolCalls: [call] }]);
    const ids = [...(await ask(model())), ...(await ask(model()))].flatMap((event) =>
      event.type === 'tool-call' ? [event.call.id] : [],
    );
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });
});
