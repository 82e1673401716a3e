/** Streams in which Anthropic's Messages may come: each way to end, to think, to call, to count, and to break. */
import { cases } from './recording';
import { add, anthropic, close, end, moreAnthropic, open, start, text as textBlock } from './anthropic';

const usage = { input_tokens: 20 };
const whole = textBlock(0, 'Oak.');
const use = (more: object = {}) => ({ type: 'tool_use', id: 'toolu_1', name: 'search_notes', input: {}, ...more });
const json = (index: number, ...pieces: string[]) =>
  pieces.map((partial_json) => add(index, { type: 'input_json_delta', partial_json }));
const over = (delta: object, counts: object = { output_tokens: 3 }) => [
  { type: 'message_delta', delta, usage: counts },
  { type: 'message_stop' },
];
export const error = (type: string, more: object = {}) => ({
  type: 'error',
  error: { type, message: 'Words of it.', ...more },
});
const errorTypes = [
  ...['overloaded_error', 'api_error', 'rate_limit_error', 'request_too_large', 'authentication_error'],
  ...['permission_error', 'not_found_error', 'billing_error', 'invalid_request_error', 'timeout_error', 'odd_error'],
];
const stopReasons = [
  ...['end_turn', 'stop_sequence', 'pause_turn', 'refusal', 'tool_use', 'max_tokens', 'compaction', 'odd', ''],
  'model_context_window_exceeded',
];
const counted = (type: string, input: number, output: number) => ({ type, input_tokens: input, output_tokens: output });

