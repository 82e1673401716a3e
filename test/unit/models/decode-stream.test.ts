/** How answers end: the words of servers for it, and which calls pass. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelEvent } from '../../../src/core/ports/model';
import { decodeStream, type StreamEnd } from '../../../src/models/decode-stream';

type Part = LanguageModelV4StreamPart;

async function decode(parts: readonly Part[]): Promise<{ events: ModelEvent[]; end: StreamEnd }> {
  const stream = new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const decoded = decodeStream(stream, { format: 'openai-compatible', model: 'test/scripted' } as never);
  const events: ModelEvent[] = [];
  for (;;) {
    const { done, value } = await decoded.next();
    if (done) return { events, end: value };
    events.push(value);
  }
}

const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const usage = { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
const finish = (unified: LanguageModelV4FinishReason['unified'], raw: string | undefined): Part =>
  ({ type: 'finish', finishReason: { unified, raw }, usage }) as Part;
const call = (input: string): Part => ({ type: 'tool-call', toolCallId: 'a', toolName: 'read', input });
const outlineOf = (events: readonly ModelEvent[]): string[] =>
  events.map((event) => (event.type === 'finish' ? event.reason : event.type));

it.each([
  ['eos', 'complete'],
  ['end', 'complete'],
  ['max_tokens', 'length'],
  ['MODEL_LENGTH', 'length'],
  ['refusal', 'refusal'],
  ['SAFETY', 'refusal'],
  ['what else', 'unknown'],
])('reads “%s” of a server that has words of its own', async (raw, reason) => {
  const { events, end } = await decode([finish('other', raw)]);
  expect([outlineOf(events), end]).toEqual([[reason], { type: 'finished' }]);
});

it.each([
  ['error', 'x'],
  ['stop', undefined],
  ['stop', ''],
  ['other', 'Cancelled'],
  ['other', 'insufficient_system_resource'],
] as const)('takes an answer that ended as %s (%s) for one that was cut', async (unified, raw) => {
  expect(await decode([call('{"path":"A"}'), finish(unified, raw)])).toEqual({ events: [], end: { type: 'cut' } });
});

it('F28 passes calls of an answer that is whole, even one that says it stopped', async () => {
  expect(outlineOf((await decode([call('{}'), finish('stop', 'stop')])).events)).toEqual(['tool-call', 'tool-calls']);
});

it('F28 passes no call of a refusal, and after a cut by length only those with arguments that are whole', async () => {
  expect(outlineOf((await decode([call('{"path":"A"}'), finish('other', 'refusal')])).events)).toEqual(['refusal']);
  for (const cut of ['{}', '{"path":', '7', '[1]'])
    expect([cut, outlineOf((await decode([call(cut), finish('length', 'length')])).events)]).toEqual([cut, ['length']]);
  const whole = await decode([call('{"path":"A"}'), finish('length', 'length')]);
  expect(outlineOf(whole.events)).toEqual(['tool-call', 'length']);
});

it.each([
  ['"{\\"path\\":\\"A\\"}"', '{"path":"A"}'],
  ['"[1]"', '"[1]"'],
  ['"A"', '"A"'],
  ['"{', '"{'],
  ['{"path":"{}"}', '{"path":"{}"}'],
])('reads arguments %s that a model wrote twice', async (written, read) => {
  const { events } = await decode([call(written), finish('tool-calls', 'tool_calls')]);
  expect(events[0]).toMatchObject({ type: 'tool-call', call: { argumentsText: read } });
});

it('says what a server reported in place of the rest of its answer, after what it said before', async () => {
  const error = { message: 'Overloaded.' };
  const parts = [{ type: 'text-delta', id: '0', delta: 'Yes' }, call('{}'), { type: 'error', error }] as Part[];
  expect(await decode(parts)).toEqual({
    events: [{ type: 'text-delta', text: 'Yes' }],
    end: { type: 'error', error },
  });
});

it('takes a stream that ends without a last word for one that was cut', async () => {
  const { events, end } = await decode([{ type: 'text-delta', id: '0', delta: 'Yes' } as Part, call('{}')]);
  expect([outlineOf(events), end]).toEqual([['text-delta'], { type: 'cut' }]);
});

it('frees the connection as soon as nobody reads on', async () => {
  const cancelled = jest.fn();
  const stream = new ReadableStream<Part>({
    start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Yes' } as Part),
    cancel: cancelled,
  });
  const decoded = decodeStream(stream, { format: 'openai-compatible', model: 'test/scripted' } as never);
  expect(await decoded.next()).toMatchObject({ value: { type: 'text-delta' } });
  await decoded.return({ type: 'cut' });
  expect(cancelled).toHaveBeenCalledTimes(1);
});

it('gives each call an id of its own, so that each can be answered', async () => {
  const { events } = await decode([call('{"a":1}'), call('{"a":2}'), call('{"a":3}'), finish('stop', 'stop')]);
  const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []));
  expect([ids[0], new Set(ids).size]).toEqual(['a', 3]);
});
