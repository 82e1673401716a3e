/** OpenAI's Responses: documented at platform.openai.com/docs/api-reference/responses-streaming. */
import { bothCalls, type Recording, type Recordings } from './recording';

const response = (more: object) => ({
  id: 'resp_oak',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'oak-1',
  ...more,
});
const start = [
  { type: 'response.created', response: response({ status: 'in_progress', output: [], usage: null }) },
  { type: 'response.in_progress', response: response({ status: 'in_progress', output: [], usage: null }) },
];
const say = (output_index: number, ...pieces: string[]) => {
  const item_id = `msg_${output_index}`;
  const part = { type: 'output_text', annotations: [], text: pieces.join('') };
  return [
    { type: 'response.output_item.added', output_index, item: { id: item_id, type: 'message', content: [] } },
    { type: 'response.content_part.added', item_id, output_index, content_index: 0, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', item_id, output_index, delta, obfuscation: 'x7' })),
    { type: 'response.output_text.done', item_id, output_index, text: part.text },
    { type: 'response.output_item.done', output_index, item: { id: item_id, type: 'message', content: [part] } },
  ];
};
const call = (output_index: number, name: string, args: string) => {
  const item = { id: `fc_${output_index}`, type: 'function_call', call_id: `call_${output_index}`, name };
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
    { type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta: args },
    { type: 'response.function_call_arguments.done', item_id: item.id, output_index, arguments: args },
    { type: 'response.output_item.done', output_index, item: { ...item, arguments: args, status: 'completed' } },
  ];
};
/** A message with its phase. */
const sayIn = (phase: string, output_index: number, text: string) =>
  say(output_index, text).map((event) => ('item' in event ? { ...event, item: { ...event.item, phase } } : event));
const usage = {
  input_tokens: 2_155,
  input_tokens_details: { cached_tokens: 2_048 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 0 },
};
const completed = { type: 'response.completed', response: response({ status: 'completed', usage }) };

export const responses: Recordings = {
  text: {
    events: [...start, ...say(0, 'The keel', ' is **oak**.'), completed],
    expected: {
      text: 'The keel is **oak**.',
      end: 'complete',
      usage: { inputTokens: 2_155, outputTokens: 9, cacheReadTokens: 2_048, reasoningTokens: 0 },
    },
  },
  calls: {
    events: [
      ...start,
      ...say(0, 'I look it up.'),
      ...call(1, 'search_notes', '{"query": "keel"}'),
      ...call(2, 'read_note', '{"path":"Boat.md"}'),
      completed,
    ],
    expected: bothCalls,
  },
  reasoning: {
    events: [
      ...start,
      { type: 'response.output_item.added', output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [] } },
      ...['Oak or ', 'larch?'].map((delta, at) => ({
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        summary_index: 0,
        sequence_number: at,
        delta,
      })),
      { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 1, part: {} },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 1, delta: 'Oak.' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'c2VhbGVk' },
      },
      ...say(1, 'Oak.'),
      completed,
    ],
    expected: { text: 'Oak.', reasoning: 'Oak or larch?\n\nOak.', end: 'complete' },
  },
  length: {
    events: [
      ...start,
      ...say(0, 'The keel is'),
      {
        type: 'response.incomplete',
        response: response({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage }),
      },
    ],
    expected: { text: 'The keel is', end: 'length' },
  },
  refusal: {
    events: [
      ...start,
      { type: 'response.refusal.delta', item_id: 'msg_0', output_index: 0, content_index: 0, delta: 'No.' },
      { type: 'response.refusal.done', item_id: 'msg_0', output_index: 0, content_index: 0, refusal: 'No.' },
      completed,
    ],
    expected: { text: 'No.', end: 'refusal' },
  },
  error: {
    events: [
      ...start,
      { type: 'response.output_text.delta', item_id: 'msg_0', output_index: 0, delta: 'The keel' },
      {
        type: 'response.failed',
        response: response({ status: 'failed', error: { code: 'server_error', message: 'The model broke.' } }),
      },
    ],
    expected: { text: 'The keel', end: 'overloaded' },
  },
};

/** What the format can say besides. */
export const moreResponses: Readonly<Record<string, Recording>> = {
  'messages that follow one another': {
    events: [...start, ...sayIn('commentary', 0, 'I look.'), ...sayIn('final_answer', 1, 'Oak.'), completed],
    expected: { text: 'I look.\n\nOak.', end: 'complete' },
  },
  'parallel calls in a wrapper': {
    events: [
      ...start,
      ...call(
        0,
        'multi_tool_use.parallel',
        JSON.stringify({
          tool_uses: [
            { recipient_name: 'functions.search_notes', parameters: { query: 'keel' } },
            { recipient_name: 'functions.read_note', parameters: { path: 'Boat.md' } },
          ],
        }),
      ),
      completed,
    ],
    expected: {
      calls: [
        ['search_notes', { query: 'keel' }],
        ['read_note', { path: 'Boat.md' }],
      ],
      end: 'tool-calls',
    },
  },
};
