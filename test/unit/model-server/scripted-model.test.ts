import { answerFromSearch, type Script, type ScriptStep } from '../../support/model-server';
import { ask, model, parseEvents, play } from './ask-model';

const whole: ScriptStep = {
  reasoning: 'Let me think.',
  text: 'Grüße an 日本, **bold**\n\n- a list  ',
  toolCalls: [
    { name: 'search_notes', arguments: { query: 'a long enough query', limit: 3 } },
    { name: 'broken', arguments: '{"unfinished": ', id: 'mine' },
  ],
  usage: { input: 100, output: 20, cacheRead: 64, cacheWrite: 32, reasoning: 5 },
};

describe('OpenAI chat completions', () => {
  it('streams reasoning, text, tool calls, usage and the end', async () => {
    const response = await play('openai', whole, { stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = parseEvents(await response.text());
    expect(events.every((event) => event.name === undefined)).toBe(true);
    expect(events.at(-1)?.data).toBe('[DONE]');
    const chunks = events.slice(0, -1).map((event) => event.data);
    const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice: any) => choice.delta));
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' });
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe(whole.reasoning);
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(whole.text);
    const calls = [0, 1].map((index) =>
      deltas.flatMap((delta) => delta.tool_calls ?? []).filter((call: any) => call.index === index),
    );
    expect(calls.map((call) => call[0])).toEqual([
      expect.objectContaining({ id: 'call_0_0', function: { name: 'search_notes', arguments: '' } }),
      expect.objectContaining({ id: 'mine', function: { name: 'broken', arguments: '' } }),
    ]);
    expect(calls.map((call) => call.map((piece: any) => piece.function.arguments).join(''))).toEqual([
      '{"query":"a long enough query","limit":3}',
      '{"unfinished": ',
    ]);
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['tool_calls']);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 64 } },
    });
  });

  it('gives usage only when it is asked for', async () => {
    expect(await (await play('openai', { text: 'a' })).text()).not.toContain('usage');
    const asked = await play('openai', { text: 'a' }, { stream_options: { include_usage: true } });
    expect(await asked.text()).toContain('prompt_tokens');
  });

  it('answers whole when no stream is asked for', async () => {
    const answer = await (await play('openai', whole, { stream: false })).json();
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: whole.text,
        reasoning_content: whole.reasoning,
        tool_calls: [{ id: 'call_0_0' }, { id: 'mine' }],
      },
    });
  });

  it('lists its model', async () => {
    const models = await (await fetch(`${model.url}/openai/v1/models`)).json();
    expect(models.data).toEqual([expect.objectContaining({ id: 'scripted' })]);
  });
});

describe('Anthropic Messages', () => {
  it('streams blocks of thinking, text and tool use, usage and the end', async () => {
    const events = parseEvents(await (await play('anthropic', whole)).text());
    expect(events.every((event) => event.name === event.data.type)).toBe(true);
    const data = events.map((event) => event.data);
    expect(data[0]).toMatchObject({
      type: 'message_start',
      message: { role: 'assistant', model: 'm', usage: { input_tokens: 100, cache_read_input_tokens: 64 } },
    });
    const starts = data.filter((event) => event.type === 'content_block_start');
    expect(starts.map((event) => [event.index, event.content_block.type])).toEqual([
      [0, 'thinking'],
      [1, 'text'],
      [2, 'tool_use'],
      [3, 'tool_use'],
    ]);
    const joined = (index: number, field: string): string =>
      data.map((event) => (event.index === index ? (event.delta?.[field] ?? '') : '')).join('');
    expect(joined(0, 'thinking')).toBe(whole.reasoning);
    expect(joined(0, 'signature')).not.toBe('');
    expect(joined(1, 'text')).toBe(whole.text);
    expect(joined(2, 'partial_json')).toBe('{"query":"a long enough query","limit":3}');
    expect(joined(3, 'partial_json')).toBe('{"unfinished": ');
    expect(data.filter((event) => event.type === 'content_block_stop').map((event) => event.index)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(data.slice(-2)).toEqual([
      expect.objectContaining({ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null } }),
      { type: 'message_stop' },
    ]);
    expect(data.at(-2).usage).toMatchObject({ output_tokens: 20, cache_creation_input_tokens: 32 });
  });

  it('answers whole when no stream is asked for', async () => {
    const answer = await (await play('anthropic', { text: 'a' }, { stream: false })).json();
    expect(answer).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'a' }], stop_reason: 'end_turn' });
  });
});

