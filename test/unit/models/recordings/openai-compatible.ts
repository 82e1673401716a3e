/** Chat completions: documented at platform.openai.com/docs/api-reference/chat-streaming, with what servers add to it. */
import { bothCalls, type Recordings } from './recording';

const frame = { id: 'chatcmpl-oak', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'oak-1' };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...frame,
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});
const usage = (value: object) => ({ ...frame, choices: [], usage: value });
const call = (index: number, part: object) => chunk({ tool_calls: [{ index, ...part }] });
const done = '[DONE]';

export const openaiCompatible: Recordings = {
  text: {
    events: [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ': a comment that keeps the line open',
      chunk({ content: 'The keel' }),
      chunk({ content: ' is **oak**.' }),
      chunk({}, 'stop'),
      usage({
        prompt_tokens: 2_155,
        completion_tokens: 9,
        total_tokens: 2_164,
        prompt_tokens_details: { cached_tokens: 2_048, audio_tokens: 0 },
      }),
      done,
    ],
    expected: {
      text: 'The keel is **oak**.',
      end: 'complete',
      usage: { inputTokens: 2_155, outputTokens: 9, cacheReadTokens: 2_048 },
    },
  },
  calls: {
    events: [
      chunk({ role: 'assistant', content: 'I look it up.' }),
      call(0, { id: 'call_a', type: 'function', function: { name: 'search_notes', arguments: '' } }),
      call(0, { function: { arguments: '{"query": "ke' } }),
      call(0, { function: { arguments: 'el"}' } }),
      // Some servers send a call in one piece.
      call(1, { id: 'call_b', type: 'function', function: { name: 'read_note', arguments: '{"path":"Boat.md"}' } }),
      chunk({}, 'tool_calls'),
      done,
    ],
    expected: bothCalls,
  },
  reasoning: {
    events: [
      chunk({ role: 'assistant', content: null, reasoning_content: 'Oak or ' }),
      chunk({ content: null, reasoning_content: 'larch?' }),
      chunk({ content: 'Oak.', reasoning_content: null }),
      chunk({ content: '' }, 'stop'),
      usage({ prompt_tokens: 20, completion_tokens: 12, completion_tokens_details: { reasoning_tokens: 6 } }),
      done,
    ],
    expected: {
      text: 'Oak.',
      reasoning: 'Oak or larch?',
      end: 'complete',
      usage: { inputTokens: 20, outputTokens: 12, reasoningTokens: 6 },
    },
  },
  length: {
    events: [chunk({ role: 'assistant', content: 'The keel is' }), chunk({}, 'length'), done],
    expected: { text: 'The keel is', end: 'length' },
  },
  refusal: {
    events: [chunk({ role: 'assistant', content: 'No.' }), chunk({}, 'content_filter'), done],
    expected: { text: 'No.', end: 'refusal' },
  },
  error: {
    events: [
      chunk({ role: 'assistant', content: 'The keel' }),
      { error: { message: 'Upstream is overloaded', type: 'server_error', code: 503 } },
    ],
    expected: { text: 'The keel', end: 'overloaded' },
  },
};
