/** @jest-environment node */
import type { Message } from '../../../src/core/message';
import { startScriptedModel, type ScriptedModel } from '../../workbench/scripted-model';
import { ask, formats, modelAt, planOf, rowOf, searchTool, testKey, textIn } from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

interface Body {
  [field: string]: unknown;
  system?: unknown;
  messages: { role: string; content: unknown; [field: string]: unknown }[];
  tools?: unknown;
}
const bodyOf = (index: number): Body => server.requests[index]?.body as Body;

describe.each(formats)('$format', ({ format, row, path }) => {
  const model = () => modelAt(server.url + path, row);

  it('streams text and ends with the reason and the usage that the provider reported', async () => {
    const usage = { input: 40, output: 7, cacheRead: 30, cacheWrite: 5, reasoning: 2 };
    server.setScript([{ text: 'Tea is a drink, « chaud » 🍵.', usage }]);
    const events = await ask(model());
    expect(textIn(events)).toBe('Tea is a drink, « chaud » 🍵.');
    expect(events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(3);
    const expected =
      format === 'anthropic'
        ? { inputTokens: 75, outputTokens: 7, cacheReadTokens: 30, cacheWriteTokens: 5 }
        : { inputTokens: 40, outputTokens: 7, cacheReadTokens: 30, reasoningTokens: 2 };
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'complete', usage: expected });
  });

  it('sends the plan once: system, roles, tools as functions, the limit of the answer', async () => {
    server.setScript([{ text: 'Yes.' }]);
    await ask(model());
    expect(server.requests).toHaveLength(1);
    const body = bodyOf(0);
    expect(body).toMatchObject({ model: 'scripted', stream: true, max_tokens: 512 });
    if (format === 'anthropic') {
      expect(body.system).toEqual([{ type: 'text', text: 'You are a careful reader.' }]);
      expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'What about tea?' }] }]);
      expect(body.tools).toEqual([
        { name: searchTool.name, description: searchTool.description, input_schema: searchTool.parameters },
      ]);
    } else {
      expect(body.messages).toEqual([
        { role: 'system', content: 'You are a careful reader.' },
        { role: 'user', content: 'What about tea?' },
      ]);
      expect(body.tools).toEqual([{ type: 'function', function: searchTool }]);
      expect(body.stream_options).toEqual({ include_usage: true });
    }
  });

  it('sends nothing but the headers that are needed', async () => {
    server.setScript([{ text: 'Yes.' }]);
    await ask(model());
    const sent = Object.keys(server.requests[0]?.headers ?? {});
    // What Node's own fetch adds to every request, a browser's would as well or would not let us set.
    const byRuntime = ['host', 'connection', 'accept', 'accept-encoding', 'accept-language', 'content-length'];
    const runtime = [...byRuntime, 'sec-fetch-mode', 'user-agent', 'cache-control', 'pragma'];
    const ours = sent.filter((name) => !runtime.includes(name)).sort();
    expect(ours).toEqual(
      format === 'anthropic'
        ? ['anthropic-dangerous-direct-browser-access', 'anthropic-version', 'content-type', 'x-api-key']
        : ['authorization', 'content-type'],
    );
    expect(server.requests[0]?.headers['user-agent'] ?? 'node').not.toMatch(/ai-sdk/);
    const key = format === 'anthropic' ? testKey : `Bearer ${testKey}`;
    expect(server.requests[0]?.headers[format === 'anthropic' ? 'x-api-key' : 'authorization']).toBe(key);
  });

  it('hands on a tool call whole, and sends it back with its result in their own roles', async () => {
    const call = { name: 'search_notes', arguments: { query: 'green tea' }, id: 'call_1' };
    server.setScript([{ text: 'I look.', toolCalls: [call] }, { text: 'Found.' }]);
    const first = await ask(model());
    const expected = {
      type: 'tool-call',
      id: 'call_1',
      name: 'search_notes',
      argumentsText: '{"query":"green tea"}',
    } as const;
    expect(first.filter((event) => event.type === 'tool-call')).toEqual([{ type: 'tool-call', call: expected }]);
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });

    const result = {
      type: 'tool-result',
      callId: 'call_1',
      name: 'search_notes',
      text: 'Sencha.md',
      isError: false,
    } as const;
    const messages: Message[] = [
      ...planOf().messages,
      { role: 'assistant', parts: [{ type: 'text', text: 'I look.' }, expected] },
      { role: 'tool', parts: [result] },
    ];
    expect(textIn(await ask(model(), planOf({ messages })))).toBe('Found.');
    const second = bodyOf(1);
    if (format === 'anthropic') {
      expect(second.system).toEqual([{ type: 'text', text: 'You are a careful reader.' }]);
      expect(second.messages.slice(1)).toEqual([
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'call_1', name: 'search_notes', input: { query: 'green tea' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sencha.md' }] },
      ]);
    } else {
      expect(second.messages[0]).toEqual({ role: 'system', content: 'You are a careful reader.' });
      const { name, argumentsText } = expected;
      expect(second.messages.slice(2)).toEqual([
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: argumentsText } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sencha.md' },
      ]);
    }
    expect(second.messages[format === 'anthropic' ? 0 : 1]?.role).toBe('user');
  });

  it('sends reasoning back to the model it came from, and to no other', async () => {
    const call = { name: 'search_notes', arguments: { query: 'tea' }, id: 'call_1' };
    const script = [{ reasoning: 'First the notes.', toolCalls: [call] }, { text: 'Found.' }, { text: 'Other.' }];
    server.setScript(script);
    const events = await ask(model());
    const thoughts = events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
    expect(thoughts).toBe('First the notes.');
    const end = events.find((event) => event.type === 'reasoning-end');
    if (end?.type !== 'reasoning-end') throw new Error('The reasoning never ended.');
    // The store keeps it as JSON.
    const providerData: unknown = JSON.parse(JSON.stringify(end.providerData));
    const messages: Message[] = [
      ...planOf().messages,
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: thoughts, providerData },
          { type: 'tool-call', id: 'call_1', name: 'search_notes', argumentsText: '{"query":"tea"}' },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'call_1', name: 'search_notes', text: 'x', isError: true }],
      },
    ];
    await ask(model(), planOf({ messages }));
    const again = bodyOf(1).messages.find((message) => message.role === 'assistant');
    if (format === 'anthropic') {
      expect(again?.content).toEqual([
        { type: 'thinking', thinking: 'First the notes.', signature: 'signature-0' },
        { type: 'tool_use', id: 'call_1', name: 'search_notes', input: { query: 'tea' } },
      ]);
      expect(JSON.stringify(bodyOf(1).messages)).toContain('"is_error":true');
    } else {
      expect(again).toMatchObject({ reasoning_content: 'First the notes.' });
    }
    await ask(modelAt(server.url + path, row, { modelName: 'another' }), planOf({ messages }));
    expect(JSON.stringify(bodyOf(2))).not.toContain('First the notes.');
  });

  it('reports a refusal and a stop by length as such, and passes no call that was cut', async () => {
    const refusal = format === 'anthropic' ? 'refusal' : 'content_filter';
    const length = format === 'anthropic' ? 'max_tokens' : 'length';
    const whole = { name: 'search_notes', arguments: { query: 'tea' }, id: 'whole' };
    const cut = { name: 'search_notes', arguments: '{"query":"te', id: 'cut' };
    const none = { name: 'search_notes', arguments: '', id: 'none' };
    server.setScript([
      { text: 'I will not.', finishReason: refusal, toolCalls: [whole] },
      { text: 'Long', finishReason: length, toolCalls: [whole, cut, none] },
    ]);
    const refused = await ask(model());
    expect(refused.at(-1)).toMatchObject({ type: 'finish', reason: 'refusal' });
    expect(refused.some((event) => event.type === 'tool-call')).toBe(false);
    const long = await ask(model());
    expect(long.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(long.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []))).toEqual(['whole']);
  });

  it('passes broken arguments of a finished answer on, and keeps the history sendable', async () => {
    const call = { name: 'search notes!', arguments: '{"query": tea}', id: 'call_1' };
    server.setScript([{ toolCalls: [call] }, { text: 'Sorry.' }]);
    const events = await ask(model());
    const part = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(part).toEqual([{ type: 'tool-call', id: 'call_1', name: 'search notes!', argumentsText: '{"query": tea}' }]);
    const messages: Message[] = [...planOf().messages, { role: 'assistant', parts: part }];
    await ask(model(), planOf({ messages }));
    const sent = JSON.stringify(bodyOf(1).messages);
    expect(sent).toContain('search_notes_');
    expect(sent).not.toContain('search notes!');
    expect(sent).toContain('unreadable_arguments');
  });

  it('understands the same answer in chunks of one byte', async () => {
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
});

it('names the limit of the answer as OpenAI itself wants it', async () => {
  server.setScript([{ text: 'Yes.' }]);
  await ask(modelAt(`${server.url}/openai/v1`, rowOf('openai')));
  expect(bodyOf(0)).toMatchObject({ max_completion_tokens: 512 });
  expect(bodyOf(0)).not.toHaveProperty('max_tokens');
});
