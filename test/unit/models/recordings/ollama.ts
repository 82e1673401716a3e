/** Ollama's chat: documented at docs.ollama.com/api/chat. */
import { bothCalls, type Recordings } from './recording';

const line = (message: object, more: object = { done: false }) => ({
  model: 'oak:7b',
  created_at: '2026-11-20T08:00:00.123456Z',
  message: { role: 'assistant', content: '', ...message },
  ...more,
});
const end = (done_reason: string, eval_count = 4) =>
  line({}, { done: true, done_reason, total_duration: 1_000, prompt_eval_count: 20, eval_count });

export const ollama: Recordings = {
  text: {
    events: [line({ content: 'The keel' }), line({ content: ' is **oak**.' }), end('stop', 9)],
    expected: { text: 'The keel is **oak**.', end: 'complete', usage: { inputTokens: 20, outputTokens: 9 } },
  },
  calls: {
    events: [
      line({ content: 'I look it up.' }),
      line({ tool_calls: [{ function: { index: 0, name: 'search_notes', arguments: { query: 'keel' } } }] }),
      line({ tool_calls: [{ id: 'call_b', function: { name: 'read_note', arguments: { path: 'Boat.md' } } }] }),
      end('stop'),
    ],
    expected: bothCalls,
  },
  reasoning: {
    events: [line({ thinking: 'Oak or ' }), line({ thinking: 'larch?' }), line({ content: 'Oak.' }), end('stop')],
    expected: { text: 'Oak.', reasoning: 'Oak or larch?', end: 'complete' },
  },
  length: {
    events: [line({ content: 'The keel is' }), end('length')],
    expected: { text: 'The keel is', end: 'length' },
  },
  refusal: null,
  error: {
    events: [line({ content: 'The keel' }), { error: 'an error was encountered while running the model' }],
    expected: { text: 'The keel', end: 'protocol' },
  },
};
