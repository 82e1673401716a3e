/** Gemini's streamGenerateContent: documented at ai.google.dev/api/generate-content. */
import { bothCalls, type Recording, type Recordings } from './recording';

const event = (parts: object[], more: object = {}, rest: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  modelVersion: 'oak-1',
  responseId: 'oakResponse',
  ...rest,
});
const end = (finishReason: string, usageMetadata: object = {}) =>
  event(
    [{ text: '' }],
    { finishReason },
    { usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 4, ...usageMetadata } },
  );

export const gemini: Recordings = {
  text: {
    events: [
      event([{ text: 'The keel' }], {}, { usageMetadata: { promptTokenCount: 2_155 } }),
      event([{ text: ' is **oak**.' }]),
      end('STOP', { promptTokenCount: 2_155, candidatesTokenCount: 9, cachedContentTokenCount: 2_048 }),
    ],
    expected: {
      text: 'The keel is **oak**.',
      end: 'complete',
      usage: { inputTokens: 2_155, outputTokens: 9, cacheReadTokens: 2_048 },
    },
  },
  calls: {
    events: [
      event([{ text: 'I look it up.' }]),
      // Several parts in one event, the first call signed.
      event([
        { functionCall: { name: 'search_notes', args: { query: 'keel' } }, thoughtSignature: 'c2lnbmVk' },
        { functionCall: { name: 'read_note', args: { path: 'Boat.md' } } },
      ]),
      end('STOP'),
    ],
    expected: bothCalls,
  },
  reasoning: {
    events: [
      event([{ text: 'Oak or ', thought: true }]),
      event([{ text: 'larch?', thought: true }]),
      event([{ text: 'Oak.' }]),
      end('STOP', { thoughtsTokenCount: 6 }),
    ],
    expected: {
      text: 'Oak.',
      reasoning: 'Oak or larch?',
      end: 'complete',
      usage: { inputTokens: 20, outputTokens: 10, reasoningTokens: 6 },
    },
  },
  length: {
    events: [event([{ text: 'The keel is' }]), end('MAX_TOKENS')],
    expected: { text: 'The keel is', end: 'length' },
  },
  refusal: {
    // A question that is blocked has no answer at all, only the reason.
    events: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 20 } }],
    expected: { text: '', end: 'refusal', usage: { inputTokens: 20, outputTokens: 0 } },
  },
  error: {
    events: [
      event([{ text: 'The keel' }]),
      { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
    ],
    expected: { text: 'The keel', end: 'overloaded' },
  },
};

const piece = (...partialArgs: object[]) => event([{ functionCall: { partialArgs, willContinue: true } }]);

/** What the format can say besides. */
export const moreGemini: Readonly<Record<string, Recording>> = {
  'arguments piece by piece': {
    events: [
      event([{ functionCall: { name: 'search_notes', willContinue: true }, thoughtSignature: 'c2lnbmVk' }]),
      piece({ jsonPath: '$.query', stringValue: 'ke', willContinue: true }),
      piece({ jsonPath: '$.query', stringValue: 'el' }, { jsonPath: '$.limit', numberValue: 3 }),
      piece({ jsonPath: "$.in[0]['a b']", boolValue: true }, { jsonPath: '$.in[1]', nullValue: 'NULL_VALUE' }),
      piece({ jsonPath: '$.in[1].x', stringValue: 'y' }, { jsonPath: '$.in[4000000000]', stringValue: 'far' }),
      piece({ jsonPath: '$.in.__proto__.x', stringValue: 'bad' }, { jsonPath: '', stringValue: 'nowhere' }),
      event([{ functionCall: {} }]),
      event([{ functionCall: { name: 'read_note', args: { path: 'Boat.md' } } }]),
      end('STOP'),
    ],
    expected: {
      calls: [
        ['search_notes', { query: 'keel', limit: 3, in: [{ 'a b': true }, { x: 'y' }] }],
        ['read_note', { path: 'Boat.md' }],
      ],
      end: 'tool-calls',
    },
  },
};
