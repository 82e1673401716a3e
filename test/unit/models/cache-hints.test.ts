/** @jest-environment node */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Message } from '../../../src/core/ports/message';
import { decodeUsage } from '../../../src/models/decode-stream';
import { type Encoding, encodePlan } from '../../../src/models/encode-plan';
import { bodyOf } from '../../bench/cache/cache-bodies';
import { startScriptedModel } from '../../support/model-server';
import { ask, boat, modelAt, planOf, rowOf, textIn } from './harness';

const source = { provider: 'anthropic', model: 'm' };
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const marked = planOf({
  messages: [user('L1'), { role: 'assistant', parts: [{ type: 'text', text: 'Ok.' }] }, user('Hello?')],
  breakpoints: [
    { after: 'system', ends: 'L0' },
    { after: 1, ends: 'L2' },
    { after: 2, ends: 'turn' },
  ],
});
const encode = (encoding: Encoding, plan = marked) => encodePlan(plan, source, encoding);

describe('what a provider is told to keep', () => {
  it('R228 R229 is a mark on the text that ends there, for a provider that wants marks', async () => {
    const body = await bodyOf(marked, 'anthropic');
    const ends = body.marks.map((mark) => body.pieces[mark - 1]);
    expect(ends).toHaveLength(3);
    expect(ends[0]).toMatch(/^system .*You are a careful reader/);
    expect(ends.slice(1)).toEqual(['{"type":"text","text":"Ok."}', '{"type":"text","text":"Hello?"}']);
  });

  it('K7 is one key a chat for a provider that wants a key, and nothing for a server at home', async () => {
    expect(encode({ cacheHint: 'prompt_cache_key' }).providerOptions).toEqual({ docent: { prompt_cache_key: 'c1' } });
    for (const encoding of [{}, { cacheHint: 'prompt_cache_key' } as const]) {
      expect(JSON.stringify(encode(encoding))).not.toContain('cacheControl');
    }
    expect(encode({}).providerOptions).toBeUndefined();
    expect((await bodyOf(marked, 'openai')).marks).toEqual([]);
  });

  it('K16 joins neighbours of one role only where a server wants it', () => {
    const plan = planOf({ messages: [user('a'), user('b')] });
    const roles = (encoding: Encoding) => encode(encoding, plan).prompt.map(({ role }) => role);
    expect(roles({ joinsNeighbours: true })).toEqual(['system', 'user']);
    expect(JSON.stringify(encode({ joinsNeighbours: true }, plan).prompt[1])).toContain(
      '"a"},{"type":"text","text":"b"',
    );
    expect(roles({})).toEqual(['system', 'user', 'user']);
  });

  it('K16 joins an answer to one that was cut off before it, and no results', () => {
    const call = (id: string) => ({ type: 'tool-call', id, name: 'search_notes', argumentsText: '{}' }) as const;
    const found = { type: 'tool-result', callId: 'a', name: 'search_notes', text: 'Sencha', isError: false } as const;
    const messages: Message[] = [
      user('a'),
      { role: 'assistant', parts: [{ type: 'text', text: 'Half' }] },
      { role: 'assistant', parts: [call('a')] },
      { role: 'tool', parts: [found] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
    ];
    const { prompt } = encode({ joinsNeighbours: true }, planOf({ messages }));
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(prompt[2]?.content).toMatchObject([{ type: 'text', text: 'Half' }, { toolCallId: 'a' }]);
  });

  it('K16 joins messages around an answer that says nothing, such as one that only thought', () => {
    const thought: Message = { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] };
    const blank: Message = { role: 'assistant', parts: [{ type: 'text', text: ' \n' }] };
    const found = { type: 'tool-result', callId: 'a', name: 'search_notes', text: 'Sencha', isError: false } as const;
    const results: Message = { role: 'tool', parts: [found] };
    const roles = (encoding: Encoding, ...messages: Message[]) =>
      encode(encoding, planOf({ messages })).prompt.map(({ role }) => role);
    for (const silent of [thought, blank]) {
      expect(roles({ joinsNeighbours: true }, user('a'), silent, user('b'))).toEqual(['system', 'user']);
      expect(roles({ foldsSystem: true }, user('a'), silent, user('b'))).toEqual(['user']);
      expect(roles({ answersResults: true }, results, silent, user('b')).slice(1)).toEqual([
        'tool',
        'assistant',
        'user',
      ]);
      expect(roles({}, user('a'), silent, user('b'))).toEqual(['system', 'user', 'user']);
    }
  });

  it('R218 sends a picture as a part to a model that takes pictures, and words in its place to another', async () => {
    const plan = planOf({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'See.' }, boat] }] });
    const images = new Map([['d1', new TextEncoder().encode('hi')]]);
    expect((await bodyOf(plan, 'anthropic', images)).pieces.join()).toMatch(/"type":"image".*"data":"aGk="/);
    expect((await bodyOf(plan, 'openai', images)).pieces.join()).toContain('data:image/png;base64,aGk=');
    expect(JSON.stringify(encode({ images }, plan).prompt[1])).toContain('[Not taken: boat.png]');
    expect(JSON.stringify(encode({ images }, plan))).not.toContain('aGk=');
    expect((await bodyOf(plan, 'openai')).pieces.join()).toContain('[Gone: boat.png]');
  });

  it('R218 R229 puts one mark on a picture that ends the request, and it stands behind the picture', async () => {
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'See.' }, boat] }];
    const images = new Map([['d1', new TextEncoder().encode('hi')]]);
    const plan = planOf({ messages, breakpoints: [{ after: 0, ends: 'turn' }] });
    const body = await bodyOf(plan, 'anthropic', images);
    expect(body.marks).toEqual([body.pieces.length]);
    expect(body.pieces.at(-1)).toContain('"type":"image"');
  });
});