export const streams: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(cases.map((name) => [name, anthropic[name]?.events ?? []])),
  ...Object.fromEntries(Object.entries(moreAnthropic).map(([name, { events }]) => [name, events])),
  ...Object.fromEntries(stopReasons.map((reason) => [`stop: ${reason}`, [start(usage), ...whole, ...end(reason, 3)]])),
  'stop: none': [start(usage), ...whole, ...over({})],
  'stop: null': [start(usage), ...whole, ...over({ stop_reason: null })],
  'stop: with details': [
    start(usage),
    ...over({ stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'x' } }),
  ],
  'no end': [start(usage), ...whole],
  'no reason for the end': [start(usage), ...whole, { type: 'message_stop' }],
  'a reason without an end': [start(usage), ...whole, ...end('end_turn', 3).slice(0, 1)],
  nothing: [],
  'pings alone': [{ type: 'ping' }, { type: 'ping' }],
  'pings everywhere': [start(usage), ...whole, ...end('end_turn', 3)].flatMap((event) => [{ type: 'ping' }, event]),
  ...Object.fromEntries(errorTypes.map((type) => [`first: ${type}`, [error(type)]])),
  ...Object.fromEntries(
    errorTypes.map((type) => [`later: ${type}`, [start(usage), ...whole.slice(0, 2), error(type)]]),
  ),
  'an error without words': [start(usage), ...whole.slice(0, 2), { type: 'error', error: { type: 'api_error' } }],
  'an error after a ping': [{ type: 'ping' }, error('overloaded_error')],
  'thoughts that are sealed': [
    start(usage),
    open(0, { type: 'redacted_thinking', data: 'c2VhbGVk' }),
    close(0),
    ...textBlock(1, 'Oak.'),
    ...end('end_turn', 3),
  ],
  'thoughts with two signatures, and two thoughts': [
    start(usage),
    open(0, { type: 'thinking', thinking: '', signature: '' }),
    add(0, { type: 'thinking_delta', thinking: 'One.' }),
    add(0, { type: 'signature_delta', signature: 'YQ==' }),
    add(0, { type: 'signature_delta', signature: 'Yg==' }),
    close(0),
    open(1, { type: 'thinking', thinking: '', signature: '' }),
    add(1, { type: 'signature_delta', signature: 'Yw==' }),
    close(1),
    ...textBlock(2, 'Oak.'),
    ...end('end_turn', 3),
  ],
  'thoughts that never end': [
    start(usage),
    open(0, { type: 'thinking', thinking: '' }),
    add(0, { type: 'thinking_delta', thinking: 'One.' }),
    ...end('end_turn', 3),
  ],
  'a call with its input at once': [
    start(usage),
    open(0, use({ input: { query: 'keel' } })),
    close(0),
    ...end('tool_use', 3),
  ],
  'a call without input': [start(usage), open(0, use()), ...json(0, ''), close(0), ...end('tool_use', 3)],
  'a call that never ends': [start(usage), open(0, use()), ...json(0, '{"query":"keel"}'), ...end('tool_use', 3)],
  'a call of a caller': [
    start(usage),
    open(0, use({ caller: { type: 'direct' } })),
    ...json(0, '{"query"', ':"keel"}'),
    close(0),
    ...end('tool_use', 3),
  ],
  'two calls at the same time': [
    start(usage),
    open(0, use()),
    open(1, use({ id: 'toolu_2' })),
    ...json(1, '{"query":'),
    ...json(0, '{"query":"a"}'),
    ...json(1, '"b"}'),
    close(1),
    close(0),
    ...end('tool_use', 3),
  ],
  'a call cut by the limit': [
    start(usage),
    open(0, use()),
    ...json(0, '{"query":"ke'),
    close(0),
    ...end('max_tokens', 3),
  ],
  'a call that was refused': [
    start(usage),
    open(0, use()),
    ...json(0, '{"query":"a"}'),
    close(0),
    ...end('refusal', 3),
  ],
  'a call of a server': [
    start(usage),
    open(0, { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'search', input: { a: 1 }, server_name: 's' }),
    close(0),
    open(1, {
      type: 'mcp_tool_result',
      tool_use_id: 'mcptoolu_1',
      is_error: false,
      content: [{ type: 'text', text: 'x' }],
    }),
    close(1),
    ...textBlock(2, 'Oak.'),
    ...end('end_turn', 3),
  ],
  'a summary that comes at once': [
    start(usage),
    open(0, { type: 'compaction', content: 'The user asked about boats.', signature: 'YQ==' }),
    close(0),
    ...textBlock(1, 'Oak.'),
    ...end('end_turn', 3),
  ],
  citations: [
    start(usage),
    open(0, { type: 'text', text: '' }),
    add(0, {
      type: 'citations_delta',
      citation: {
        type: 'char_location',
        cited_text: 'Oak.',
        document_index: 0,
        document_title: null,
        start_char_index: 0,
        end_char_index: 4,
      },
    }),
    add(0, { type: 'text_delta', text: 'Oak.' }),
    close(0),
    ...end('end_turn', 3),
  ],
  'text in a row of blocks': [
    start(usage),
    ...textBlock(0, 'One', '', ' two.'),
    ...textBlock(1, 'Three.'),
    ...end('end_turn', 3),
  ],
  'deltas of blocks that never began': [
    start(usage),
    add(0, { type: 'text_delta', text: 'Oak.' }),
    add(1, { type: 'thinking_delta', thinking: 'Hm.' }),
    ...json(2, '{"a":1}'),
    close(0),
    close(1),
    close(2),
    ...end('end_turn', 3),
  ],
  'the same message begun again': [
    start(usage),
    ...whole,
    start(usage),
    ...textBlock(1, ' Yes.'),
    ...end('end_turn', 3),
  ],
  'another message begun': [
    start(usage),
    ...whole,
    { type: 'message_start', message: { id: 'msg_02', usage } },
    ...textBlock(1, ' Yes.'),
    ...end('end_turn', 3),
  ],
  'counts at the end': [
    start({ input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3 }),
    ...whole,
    ...over(
      { stop_reason: 'end_turn' },
      {
        input_tokens: 10,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 30,
        output_tokens: 40,
        output_tokens_details: { thinking_tokens: 5 },
      },
    ),
  ],
  'counts of null': [
    start({ input_tokens: 10, cache_read_input_tokens: null, cache_creation_input_tokens: null }),
    ...whole,
    ...over({ stop_reason: 'end_turn' }, { input_tokens: null, output_tokens: 4, iterations: null }),
  ],
  'counts of null after counts': [
    start({ input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 30 }),
    ...whole,
    ...over({ stop_reason: 'end_turn' }, { cache_read_input_tokens: null, output_tokens: 4 }),
  ],
  'counts of rounds': [
    start({ input_tokens: 10, cache_read_input_tokens: 20 }),
    ...whole,
    ...over(
      { stop_reason: 'end_turn' },
      {
        output_tokens: 4,
        iterations: [counted('compaction', 100, 50), counted('message', 10, 4), counted('advisor_message', 7, 7)],
      },
    ),
  ],
  'counts of a fallback': [
    start(usage),
    ...whole,
    ...over(
      { stop_reason: 'end_turn' },
      { output_tokens: 4, iterations: [counted('message', 100, 0), counted('fallback_message', 20, 4)] },
    ),
  ],
  'counts of an adviser alone': [
    start(usage),
    ...whole,
    ...over({ stop_reason: 'end_turn' }, { output_tokens: 4, iterations: [counted('advisor_message', 7, 7)] }),
  ],
  'fields that nobody knows': [
    { ...start({ input_tokens: 20, odd: { a: 1 } }), odd: true },
    open(0, { type: 'text', text: '', odd: 1 }),
    add(0, { type: 'text_delta', text: 'Oak.', odd: [] }),
    { ...close(0), odd: null },
    ...end('end_turn', 3),
  ],
  'an event that nobody knows': [start(usage), { type: 'odd', index: 0 }, ...whole, ...end('end_turn', 3)],
  'a block that nobody knows': [
    start(usage),
    open(0, { type: 'odd', text: 'No answer.' }),
    add(0, { type: 'odd_delta', text: 'No answer.' }),
    close(0),
    ...textBlock(1, 'Oak.'),
    ...end('end_turn', 3),
  ],
  'a thought and a text whose beginnings come with their blocks': [
    start(usage),
    open(0, { type: 'thinking', thinking: 'The ' }),
    add(0, { type: 'thinking_delta', thinking: 'keel.' }),
    close(0),
    open(1, { type: 'text', text: 'Oak' }),
    add(1, { type: 'text_delta', text: '.' }),
    close(1),
    ...end('end_turn', 3),
  ],
  'no counts': [
    { type: 'message_start', message: { id: 'msg_1' } },
    ...whole,
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  'a number for a text': [
    start(usage),
    open(0, { type: 'text', text: '' }),
    add(0, { type: 'text_delta', text: 7 }),
    ...end('end_turn', 3),
  ],
  'a number for a piece of arguments': [
    start(usage),
    open(0, use()),
    ...json(0, '{"a":1'),
    add(0, { type: 'input_json_delta', partial_json: 7 }),
    ...json(0, '}'),
    close(0),
    ...end('tool_use', 3),
  ],
  'a call without a name': [
    start(usage),
    open(0, { type: 'tool_use', id: 'toolu_1' }),
    close(0),
    ...end('tool_use', 3),
  ],
};
