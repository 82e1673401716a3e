/**
 * The events and bodies of OpenAI's Responses API, as far as no recording has them.
 *
 * @jest-environment node
 */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { responses, responsesBody } from '../../../../src/models/formats/responses';

type Event = Record<string, unknown>;

const read = (...events: readonly Event[]): unknown[] => {
  const next = responses.reader();
  return events.flatMap((event) => next(event));
};
const done = (item: Event): Event => ({ type: 'response.output_item.done', item });

describe('an answer', () => {
  it('has messages and parts of a summary as paragraphs', () => {
    const text = (id: string, delta: string): Event => ({ type: 'response.output_text.delta', item_id: id, delta });
    const part = (index: number): Event => ({
      ...{ type: 'response.reasoning_summary_part.added', item_id: 'r', summary_index: index },
    });
    const thought = (delta: string): Event => ({ type: 'response.reasoning_summary_text.delta', item_id: 'r', delta });
    expect(read(part(0), thought('Hm.'), part(1), thought('So.'), text('m', 'Oak'), text('m', ' tree.'))).toEqual([
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-delta', id: 'r', delta: '\n\n' },
      { type: 'reasoning-delta', id: 'r', delta: 'So.' },
      { type: 'text-delta', id: 'text', delta: 'Oak' },
      { type: 'text-delta', id: 'text', delta: ' tree.' },
    ]);
    expect(read(text('m', 'Oak.'), text('n', 'Elm.'))).toMatchObject([{ delta: 'Oak.' }, { delta: '\n\nElm.' }]);
  });

  it('has a call whose arguments are an object', () => {
    const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: { path: 'A' } };
    expect(read(done(call))).toMatchObject([{ type: 'tool-call', toolCallId: 'c', input: '{"path":"A"}' }]);
  });

  it('has what the provider needs back of thoughts, of messages, and of calls', () => {
    const call = { type: 'function_call', id: 'f', name: 'read', arguments: '{"path":"A"}' };
    expect(
      read(
        done({ type: 'reasoning', id: 'r', encrypted_content: 'sealed' }),
        done({ type: 'reasoning', id: 'q', encrypted_content: '' }),
        { type: 'response.reasoning_text.delta', item_id: 'p', delta: 'Hm.' },
        done({ type: 'reasoning', id: 'p' }),
        done({ type: 'message', id: 'm', phase: 'commentary' }),
        done({ type: 'message', id: 'n' }),
        done({ ...call, call_id: 'c' }),
        done(call),
        done({ type: 'web_search_call', id: 'w' }),
      ),
    ).toEqual([
      {
        ...{ type: 'reasoning-end', id: 'r' },
        providerMetadata: { responses: { itemId: 'r', encryptedContent: 'sealed' } },
      },
      { type: 'reasoning-start', id: 'p' },
      { type: 'reasoning-delta', id: 'p', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'p' },
      { type: 'reasoning-end', id: 'm', providerMetadata: { responses: { phase: 'commentary' } } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{"path":"A"}' },
      { type: 'tool-call', toolCallId: 'f', toolName: 'read', input: '{"path":"A"}' },
    ]);
  });

  it.each([
    [{ type: 'response.completed' }, {}, 'stop', 'completed'],
    [{ type: 'response.incomplete' }, { reason: 'max_output_tokens' }, 'length', 'max_output_tokens'],
    [{ type: 'response.incomplete' }, { reason: 'content_filter' }, 'content-filter', 'content_filter'],
    [{ type: 'response.incomplete' }, { reason: 'other' }, 'other', 'other'],
  ])('that ends with %j and %j ended by %s', (event, details, unified, raw) => {
    const response = { incomplete_details: details, usage: { input_tokens: 9, output_tokens: 4 } };
    const finished = {
      ...{ type: 'finish', finishReason: { unified, raw } },
      usage: { inputTokens: { total: 9 }, outputTokens: { total: 4 } },
    };
    expect(read({ ...event, response })).toMatchObject([finished]);
  });

  it('that was refused says so at its end', () => {
    const refusal = { type: 'response.refusal.delta', item_id: 'm', delta: 'No.' };
    expect(read(refusal, { type: 'response.completed', response: {} })).toMatchObject([
      { type: 'text-delta', delta: 'No.' },
      { type: 'finish', finishReason: { unified: 'content-filter', raw: 'refusal' } },
    ]);
  });

  it('is an error in each of the shapes of one', () => {
    const error = { message: 'No.' };
    expect(read({ error })).toEqual([{ type: 'error', error: { error } }]);
    expect(read({ type: 'response.failed', response: { error } })).toEqual([{ type: 'error', error: { error } }]);
    expect(read({ type: 'error', message: 'No.' })).toEqual([
      { type: 'error', error: { error: { type: 'error', message: 'No.' } } },
    ]);
    expect([read({ type: 'response.created' }), responses.reader()('text')]).toEqual([[], []]);
  });
});

