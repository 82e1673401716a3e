/**
 * Gemini's events and bodies, as far as no recording has them: calls in pieces, and how hard each model thinks.
 *
 * @jest-environment node
 */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { gemini, geminiBody } from '../../../../src/models/formats/gemini';

type Event = Record<string, unknown>;

/** The parts of an answer whose events have these parts. */
const read = (...events: readonly Event[]): unknown[] => {
  const next = gemini.reader();
  return [...events, undefined].flatMap((event) => next(event));
};
const event = (...parts: readonly Event[]): Event => ({ responseId: 'r', candidates: [{ content: { parts } }] });
const call = (name: string, more: Event, signature?: string): Event => ({
  functionCall: { name, ...more },
  ...(signature !== undefined && { thoughtSignature: signature }),
});
const called = (id: string, toolName: string, input: string, signature?: string): Event => ({
  ...{ type: 'tool-call', toolCallId: id, toolName, input },
  ...(signature !== undefined && { providerMetadata: { gemini: { thoughtSignature: signature } } }),
});

describe('an answer', () => {
  it('is thoughts, text, and calls, each run of thoughts ended before what follows', () => {
    expect(
      read(
        event({ thought: true, text: 'Hm.' }),
        event({ thought: true, text: ' So.' }, { text: 'Oak' }),
        event(
          { text: ' tree.' },
          {},
          { thought: true, text: 'Also.' },
          call('read', { id: 'own', args: { a: 1 } }, 's'),
        ),
        event(call('list', {})),
      ),
    ).toEqual([
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Hm.' },
      { type: 'reasoning-delta', id: 'thoughts', delta: ' So.' },
      { type: 'reasoning-end', id: 'thoughts' },
      { type: 'text-delta', id: 'text', delta: 'Oak' },
      { type: 'text-delta', id: 'text', delta: ' tree.' },
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Also.' },
      { type: 'reasoning-end', id: 'thoughts' },
      called('own', 'read', '{"a":1}', 's'),
      called('r-2', 'list', '{}'),
    ]);
  });

  it('goes on after an event that says it is over, as gateways say in each one, or before the text', () => {
    const over = (parts: readonly Event[], usageMetadata?: Event): Event => ({
      candidates: [{ content: { parts }, finishReason: 'STOP' }],
      ...(usageMetadata && { usageMetadata }),
    });
    const counted = { promptTokenCount: 9, candidatesTokenCount: 2 };
    expect(
      read(
        over([]),
        over([{ thought: true, text: 'Hm.' }]),
        over([{ text: 'Oak' }], { promptTokenCount: 9, candidatesTokenCount: 1 }),
        over([{ text: '.' }]),
        { usageMetadata: counted },
      ),
    ).toEqual([
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'thoughts' },
      { type: 'text-delta', id: 'text', delta: 'Oak' },
      { type: 'text-delta', id: 'text', delta: '.' },
      expect.objectContaining({
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'STOP' },
        usage: expect.objectContaining({ raw: counted }),
      }),
    ]);
    expect(read(event({ text: 'Oak' }))).toHaveLength(1);
  });

  it('has the signature of its text, which mostly comes alone at the end', () => {
    const signed = (thoughtSignature: string) => ({
      ...{ type: 'reasoning-end', id: 'signature' },
      providerMetadata: { gemini: { thoughtSignature } },
    });
    expect(
      read(
        event({ text: 'Oak' }, { text: ' tree.', thoughtSignature: 's1' }),
        event({ text: '', thoughtSignature: 's2' }),
        event({ thoughtSignature: 's3' }),
        event({ text: 'Hm.', thought: true, thoughtSignature: 's4' }),
      ),
    ).toEqual([
      { type: 'text-delta', id: 'text', delta: 'Oak' },
      { type: 'text-delta', id: 'text', delta: ' tree.' },
      signed('s1'),
      { type: 'text-delta', id: 'text', delta: '' },
      signed('s2'),
      signed('s3'),
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Hm.' },
    ]);
  });

  it('has the arguments of a call that come in pieces, and the first signature among them', () => {
    expect(
      read(
        event(call('read', { id: 'own', willContinue: true })),
        event(
          call(
            'read',
            {
              partialArgs: [
                { jsonPath: '$.path', stringValue: 'Boats/' },
                { jsonPath: '$.path', stringValue: 'Keel.md' },
                { jsonPath: "$['lines'][0].from", numberValue: 3 },
              ],
              willContinue: true,
            },
            'first',
          ),
        ),
        event(
          call(
            'read',
            {
              partialArgs: [
                { jsonPath: '$.lines[1]', boolValue: false },
                { jsonPath: '$.lines[5]', boolValue: true },
                { jsonPath: '$.lines.from', boolValue: true },
                { jsonPath: '$[0]', boolValue: true },
                { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
              ],
            },
            'second',
          ),
        ),
        event(call('list', { args: {} })),
      ),
    ).toEqual([
      called('own', 'read', '{"path":"Boats/Keel.md","lines":[{"from":3},false],"none":null}', 'first'),
      called('r-2', 'list', '{}'),
    ]);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['UNEXPECTED_TOOL_CALL', 'error'],
    ['OTHER', 'other'],
  ])('that ends with %s ended by %s', (raw, unified) => {
    expect(read({ candidates: [{ finishReason: raw }] })).toMatchObject([
      { type: 'finish', finishReason: { unified, raw } },
    ]);
    expect(read({ promptFeedback: { blockReason: raw } })).toMatchObject([{ finishReason: { unified, raw } }]);
  });

  it('has the counts that were reported, with its thoughts, and those of an answer without text', () => {
    const counted = (usageMetadata: object): unknown =>
      read({ candidates: [{ finishReason: 'STOP' }], usageMetadata }).map((part) => {
        const { usage } = part as { usage: Record<'inputTokens' | 'outputTokens', { total?: number }> };
        return [usage.inputTokens.total, usage.outputTokens.total];
      });
    expect(counted({ promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 3 })).toEqual([[9, 7]]);
    expect(counted({ promptTokenCount: 9, thoughtsTokenCount: 3 })).toEqual([[9, 3]]);
    expect(counted({})).toEqual([[undefined, undefined]]);
  });

  it('is an error when it says so, and nothing when it is no object', () => {
    const error = { error: { code: 500 } };
    expect(read(error)).toEqual([{ type: 'error', error }]);
    expect(gemini.reader()('text')).toEqual([]);
  });
});