describe('absurd usage', () => {
  const usage = (raw: Record<string, unknown>, total: number): LanguageModelV4Usage =>
    ({ inputTokens: { total }, outputTokens: { total: 5 }, raw }) as never;

  it('R231 keeps figures that the provider gave, and none that cannot be', () => {
    expect(decodeUsage(usage({ cache_read_input_tokens: 80, cache_creation_input_tokens: 0 }, 100))).toEqual({
      inputTokens: 100,
      outputTokens: 5,
      cacheReadTokens: 80,
      cacheWriteTokens: 0,
    });
    expect(decodeUsage(usage({}, 100))).toEqual({ inputTokens: 100, outputTokens: 5 });
    expect(decodeUsage(usage({ cache_read_input_tokens: 900 }, 100))).toEqual({ inputTokens: 100, outputTokens: 5 });
    expect(decodeUsage(usage({ cache_read_input_tokens: -3 }, 100))).toEqual({ inputTokens: 100, outputTokens: 5 });
    for (const total of [-1, NaN, Infinity, 1e12]) expect(decodeUsage(usage({}, total))).toBeUndefined();
  });
});

describe('a provider that refuses marks', () => {
  it('R229 is asked again without them, and from then on never with them', async () => {
    const server = await startScriptedModel();
    const message = 'cache_control: Extra inputs are not permitted';
    const refusal = { status: 400, errorBody: { type: 'error', error: { type: 'invalid_request_error', message } } };
    server.setScript([refusal, { text: 'Yes.' }, { text: 'Again.' }]);
    const row = rowOf('anthropic');
    const model = modelAt(`${server.url}/anthropic/v1`, row, { modelName: 'refuses-marks' });
    expect(textIn(await ask(model, marked))).toBe('Yes.');
    expect(textIn(await ask(model, marked))).toBe('Again.');
    const bodies = server.requests.map((request) => JSON.stringify(request));
    expect(bodies.map((body) => body.includes('cache_control'))).toEqual([true, false, false]);
    await server.close();
  });
});

it.each([
  ['cacheReadTokens', 'cache_read_input_tokens'],
  ['cacheReadTokens', 'prompt_tokens_details.cached_tokens'],
  ['cacheReadTokens', 'input_tokens_details.cached_tokens'],
  ['cacheReadTokens', 'prompt_cache_hit_tokens'],
  ['cacheReadTokens', 'cachedContentTokenCount'],
  ['cacheWriteTokens', 'cache_creation_input_tokens'],
  ['cacheWriteTokens', 'prompt_tokens_details.cache_write_tokens'],
  ['cacheWriteTokens', 'input_tokens_details.cache_write_tokens'],
  ['reasoningTokens', 'completion_tokens_details.reasoning_tokens'],
  ['reasoningTokens', 'output_tokens_details.thinking_tokens'],
  ['reasoningTokens', 'output_tokens_details.reasoning_tokens'],
  ['reasoningTokens', 'thoughtsTokenCount'],
])('counts as %s what a provider reports as %s, up to the whole request', (count, path) => {
  const report = (value: number): unknown => {
    const raw = path.split('.').reduceRight<unknown>((inner, field) => ({ [field]: inner }), value);
    const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
    return decodeUsage({
      ...{ inputTokens: { total: 100, ...none }, outputTokens: { total: 5, text: undefined, reasoning: undefined } },
      raw: raw as NonNullable<Parameters<typeof decodeUsage>[0]['raw']>,
    });
  };
  const counts = { inputTokens: 100, outputTokens: 5 };
  expect([report(100), report(0), report(1.5)]).toEqual([
    { ...counts, [count]: 100 },
    { ...counts, [count]: 0 },
    counts,
  ]);
});

it.each([
  ['to the answer', 12 + 1 + 290, 291],
  ['in the answer', 12 + 1, 1],
])('counts thoughts %s, as the sum of a provider has them', (_place, total, output) => {
  const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = decodeUsage({
    ...{ inputTokens: { total: 12, ...none }, outputTokens: { total: 1, text: undefined, reasoning: undefined } },
    raw: { total_tokens: total, completion_tokens_details: { reasoning_tokens: 290 } },
  });
  expect(usage).toMatchObject({ outputTokens: output, reasoningTokens: 290 });
});