describe('a request', () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
  const bodyFor = (modelName: string, more: object = {}, hints?: Parameters<typeof responsesBody>[2]) =>
    responsesBody({ prompt, ...more } as unknown as LanguageModelV4CallOptions, modelName, hints);

  it('asks a model that reasons for its sealed thoughts and their summary, unless it refused them', () => {
    expect(bodyFor('gpt-4.1')).not.toHaveProperty('include');
    expect(bodyFor('gpt-4.1')).not.toHaveProperty('reasoning');
    for (const name of ['o3', 'gpt-5.6', 'gpt-12']) {
      expect(bodyFor(name)).toMatchObject({
        ...{ include: ['reasoning.encrypted_content'], reasoning: { summary: 'auto' } },
      });
    }
    expect(bodyFor('o3', { reasoning: 'high' }).reasoning).toEqual({ effort: 'high', summary: 'auto' });
    expect(bodyFor('o3', { reasoning: 'none' }).reasoning).toEqual({ effort: 'none' });
    expect(bodyFor('gpt-4.1', { reasoning: 'low' }).reasoning).toEqual({ effort: 'low' });
    expect(bodyFor('o3', {}, ['summary'])).not.toHaveProperty('include');
    expect(bodyFor('o3', {}, ['sealed'])).not.toHaveProperty('reasoning');
  });

  it('has the phase of earlier text and sealed thoughts, unless the model refused them', () => {
    const phase = { type: 'reasoning', text: '', providerOptions: { responses: { phase: 'commentary' } } };
    const sealed = (text: string): object => ({
      ...{ type: 'reasoning', text },
      providerOptions: { responses: { itemId: 'r', encryptedContent: 'x' } },
    });
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: { path: 'A' } };
    const content = [sealed('Hm.'), sealed(''), { type: 'text', text: 'I look.' }, phase, call];
    const input = (hints?: Parameters<typeof responsesBody>[2]): unknown =>
      bodyFor('o3', { prompt: [{ role: 'assistant', content }] }, hints).input;
    const said = { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] };
    const called = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"path":"A"}' };
    expect(input()).toEqual([
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'x' },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
      { ...said, phase: 'commentary' },
      called,
    ]);
    expect(input([])).toEqual([said, called]);
  });

  it('has only what was given', () => {
    expect(bodyFor('gpt-4.1')).toEqual({
      ...{ model: 'gpt-4.1', stream: true, store: false },
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    });
    const given = { temperature: 0, maxOutputTokens: 9, providerOptions: { docent: { prompt_cache_key: 'k' } } };
    expect(bodyFor('gpt-4.1', given)).toMatchObject({ temperature: 0, max_output_tokens: 9, prompt_cache_key: 'k' });
    const data = { type: 'data', data: 'AQ==' };
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] },
    ];
    expect(bodyFor('gpt-4.1', { prompt: messages })).toMatchObject({
      instructions: 'Be brief.\n\nBe kind.',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AQ==' }] }],
    });
  });
});