describe('a request', () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
  const bodyFor = (modelName: string, more: object = {}): Record<string, unknown> =>
    geminiBody({ prompt, ...more } as unknown as LanguageModelV4CallOptions, modelName);
  const thinking = (modelName: string, reasoning?: string): unknown =>
    (bodyFor(modelName, { reasoning }).generationConfig as Record<string, unknown>).thinkingConfig;

  it('asks for thoughts in the way of the model', () => {
    expect(thinking('gemini-2.0-flash', 'high')).toBeUndefined();
    expect([thinking('gemini-2.5-pro'), thinking('gemini-3.1-pro', 'provider-default')]).toEqual([
      { includeThoughts: true },
      { includeThoughts: true },
    ]);
    expect(thinking('gemini-2.5-pro', 'none')).toEqual({ includeThoughts: false, thinkingBudget: 0 });
    expect(thinking('gemini-2.5-pro', 'minimal')).toEqual({ includeThoughts: true, thinkingBudget: 512 });
    expect(thinking('gemini-2.5-pro', 'low')).toEqual({ includeThoughts: true, thinkingBudget: 1_024 });
    expect(thinking('gemini-2.5-pro', 'max')).toEqual({ includeThoughts: true, thinkingBudget: 24_576 });
    const levels = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].map((effort) =>
      thinking('gemini-3.1-pro', effort),
    );
    expect(levels).toEqual(
      ['low', 'low', 'low', 'medium', 'high', 'high', 'high'].map((thinkingLevel) => ({
        ...{ includeThoughts: true, thinkingLevel },
      })),
    );
  });

  it('has earlier calls signed, the first of an answer by a note if another model made it', () => {
    const part = (toolCallId: string, signature?: string): object => ({
      ...{ type: 'tool-call', toolCallId, toolName: 'read', input: '{"a":1}' },
      ...(signature !== undefined && { providerOptions: { gemini: { thoughtSignature: signature } } }),
    });
    const contents = (modelName: string, ...content: readonly object[]): unknown =>
      bodyFor(modelName, { prompt: [{ role: 'assistant', content }] }).contents;
    const sent = (id: string, signature?: string): object => ({
      functionCall: { id, name: 'read', args: { a: 1 } },
      ...(signature !== undefined && { thoughtSignature: signature }),
    });
    const skip = 'skip_thought_signature_validator';
    const text = { type: 'text', text: 'Oak.' };
    expect(contents('gemini-3.1-pro', text, part('a'), part('b'))).toEqual([
      { role: 'model', parts: [{ text: 'Oak.' }, sent('a', skip), sent('b')] },
    ]);
    expect(contents('gemini-3.1-pro', part('a', 's'), part('b'))).toEqual([
      { role: 'model', parts: [sent('a', 's'), sent('b')] },
    ]);
    expect(contents('gemini-2.5-pro', part('a'))).toEqual([{ role: 'model', parts: [sent('a')] }]);
    expect(contents('gemini-flash-latest', part('a'))).toEqual([{ role: 'model', parts: [sent('a', skip)] }]);
    expect(contents('gemini-3.1-pro', { type: 'reasoning', text: 'Hm.' })).toEqual([]);
  });

  it('has a call behind what the user said, also if an answer was cut off before it', () => {
    const said = (text: string) => ({ content: [{ type: 'text', text }] });
    const content = [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{}' }];
    const prompt = [
      { role: 'user', ...said('A?') },
      { role: 'assistant', ...said('Half') },
      { role: 'assistant', content },
      { role: 'user', ...said('B?') },
      { role: 'user', ...said('C?') },
    ];
    expect(bodyFor('gemini-2.0-flash', { prompt }).contents).toEqual([
      { role: 'user', parts: [{ text: 'A?' }] },
      { role: 'model', parts: [{ text: 'Half' }, { functionCall: { id: 'a', name: 'read', args: {} } }] },
      { role: 'user', parts: [{ text: 'B?' }] },
      { role: 'user', parts: [{ text: 'C?' }] },
    ]);
  });

  it('has earlier texts signed as they came', () => {
    const text = (said: string) => ({ type: 'text', text: said });
    const signature = (thoughtSignature: string) => ({
      ...{ type: 'reasoning', text: '' },
      providerOptions: { gemini: { thoughtSignature } },
    });
    const content = [text('Oak.'), signature('s1'), { type: 'reasoning', text: 'Hm.' }, text('Elm.'), text('Ash.')];
    expect(bodyFor('gemini-3.1-pro', { prompt: [{ role: 'assistant', content }] }).contents).toEqual([
      { role: 'model', parts: [{ text: 'Oak.', thoughtSignature: 's1' }, { text: 'Elm.' }, { text: 'Ash.' }] },
    ]);
    const lone = [signature('s1'), text('Oak.')];
    expect(bodyFor('gemini-3.1-pro', { prompt: [{ role: 'assistant', content: lone }] }).contents).toEqual([
      { role: 'model', parts: [{ text: 'Oak.' }] },
    ]);
  });

  it('has only what was given', () => {
    expect(bodyFor('gemini-2.0-flash')).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: {},
    });
    expect(bodyFor('gemini-2.0-flash', { temperature: 0, maxOutputTokens: 9 }).generationConfig).toEqual({
      ...{ temperature: 0, maxOutputTokens: 9 },
    });
    const data = { type: 'data', data: new Uint8Array([1, 2, 3]) };
    const image = { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] };
    expect(bodyFor('gemini-2.0-flash', { prompt: [image] }).contents).toEqual([
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AQID' } }] },
    ]);
  });
});