describe('the order of steps', () => {
  it('takes them one by one, and fails aloud when there is none left', async () => {
    model.setScript([{ text: 'one' }, { text: 'two' }]);
    expect(await (await ask('openai')).text()).toContain('one');
    expect(await (await ask('anthropic')).text()).toContain('two');
    const last = await ask('openai');
    expect(last.status).toBe(500);
    expect(await last.text()).toContain('no step 3');
  });

  it('asks a function for the step that the request calls for', async () => {
    const script: Script = (request) => ({
      text: `You sent ${(request.body as { messages: unknown[] }).messages.length}`,
    });
    model.setScript(script);
    expect(await (await ask('openai', { stream: false })).text()).toContain('You sent 1');
  });

  it('records each request', async () => {
    model.setScript([{ text: 'one' }]);
    await (await ask('anthropic', { max_tokens: 5 }, { 'x-api-key': 'key' })).text();
    expect(model.requests).toEqual([
      expect.objectContaining({
        index: 0,
        dialect: 'anthropic',
        method: 'POST',
        path: '/anthropic/v1/messages',
        headers: expect.objectContaining({ 'x-api-key': 'key' }),
        body: expect.objectContaining({ max_tokens: 5 }),
        aborted: false,
      }),
    ]);
    expect(await (await fetch(`${model.url}/requests`)).json()).toEqual(model.requests);
  });
});

describe('the script of npm start', () => {
  const tools = [{ type: 'function', function: { name: 'search_notes' } }];
  const request = (body: object) =>
    ({ index: 0, dialect: 'openai', method: 'POST', path: '', headers: {}, body, aborted: false }) as const;

  it('searches for the words of the user, not for what was attached', () => {
    const content = '<note path="A.md">The attached words</note>\n\nWhat did we decide about the Greenhouse heating?';
    const step = answerFromSearch(request({ tools, messages: [{ role: 'user', content }] }));
    expect(step.toolCalls).toEqual([{ name: 'search_notes', arguments: { query: 'decide greenhouse heating' } }]);
  });

  it('adds to a note when it is asked to, and says so', () => {
    const append = [{ function: { name: 'append_to_note' } }];
    const asked = { tools: append, messages: [{ role: 'user', content: '<x>y</x>\nAdd “Order oakum” to Now.' }] };
    expect(answerFromSearch(request(asked)).toolCalls).toEqual([
      { name: 'append_to_note', arguments: { path: 'Now', text: 'Order oakum' } },
    ]);
    expect(answerFromSearch(request({ ...asked, tools: [] })).toolCalls).toBeUndefined();
    const done = answerFromSearch(
      request({ messages: [{ role: 'tool', content: 'A/Now.md: Proposed. The file changes later.' }] }),
    );
    expect(done.text).toBe('That is for [[A/Now]].');
  });

  it('says what it is when it has no tools', () => {
    const step = answerFromSearch(request({ messages: [{ role: 'user', content: 'Anything' }] }));
    expect(step.toolCalls).toBeUndefined();
    expect(step.text).toContain('scripted model');
  });

  it.each([
    ['Projects/Greenhouse plan.md:3: Heating is electric', 'Projects/Greenhouse plan'],
    ['<note path="Projects/Greenhouse plan.md">x</note>', 'Projects/Greenhouse plan'],
    ['{"path": "Projects/Greenhouse plan.md"}', 'Projects/Greenhouse plan'],
    ['1. [[Greenhouse plan]] electric', 'Greenhouse plan'],
  ])('quotes the first line of a result and links its note: %s', (result, link) => {
    const openai = answerFromSearch(request({ tools, messages: [{ role: 'tool', content: `\n${result}\nmore` }] }));
    expect(openai.text).toContain(`> ${result}\n`);
    expect(openai.text).toContain(`[[${link}]]`);
    const part = { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: result }] };
    const anthropic = answerFromSearch(request({ messages: [{ role: 'user', content: [part] }] }));
    expect(anthropic.text).toContain(`[[${link}]]`);
  });

  it('says so when nothing was found', () => {
    const step = answerFromSearch(request({ messages: [{ role: 'tool', content: ' \n' }] }));
    expect(step.text).toContain('nothing');
  });
});
