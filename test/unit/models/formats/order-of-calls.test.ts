/**
 * Thoughts and calls that take turns in one answer: a sealed thought has to be sent back right before what followed it.
 *
 * @jest-environment node
 */
import type { AssistantPart } from '../../../../src/core/ports/message';
import type { ModelEvent } from '../../../../src/core/ports/model';
import { addDelta } from '../../../../src/core/turn/run-turn';
import { eventsOf, modelAt, planOf, rowOf } from '../harness';
import { framed } from '../recordings';

const done = (item: object) => ({ type: 'response.output_item.done', item });
const thought = (id: string) => done({ type: 'reasoning', id, encrypted_content: `sealed ${id}`, summary: [] });
const call = (id: string) =>
  done({ type: 'function_call', id, call_id: id, name: 'search_notes', arguments: '{"query":"tea"}' });
const text = (id: string, delta: string) => ({ type: 'response.output_text.delta', item_id: id, delta });
const summary = (id: string, delta: string) => ({ type: 'response.reasoning_summary_text.delta', item_id: id, delta });
const phase = (id: string) => done({ type: 'message', id, phase: 'commentary' });
const end = { type: 'response.completed', response: { usage: { input_tokens: 9, output_tokens: 4 } } };

const bodies: { input: Record<string, unknown>[] }[] = [];

/** Returns what is sent back of an answer with these events. */
async function sentBack(events: readonly object[]): Promise<string[]> {
  const fetch = (_url: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)) as (typeof bodies)[number]);
    const body = framed('responses', [...events, end]);
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
  const model = modelAt('https://model.example/v1', rowOf('openai'), { modelName: 'gpt-5', transport: { fetch } });
  const ask = (plan = planOf()): Promise<ModelEvent[]> => eventsOf(model.stream(plan, new AbortController().signal));
  const parts = (await ask()).reduce<readonly AssistantPart[]>(addDelta, []);
  const results = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, callId: part.id, name: part.name, text: 'Tea.', isError: false }]
      : [],
  );
  const { messages } = planOf();
  await ask(planOf({ messages: [...messages, { role: 'assistant', parts }, { role: 'tool', parts: results }] }));
  const items = bodies.at(-1)?.input ?? [];
  return items.slice(1, items.length - results.length).map(({ id, call_id, role }) => String(id ?? call_id ?? role));
}

it.each([
  ['one thought for each call', [thought('rs_1'), call('a'), thought('rs_2'), call('b')], 'rs_1 a rs_2 b'],
  ['two calls for a thought', [thought('rs_1'), call('a'), call('b'), thought('rs_2'), call('c')], 'rs_1 a b rs_2 c'],
  ['a call before the text', [thought('rs_1'), call('a'), text('m', 'Tea.')], 'rs_1 a assistant'],
  [
    'commentary between them',
    [
      summary('rs_1', 'Hm.'),
      thought('rs_1'),
      text('m', 'I '),
      text('m', 'look.'),
      phase('m'),
      call('a'),
      thought('rs_2'),
      call('b'),
    ],
    'rs_1 assistant a rs_2 b',
  ],
  ['calls at the end', [thought('rs_1'), text('m', 'I look.'), call('a'), call('b')], 'rs_1 assistant a b'],
])('are sent back in their order: %s', async (_what, events, expected) => {
  expect((await sentBack(events)).join(' ')).toBe(expected);
});
