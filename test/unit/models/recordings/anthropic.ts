/** Anthropic's Messages: documented at platform.claude.com/docs/en/build-with-claude/streaming. */
import { bothCalls, type Recording, type Recordings } from './recording';

export const start = (usage: object) => ({
  type: 'message_start',
  message: {
    id: 'msg_01Oak',
    type: 'message',
    role: 'assistant',
    model: 'claude-oak-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { output_tokens: 1, service_tier: 'standard', ...usage },
  },
});
export const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
export const add = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
export const close = (index: number) => ({ type: 'content_block_stop', index });
export const end = (stop_reason: string, output_tokens: number) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
  { type: 'message_stop' },
];
export const text = (index: number, ...pieces: string[]) => [
  open(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => add(index, { type: 'text_delta', text: piece })),
  close(index),
];

export const anthropic: Recordings = {
  text: {
    events: [
      start({ input_tokens: 11, cache_read_input_tokens: 2_048, cache_creation_input_tokens: 96 }),
      { type: 'ping' },
      ...text(0, 'The keel', ' is **oak**.'),
      ...end('end_turn', 9),
    ],
    expected: {
      text: 'The keel is **oak**.',
      end: 'complete',
      usage: { inputTokens: 2_155, outputTokens: 9, cacheReadTokens: 2_048, cacheWriteTokens: 96 },
    },
  },
  calls: {
    events: [
      start({ input_tokens: 40 }),
      ...text(0, 'I look it up.'),
      open(1, { type: 'tool_use', id: 'toolu_01A', name: 'search_notes', input: {} }),
      add(1, { type: 'input_json_delta', partial_json: '' }),
      add(1, { type: 'input_json_delta', partial_json: '{"query": "ke' }),
      add(1, { type: 'input_json_delta', partial_json: 'el"}' }),
      close(1),
      open(2, { type: 'tool_use', id: 'toolu_01B', name: 'read_note', input: {} }),
      add(2, { type: 'input_json_delta', partial_json: '{"path":"Boat.md"}' }),
      close(2),
      ...end('tool_use', 31),
    ],
    expected: { ...bothCalls, usage: { inputTokens: 40, outputTokens: 31 } },
  },
  reasoning: {
    events: [
      start({ input_tokens: 20 }),
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      add(0, { type: 'thinking_delta', thinking: 'Oak or ' }),
      add(0, { type: 'thinking_delta', thinking: 'larch?' }),
      add(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
      close(0),
      ...text(1, 'Oak.'),
      ...end('end_turn', 12),
    ],
    expected: { text: 'Oak.', reasoning: 'Oak or larch?', end: 'complete' },
  },
  length: {
    events: [start({ input_tokens: 20 }), ...text(0, 'The keel is'), ...end('max_tokens', 4)],
    expected: { text: 'The keel is', end: 'length' },
  },
  refusal: {
    events: [start({ input_tokens: 20 }), ...text(0, 'No.'), ...end('refusal', 2)],
    expected: { text: 'No.', end: 'refusal' },
  },
  error: {
    events: [
      start({ input_tokens: 20 }),
      open(0, { type: 'text', text: '' }),
      add(0, { type: 'text_delta', text: 'The keel' }),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ],
    expected: { text: 'The keel', end: 'overloaded' },
  },
};

/** What the format can say besides. */
export const moreAnthropic: Readonly<Record<string, Recording>> = {
  'its own summary of the request': {
    events: [
      start({ input_tokens: 40 }),
      open(0, { type: 'compaction', content: null }),
      add(0, { type: 'compaction_delta', content: 'The user asked about boats.' }),
      close(0),
      ...text(1, 'Oak.'),
      ...end('end_turn', 9),
    ],
    expected: { text: 'Oak.', end: 'complete' },
  },
  'a tool that it ran itself': {
    events: [
      start({ input_tokens: 40 }),
      open(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      add(0, { type: 'input_json_delta', partial_json: '{"query":"keel"}' }),
      close(0),
      open(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
      close(1),
      ...text(2, 'Oak.'),
      ...end('end_turn', 9),
    ],
    expected: { text: 'Oak.', end: 'complete' },
  },
};
