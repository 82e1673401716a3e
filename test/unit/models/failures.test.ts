/** @jest-environment node */
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { describeFailure } from '../../../src/core/ports/failure';
import type { Message } from '../../../src/core/ports/message';
import { words } from '../../../src/text';
import { encodePlan } from '../../../src/models/encode-plan';
import { admitWith } from '../../support/memory-ports';
import { type ScriptedModel, type ScriptStep, startScriptedModel } from '../../support/model-server';
import { ask, failureIn, formats, instantTiming, modelAt, planOf, rowOf, testKey, textIn } from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

describe.each(formats)('$format', ({ format, row, path, saying }) => {
  async function askScript(script: ScriptStep[], waits: number[] = []) {
    server.setScript(script);
    const events = await ask(modelAt(server.url + path, row, { timing: instantTiming(waits) }));
    return { events, failure: failureIn(events), requests: server.requests.length, waits };
  }

  it.each([
    [401, 'authentication_error', 'authentication'],
    [403, 'permission_error', 'authentication'],
    [402, 'billing_error', 'quota'],
    [404, 'not_found_error', 'model-missing'],
    [413, 'request_too_large', 'context-length'],
    [400, 'invalid_request_error', 'protocol'],
    [429, 'rate_limit_error', 'rate-limit'],
  ])('F18 F20 answers %i %s with words and no second try', async (status, type, kind) => {
    const { failure, requests, events } = await askScript([
      { status, errorBody: saying(type, 'No.') },
      { text: 'Late.' },
    ]);
    expect(failure?.kind).toBe(kind);
    expect(failure?.words).toMatch(/^\S.*[.:]/);
    expect(failure?.remedy).toMatch(/^\S.*\.$/);
    expect(requests).toBe(1);
    expect(events).toHaveLength(1);
  });

  it.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'prompt is too long: 210000 tokens > 200000 maximum',
    'the request exceeds the available context size, try increasing it',
    'Input tokens exceed the configured limit of 272,000 tokens.',
  ])('F21 knows a request that is too long by the words: %s', async (message) => {
    const { failure } = await askScript([{ status: 400, errorBody: saying('invalid_request_error', message) }]);
    expect(failure).toMatchObject({ kind: 'context-length', action: 'new-chat' });
  });

  it('F21 says why a request is too large, if its bytes are or its tokens in a minute', async () => {
    const message = 'Request too large on tokens per minute (TPM): Limit 6000, Requested 8000.';
    const { failure } = await askScript([{ status: 413, errorBody: saying('tokens', message, 413) }]);
    expect([failure?.kind, failure?.words]).toEqual([
      'context-length',
      `The request is too large for “scripted”: ${message}`,
    ]);
    expect(failure?.remedy).not.toContain('context window');
  });

  it('F20 knows an empty account from a limit of requests', async () => {
    const credit = saying('invalid_request_error', 'Your credit balance is too low to access the API.');
    expect((await askScript([{ status: 400, errorBody: credit }])).failure?.kind).toBe('quota');
    const quota = {
      error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
    };
    if (format === 'openai-compatible') {
      const after = { 'retry-after': '1' };
      const { failure, requests } = await askScript([{ status: 429, errorBody: quota, headers: after }, { text: 'x' }]);
      expect([failure?.kind, requests]).toEqual(['quota', 1]);
    }
  });

  it('F17 waits as long as a 429 says, then answers once', async () => {
    const script = [{ status: 429, headers: { 'retry-after': '7' } }, { text: 'Here.' }];
    const { events, waits, requests } = await askScript(script);
    expect([textIn(events), waits, requests]).toEqual(['Here.', [7_000], 2]);
    expect(events.some((event) => event.type === 'failure')).toBe(false);
  });

  it('F17 reads a date, and does not wait past two minutes', async () => {
    const date = new Date(instantTiming().now() + 30_000).toUTCString();
    const dated = await askScript([{ status: 429, headers: { 'retry-after': date } }, { text: 'Here.' }]);
    expect([textIn(dated.events), dated.waits]).toEqual(['Here.', [30_000]]);
    const long = await askScript([{ status: 429, headers: { 'retry-after': '3600' } }, { text: 'Late.' }]);
    expect([long.failure?.kind, long.requests, long.waits]).toEqual(['rate-limit', 1, []]);
    expect(long.failure?.remedy).toContain('3600 seconds');
    const limited = (seconds: number) => [{ status: 429, headers: { 'retry-after': `${seconds}` } }, { text: 'Here.' }];
    const [last, longer] = [await askScript(limited(120)), await askScript(limited(121))];
    expect([last.waits, longer.waits]).toEqual([[120_000], []]);
  });

  it.each<Record<string, string>>([
    { 'retry-after': '999999999999' },
    { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' },
    { 'retry-after-ms': 'Infinity' },
    { 'x-ratelimit-reset': 'Infinity' },
  ])('F17 repeats no wait that cannot be meant: %j', async (headers) => {
    const { failure, requests } = await askScript([{ status: 429, headers }]);
    expect([requests, failure?.remedy]).toEqual([1, 'Wait a moment and send again, or choose another model.']);
  });

  it.each([429, 503])('F17 waits as it does by itself when a %s asks for no wait, and says none', async (status) => {
    const refusal = { status, headers: { 'retry-after': '0' } };
    const { failure, waits } = await askScript(Array.from({ length: 9 }, () => refusal));
    expect(waits).toHaveLength(3);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(`${failure?.words} ${failure?.remedy}`).not.toContain('Wait 0');
  });

  it('F17 waits as long as the message of a 429 says, where a page sees no header', async () => {
    const limited = (wait: string) => ({
      status: 429,
      errorBody: saying('rate_limit_exceeded', `Rate limit reached. Please try again in ${wait}.`, 429),
    });
    const { events, waits } = await askScript([limited('7.5s'), { text: 'Here.' }]);
    expect([textIn(events), waits]).toEqual(['Here.', [7_500]]);
    const long = await askScript([limited('7m12.48s'), { text: 'Late.' }]);
    expect([long.failure?.remedy.includes('Wait 433 seconds and send again'), long.requests]).toEqual([true, 1]);
  });

  it.each([500, 502, 503, 504, 529])('F19 tries %i again with growing waits, four times at most', async (status) => {
    const fine = await askScript([{ status }, { status }, { text: 'Here.' }]);
    expect([textIn(fine.events), fine.requests]).toEqual(['Here.', 3]);
    const bad = await askScript([{ status }, { status }, { status }, { status }, { text: 'Late.' }]);
    expect([bad.failure?.kind, bad.requests]).toEqual(['overloaded', 4]);
    expect(bad.waits).toEqual([1_500, 2_500, 4_500]);
  });

  it.each([
    [500, 'couldn’t respond because of a problem on its side.'],
    [502, 'couldn’t respond because of a problem on its side.'],
    [503, 'is overloaded.'],
    [504, 'took too long to respond and gave up.'],
    [529, 'is overloaded.'],
  ])('says of a %i that the server failed, how often Docent tried, and what to do', async (status, said) => {
    const { events, failure } = await askScript([{ status }, { status }, { status }, { status }]);
    const waiting = events.flatMap((event) => (event.type === 'waiting' ? event.words : []));
    const reason = waiting[0] ?? '';
    // The scripted server gives a reason, which is said of a local one.
    const isLocal = format === 'ollama' || format === 'openai-compatible';
    expect(reason).toMatch(isLocal ? / failed: / : new RegExp(`${said}$`));
    expect(waiting).toEqual([reason, reason, reason]);
    expect(failure?.words).toBe(`${reason} Docent tried 4 times.`);
    expect(failure?.remedy).toBe('Send again in a few minutes, or choose another model.');
  });

  it('F19 F24 tries again after an error event before any text, and after a connection that said nothing', async () => {
    const type = format === 'anthropic' ? 'overloaded_error' : 'server_error';
    const event = await askScript([{ errorEvent: saying(type, 'Oops', 503) }, { text: 'Here.' }]);
    // Ollama's errors say in words alone what they are, so none of them is taken for one that will pass.
    const again = format === 'ollama' ? ['', 1] : ['Here.', 2];
    expect([textIn(event.events), event.requests]).toEqual(again);
    const reset = await askScript([
      { text: 'x', cutAfterBytes: 0 },
      { text: 'x', endAfterBytes: 0 },
      { text: 'Here.' },
    ]);
    expect([textIn(reset.events), reset.requests]).toEqual(['Here.', 3]);
  });

  it('F17 F30 can be stopped while it waits', async () => {
    server.setScript([{ status: 503, headers: { 'retry-after': '100' } }, { text: 'Late.' }]);
    const stopper = new AbortController();
    // Stopped once it waits, however long the answer before that took.
    const after = (milliseconds: number): (() => void) => {
      if (milliseconds === 100_000) setTimeout(() => stopper.abort(), 10);
      return () => undefined;
    };
    const timing = { now: () => 0, random: () => 0, after };
    const events = await ask(modelAt(server.url + path, row, { timing }), planOf(), stopper.signal);
    expect(events).toMatchObject([{ type: 'waiting', milliseconds: 100_000 }]);
    expect(server.requests).toHaveLength(1);
  });

  it('F22 knows a web page and a whole answer from a stream', async () => {
    const page = {
      raw: '<html><body>Log in to HotelNet</body></html>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    };
    const hotel = await askScript([page, { text: 'Late.' }]);
    expect([hotel.failure?.kind, hotel.requests]).toEqual(['network', 1]);
    expect(hotel.failure?.words).toContain('web page');
    const whole = {
      raw: JSON.stringify(saying('x', 'No such thing.')),
      headers: { 'content-type': 'application/json' },
    };
    const answer = await askScript([whole]);
    expect(answer.failure).toMatchObject({ kind: 'protocol', words: expect.stringContaining('No such thing.') });
  });

  it('F20 shows the key in no failure, whatever the server echoes', async () => {
    const base64 = Buffer.from(testKey).toString('base64');
    const spellings = [
      testKey,
      encodeURIComponent(testKey),
      base64,
      base64.replace(/=+$/, ''),
      testKey.replace(/\//g, '\\/'),
    ];
    const echo = `Bad request with ${spellings.join(' and ')} end.`;
    for (const status of [400, 401, 403, 404, 418, 422]) {
      const { failure } = await askScript([{ status, errorBody: saying('invalid_request_error', echo) }]);
      const shown = JSON.stringify(failure);
      for (const spelling of [...spellings, JSON.stringify(testKey).slice(1, -1)])
        expect(shown).not.toContain(spelling);
      if (status === 400) expect(shown).toContain('Bad request with');
    }
    const { failure } = await askScript([{ text: 'a', errorEvent: saying('weird', echo) }]);
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  it('sends a key only to the origin it was stored for', async () => {
    const addresses: string[] = [];
    const admit = (address: string) => {
      addresses.push(address);
      return admitWith(new URL(address).origin === 'https://api.example.com' ? testKey : null)(address);
    };
    server.setScript([{ text: 'Here.' }]);
    const needy = { ...row, keyNeeded: true };
    const refused = await ask(modelAt(server.url + path, needy, { admit }));
    expect(failureIn(refused)).toMatchObject({ kind: 'authentication', action: 'open-settings' });
    expect([addresses, server.requests.length]).toEqual([[server.url + path], 0]);
    await ask(modelAt(server.url + path, { ...row, keyNeeded: false }, { admit }));
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('canary');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('does not follow the server to another address', async () => {
    const headers = { location: 'https://elsewhere.example/v1' };
    const { failure, requests } = await askScript([{ status: 307, headers }, { text: 'Late.' }]);
    expect([failure?.kind, requests]).toEqual(['configuration', 1]);
  });
});

it.each([
  ['', 'configuration'],
  ['nonsense', 'configuration'],
  ['ftp://example.com/v1', 'configuration'],
  ['https://user:secret@example.com/v1', 'configuration'],
])('refuses the address "%s" before anything is sent', async (baseUrl, kind) => {
  const transport = { fetch: () => Promise.reject(new Error('must not be called')) };
  const events = await ask(modelAt(baseUrl, rowOf('openai-compatible'), { transport }));
  expect(failureIn(events)?.kind).toBe(kind);
  expect(describeFailure(failureIn(events)!)).not.toContain('secret');
});

it('refuses a key that no header can carry', async () => {
  const transport = { fetch: () => Promise.reject(new Error('must not be called')) };
  const events = await ask(modelAt('', rowOf('openai'), { transport, admit: admitWith('sk-“quoted”') }));
  expect(failureIn(events)?.kind).toBe('authentication');
  expect(JSON.stringify(events)).not.toContain('quoted');
});

it('tells a model without tools and how to get a local model', async () => {
  server.setScript([
    { status: 400, errorBody: { error: 'registry.ollama.ai/library/x does not support tools' } },
    { status: 404, errorBody: { error: 'model "scripted" not found, try pulling it first' } },
  ]);
  const model = modelAt(`${server.url}/ollama`, rowOf('ollama'), { admit: admitWith(null) });
  expect(failureIn(await ask(model))).toMatchObject({
    kind: 'configuration',
    words: expect.stringContaining('can’t use tools, such as searching notes,'),
    action: 'call-tools-in-text',
  });
  expect(failureIn(await ask(model))).toMatchObject({
    kind: 'model-missing',
    remedy: expect.stringContaining('Download'),
  });
});

it.each([
  [400, 'registry.ollama.ai/library/x does not support tools'],
  [404, 'No endpoints found that support tool use.'],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [500, 'tools param requires --jinja flag'],
])('R160 offers to call tools in text when a server answers %i with %p', async (status, message) => {
  server.setScript([{ status, errorBody: { error: { message } } }]);
  const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), { admit: admitWith(null) });
  expect(failureIn(await ask(model))).toMatchObject({ kind: 'configuration', action: 'call-tools-in-text' });
});

it('F17 waits until the limit of free requests of OpenRouter ends, as the body says', async () => {
  const limited = (reset: number) => {
    const headers = { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(reset) };
    const error = { message: 'Rate limit exceeded: free-models-per-min.', code: 429, metadata: { headers } };
    return { status: 429, errorBody: { error } };
  };
  const now = instantTiming().now();
  const waits: number[] = [];
  const model = modelAt(`${server.url}/openai/v1`, rowOf('openrouter'), { timing: instantTiming(waits) });
  server.setScript([limited(now + 40_000), { text: 'Here.' }]);
  expect([textIn(await ask(model)), waits]).toEqual(['Here.', [40_000]]);
  for (const [reset, words] of [
    [now + 600_000, /limit\.\nWait 600 seconds and send again/],
    [now - 1, /request limit\.\nWait a moment/],
    [60, /request limit\.\nWait a moment/],
  ] as const) {
    server.setScript([limited(reset), { text: 'Late.' }]);
    const failure = failureIn(await ask(model));
    expect(`${failure?.words}\n${failure?.remedy}`).toMatch(words);
  }
});

const groqError = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: 'invalid_request_error',
  code: 'tool_use_failed',
  failed_generation: '<function=search_notes{"query": "tea"}</function>',
};
const ollamaError = "error parsing tool call: raw='ls -R', err=invalid character 'l' looking for beginning of value";
const llamaError = {
  code: 500,
  message: 'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]',
};
const behind = {
  message: 'Provider returned error',
  code: 400,
  metadata: { raw: JSON.stringify({ error: groqError }) },
};

it.each<[string, string, ScriptStep]>([
  ['groq', '/openai/v1', { status: 400, errorBody: { error: groqError } }],
  ['groq', '/openai/v1', { errorEvent: { error: { ...groqError, status_code: 400 } } }],
  ['openrouter', '/openai/v1', { status: 400, errorBody: { error: behind } }],
  ['gemini', '/gemini/v1beta', { text: '', finishReason: 'MALFORMED_FUNCTION_CALL' }],
  ['ollama', '/ollama', { status: 500, errorBody: { error: ollamaError } }],
  ['ollama', '/ollama', { errorEvent: { error: ollamaError } }],
  ['openai-compatible', '/openai/v1', { status: 500, errorBody: { error: llamaError } }],
])('has a call of %s that cannot be read written again, and says what it was', async (row, path, step) => {
  const model = () => modelAt(server.url + path, rowOf(row), { timing: instantTiming() });
  server.setScript([step, { text: 'Here.' }]);
  const events = await ask(model());
  const words = '“scripted” tried to use a tool, but its tool call can’t be read.';
  expect(events[0]).toMatchObject({ type: 'waiting', words });
  expect([textIn(events), failureIn(events)]).toEqual(['Here.', undefined]);
  server.setScript([step, step, step, step, { text: 'Late.' }]);
  const said = `${words} Docent tried 4 times.`;
  expect(failureIn(await ask(model()))).toMatchObject({ kind: 'protocol', words: said, action: 'call-tools-in-text' });
});

it('says that a call of Gemini cannot be read after its thoughts were shown', async () => {
  server.setScript([{ reasoning: 'Hm.', finishReason: 'MALFORMED_FUNCTION_CALL' }, { text: 'Late.' }]);
  const events = await ask(modelAt(`${server.url}/gemini/v1beta`, rowOf('gemini'), { timing: instantTiming() }));
  expect(failureIn(events)?.words).toBe('“scripted” tried to use a tool, but its tool call can’t be read.');
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['ollama', '/ollama', { error: 'model requires more system memory (7.5 GiB) than is available (5.2 GiB)' }],
  ['lmstudio', '/openai/v1', { error: { message: `Failed to load the model with ${testKey}.` } }],
])('says why %s failed, on the machine of the user', async (row, path, errorBody) => {
  const status = 500;
  server.setScript([
    { status, errorBody },
    { status, errorBody },
    { status, errorBody },
    { status, errorBody },
  ]);
  const { words, remedy } = failureIn(await ask(modelAt(server.url + path, rowOf(row)))) ?? {};
  expect(words).toMatch(
    / failed: (?:model requires more .* available \(5\.2 GiB\)|Failed to load .*[^.])\. Docent tried 4 times\.$/,
  );
  expect(words).not.toContain('canary');
  expect(remedy).toMatch(/choose another model\.$/);
});

describe('a chat that another model began', () => {
  const thoughtOf = (provider: string) =>
    ({ type: 'reasoning', text: 'Hm.', providerData: { provider, model: 'scripted' } }) as const;
  const begun = (provider: string, id: string): Message[] => [
    { role: 'user', parts: [{ type: 'text', text: 'What about tea?' }] },
    {
      role: 'assistant',
      parts: [thoughtOf(provider), { type: 'tool-call', id, name: 'search_notes', argumentsText: '{}' }],
    },
    { role: 'tool', parts: [{ type: 'tool-result', callId: id, name: 'search_notes', text: 'None.', isError: false }] },
  ];
  /** What Mistral and Groq answer, in their own shapes. */
  const extra = {
    type: 'extra_forbidden',
    loc: ['body', 'messages', 2, 'assistant', 'reasoning_content'],
    msg: 'Extra inputs are not permitted',
  };
  const refusals = [
    [
      'groq',
      400,
      {
        error: {
          message:
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
          type: 'invalid_request_error',
        },
      },
    ],
    ['mistral', 422, { object: 'error', message: { detail: [extra] }, type: 'invalid_request_error' }],
    ['openai-compatible', 422, { detail: [extra] }],
  ] as const;
  const askWith = (row: string, messages: readonly Message[]) =>
    ask(modelAt(`${server.url}/openai/v1`, rowOf(row), { timing: instantTiming() }), planOf({ messages }));
  const sentMessages = (): Record<string, unknown>[] =>
    (server.requests.at(-1)?.body as { messages: Record<string, unknown>[] }).messages;

  it.each(['groq', 'mistral'])('sends no earlier reasoning to %s', async (row) => {
    server.setScript([{ text: 'Fine.' }]);
    expect(textIn(await askWith(row, begun(row, 'abcdefghi')))).toBe('Fine.');
    expect(JSON.stringify(sentMessages())).not.toContain('reasoning');
  });

  it('sends it to a server that may need it, once more without when that refuses it, and not again', async () => {
    const [, , [row, status, errorBody]] = refusals;
    server.setScript([{ status, errorBody }, { text: 'Fine.' }, { text: 'Again.' }]);
    expect(textIn(await askWith(row, begun(row, 'c1')))).toBe('Fine.');
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('reasoning_content'))).toEqual([
      true,
      false,
    ]);
    expect(textIn(await askWith(row, begun(row, 'c1')))).toBe('Again.');
    expect(JSON.stringify(sentMessages())).not.toContain('reasoning');
  });

  it.each(refusals)('says what %s refused', async (row, status, errorBody) => {
    server.setScript([
      { status, errorBody },
      { status, errorBody },
    ]);
    expect(failureIn(await askWith(row, begun('other', 'c1')))?.words).toContain('reasoning_content');
  });

  it.each(['call_abc123', 'functions.search_notes:0', 'x'.repeat(65), 'ü', 'abcdefgh!'])(
    'gives a call %j an id that the provider accepts, the same in its result',
    async (id) => {
      const shapes = { mistral: /^[A-Za-z0-9]{9}$/, groq: /^/ };
      for (const [row, shape] of Object.entries(shapes)) {
        server.setScript([{ text: 'Fine.' }]);
        await askWith(row, begun('other', id));
        const [, call, result] = sentMessages().slice(-3) as [
          unknown,
          { tool_calls: { id: string }[] },
          { tool_call_id: string },
        ];
        expect(call.tool_calls[0]?.id).toMatch(shape);
        expect(result.tool_call_id).toBe(call.tool_calls[0]?.id);
      }
      for (const row of ['anthropic', 'openai']) {
        const { prompt } = encodePlan(
          planOf({ messages: begun('other', id) }),
          { provider: row, model: 'm' },
          { callIds: rowOf(row).callIds },
        );
        const ids = JSON.stringify(prompt).match(/"toolCallId":"[A-Za-z0-9_-]{1,64}"/g) ?? [];
        expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
      }
    },
  );

  it('keeps ids apart, and those that are accepted as they are', () => {
    const { callIds } = rowOf('mistral');
    const idsOf = (ids: string[]): string[] =>
      ids.map(
        (id) =>
          JSON.stringify(
            encodePlan(planOf({ messages: begun('other', id) }), { provider: 'mistral', model: 'm' }, { callIds })
              .prompt,
          ).match(/toolCallId":"([^"]+)"/)?.[1] ?? '',
      );
    expect(idsOf(['abcdefghi', 'ABC123xyz'])).toEqual(['abcdefghi', 'ABC123xyz']);
    const many = Array.from({ length: 3_000 }, (_, index) => `functions.search_notes:${index}`);
    expect(new Set(idsOf(many)).size).toBe(3_000);
  });

  it('F28 keeps apart calls of several answers that have one id, each with its result', () => {
    const twice = [...begun('other', 'call_0'), ...begun('other', 'call_0'), ...begun('other', 'call_1')];
    const { prompt } = encodePlan(planOf({ messages: twice }), { provider: 'anthropic', model: 'm' });
    const ids = JSON.stringify(prompt).match(/toolCallId":"[^"]+/g) ?? [];
    expect(ids.map((id) => id.slice(13))).toEqual(['call_0', 'call_0', 'call_0-2', 'call_0-2', 'call_1', 'call_1']);
  });

  it('keeps apart many calls of one id in linear time', async () => {
    const encode = (count: number) => {
      const messages = Array.from({ length: count }, () => begun('other', 'call_0')).flat();
      return () => void encodePlan(planOf({ messages }), { provider: 'anthropic', model: 'm' });
    };
    await expectGrowthBelow(9, encode(8_000), encode(2_000));
  });
});

describe('a server that is asked', () => {
  const responding = (status: number, body: string, headers: Record<string, string> = {}) => ({
    fetch: () =>
      Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })),
  });
  const failureOf = async (transport: ReturnType<typeof responding>, admit = admitWith(null), row = 'ollama') =>
    failureIn(await ask(modelAt('http://127.0.0.1:1/v1', rowOf(row), { transport, admit })));
  const errorOf = (message: string, code?: string): string => JSON.stringify({ error: { message, code } });
  const say = words.models;

  it('without a key says that it wants one, that it rejects the request, or that the key is wrong', async () => {
    const { ollama: name } = say.labels;
    const authentication = { kind: 'authentication', action: 'open-settings' };
    const [wanted, rejected] = [say.loginWanted(name), say.accessRefused(name)];
    const [key, local] = [say.keyMissingRemedy, say.accessRefusedLocalRemedy];
    expect(await failureOf(responding(401, errorOf('No.')))).toEqual({
      ...{ ...authentication, words: wanted, remedy: key },
    });
    expect(await failureOf(responding(403, errorOf('No.')))).toEqual({
      ...{ ...authentication, words: rejected, remedy: local },
    });
    // As Gemini says it of a request without a key.
    expect(await failureOf(responding(400, errorOf('API key not valid.')))).toMatchObject({ words: wanted });
    expect(await failureOf(responding(403, errorOf('No.')), admitWith(testKey))).toMatchObject({
      ...{ ...authentication, words: say.keyRefused(name) },
    });
  });

  it('may say by the code alone that it has no such model', async () => {
    const missing = { kind: 'model-missing', action: 'open-settings' };
    expect(await failureOf(responding(400, errorOf('No.', 'model_not_found')))).toMatchObject(missing);
    expect(await failureOf(responding(400, errorOf('No.', 'other')))).toMatchObject({ kind: 'protocol' });
  });

  it('may answer in no form that is known', async () => {
    expect(await failureOf(responding(200, '{"ok":true}'))).toEqual({
      ...{ kind: 'protocol', words: say.notAStream(say.labels.ollama) },
      ...{ remedy: say.answerBrokenRemedy, action: 'retry' },
    });
  });

  it('is asked again after as many milliseconds as it says', async () => {
    const waits: number[] = [];
    const limited = responding(429, errorOf('Slow.'), { 'retry-after-ms': '1500', 'retry-after': '9' });
    const model = modelAt('http://127.0.0.1:1/v1', rowOf('ollama'), {
      transport: limited,
      timing: instantTiming(waits),
    });
    await ask(model);
    expect(waits[0]).toBe(1_500);
  });
});
