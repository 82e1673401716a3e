/**
 * Ollama's lines and bodies, as far as no recording has them.
 *
 * @jest-environment node
 */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ollama } from '../../../../src/models/formats/ollama';

type Line = Record<string, unknown>;

const read = (...lines: readonly Line[]): unknown[] => {
  const next = ollama.reader();
  return lines.flatMap((line) => next(line));
};

describe('an answer', () => {
  it('is thoughts, text, and calls, whose ids no other answer has', () => {
    const call = { function: { name: 'read', arguments: { path: 'A' } } };
    expect(
      read(
        { message: { thinking: 'Hm.', content: '' } },
        { message: { content: 'Elm', thinking: '' } },
        { message: { content: ' tree.' } },
        { message: { thinking: 'Also.', tool_calls: [call, { ...call, id: 'own' }] }, created_at: 'noon' },
        { message: { tool_calls: [{ function: { name: 'read', arguments: '{"path":"A"}' } }] } },
      ),
    ).toEqual([
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'thoughts' },
      { type: 'text-delta', id: 'text', delta: 'Elm' },
      { type: 'text-delta', id: 'text', delta: ' tree.' },
      { type: 'reasoning-start', id: 'thoughts' },
      { type: 'reasoning-delta', id: 'thoughts', delta: 'Also.' },
      { type: 'reasoning-end', id: 'thoughts' },
      { type: 'tool-call', toolCallId: 'noon-1', toolName: 'read', input: '{"path":"A"}' },
      { type: 'tool-call', toolCallId: 'own', toolName: 'read', input: '{"path":"A"}' },
      { type: 'tool-call', toolCallId: 'call-3', toolName: 'read', input: '{"path":"A"}' },
    ]);
  });

  it.each([
    ['stop', 'stop', 'stop'],
    ['length', 'length', 'length'],
    [undefined, 'stop', 'stop'],
    ['load', 'error', 'load'],
    ['unload', 'error', 'unload'],
    ['other', 'other', 'other'],
  ])('that is done for %s ended by %s, with its counts', (reason, unified, raw) => {
    const end = { done: true, done_reason: reason, prompt_eval_count: 9, eval_count: 4 };
    expect(read({ message: { thinking: 'Hm.' } }, end).slice(2)).toMatchObject([
      { type: 'reasoning-end' },
      {
        ...{ type: 'finish', finishReason: { unified, raw } },
        usage: { inputTokens: { total: 9 }, outputTokens: { total: 4 } },
      },
    ]);
  });

  it('is an error when it says so, and nothing when it is no object', () => {
    expect(read({ error: 'no such model' })).toEqual([{ type: 'error', error: { error: 'no such model' } }]);
    expect(ollama.reader()('text')).toEqual([]);
  });
});

describe('a request', () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
  const bodyFor = (more: object = {}, modelName = 'oak:7b'): Record<string, unknown> =>
    ollama.body({ prompt, ...more } as unknown as LanguageModelV4CallOptions, modelName);

  it('has only what was given, and is never cut by the server', () => {
    expect(bodyFor()).toEqual({
      ...{ model: 'oak:7b', stream: true, truncate: false, shift: false, options: {} },
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const given = { temperature: 0, maxOutputTokens: 9, providerOptions: { docent: { window: 8_192 } } };
    expect(bodyFor(given).options).toEqual({ num_ctx: 8_192, num_predict: 9, temperature: 0 });
    expect(bodyFor({ providerOptions: { docent: { window: 'wide' } } }).options).toEqual({});
  });

  it('has thinking on or off, and in levels where the model has them', () => {
    const efforts = ['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
    const thinks = (modelName: string): unknown[] =>
      efforts.map((reasoning) => bodyFor({ reasoning }, modelName).think);
    expect(thinks('oak:7b')).toEqual([undefined, false, true, true, true, true, true, true]);
    expect(thinks('gpt-oss:20b')).toEqual([undefined, false, 'low', 'low', 'medium', 'high', 'high', 'high']);
  });

  it('has images, thoughts, calls, and results of earlier messages', () => {
    const image = (data: unknown): object => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data } });
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{"path":"A"}' };
    const output = { type: 'text', value: 'Oak.' };
    const messages = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          image(new Uint8Array([1])),
          image('AgM='),
          { type: 'text', text: 'Two' },
        ],
      },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'I look.' }, call] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ];
    expect(bodyFor({ prompt: messages }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One\n\nTwo', images: ['AQ==', 'AgM='] },
      {
        ...{ role: 'assistant', content: 'I look.', thinking: 'Hm.' },
        tool_calls: [{ id: 'a', function: { name: 'read', arguments: { path: 'A' } } }],
      },
      { role: 'tool', tool_name: 'read', tool_call_id: 'a', content: 'Oak.' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });
});
