/** @jest-environment node */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelEvent } from '../../../src/core/ports/model';
import type { WireFormat } from '../../../src/models/providers/provider';
import { type ScriptedModel, startScriptedModel } from '../../support/model-server';
import { ask, failureIn, formats, modelAt, planOf, textIn } from './harness';
import { cases, framed, moreRecordings, type Recording, recordings } from './recordings';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

const formatOf = (name: WireFormat) => {
  const found = formats.find(({ format }) => format === name);
  if (found === undefined) throw new Error(`There is no format ${name}.`);
  return found;
};
const answerIn = (name: WireFormat): Promise<ModelEvent[]> => {
  const { row, path } = formatOf(name);
  return ask(modelAt(server.url + path, row));
};
const callsIn = (events: readonly ModelEvent[]): (readonly [string, unknown])[] =>
  events.flatMap((event) =>
    event.type === 'tool-call' ? [[event.call.name, JSON.parse(event.call.argumentsText) as unknown] as const] : [],
  );
const thoughtsIn = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');

const regular = formats.flatMap(({ format }) =>
  cases.flatMap((each) => {
    const recording = recordings[format][each];
    return recording === null ? [] : [[format, each, recording] as const];
  }),
);

const own = [...regular, ...moreRecordings];

describe('recordings of our own', () => {
  it('are there for each format and each way in which an answer can go', () => {
    const missing = formats.flatMap(({ format }) => cases.filter((each) => recordings[format][each] === null));
    // Ollama has no word for a refusal.
    expect(missing).toEqual(['refusal']);
  });

  it.each(own)('%s: %s', async (format, _case, { events: sent, expected }: Recording) => {
    server.setScript([{ raw: framed(format, sent) }]);
    const events = await answerIn(format);
    expect(textIn(events)).toBe(expected.text ?? '');
    expect(thoughtsIn(events)).toBe(expected.reasoning ?? '');
    expect(callsIn(events)).toEqual(expected.calls ?? []);
    const last = events.at(-1);
    expect(last?.type === 'finish' ? last.reason : failureIn(events)?.kind).toBe(expected.end);
    if (expected.usage !== undefined) expect(last).toMatchObject({ usage: expected.usage });
  });

  it.each(own)(
    '%s: %s reads the same with other ends of line and a byte order mark',
    async (format, _case, recording) => {
      const plain = framed(format, recording.events);
      server.setScript([{ raw: plain }, { raw: `\uFEFF${plain.replaceAll('\n', '\r\n')}`, chunkBytes: 7 }]);
      const [first, second] = [await answerIn(format), await answerIn(format)];
      // Some formats have no call ids, so the reader makes them up; all else depends on the bytes alone.
      expect([textIn(second), thoughtsIn(second), callsIn(second), second.at(-1)?.type]).toEqual([
        textIn(first),
        thoughtsIn(first),
        callsIn(first),
        first.at(-1)?.type,
      ]);
    },
  );

  it.each(moreRecordings)(
    '%s: %s, cut at every byte, never ends nor calls before its time',
    async (format, _case, recording) => {
      const bytes = Buffer.from(framed(format, recording.events));
      const endsAt = bytes.indexOf(
        { anthropic: 'event: message_stop', gemini: '"finishReason"' }[format as string] ?? 'event: response.completed',
      );
      const { row } = formatOf(format);
      expect(endsAt).toBeGreaterThan(0);
      for (let at = 0; at < endsAt; at++) {
        const fetch = () =>
          Promise.resolve(new Response(bytes.subarray(0, at), { headers: { 'content-type': 'text/event-stream' } }));
        const model = modelAt('https://model.example', row, { transport: { fetch } });
        const events: ModelEvent[] = [];
        for await (const event of model.stream(planOf(), new AbortController().signal)) {
          events.push(event);
          if (event.type === 'waiting') break;
        }
        // Thousands of expectations take as long as the answers themselves, so only what is wrong pays for one.
        const early = events.filter(({ type }) => type === 'finish' || type === 'tool-call');
        if (early.length > 0) expect([at, early]).toEqual([at, []]);
        const text = recording.expected.text ?? '';
        if (!text.includes(textIn(events))) expect(text).toContain(textIn(events));
      }
    },
  );
});

const folder = join(__dirname, '../../../../shared/data/wire');
const present = existsSync(folder);

interface Expected {
  reason: string;
  text?: RegExp;
  reasoning?: RegExp;
  calls?: (readonly [string, object])[];
  inputTokens?: number;
  outputTokens?: number;
}
const weather = ['weather', { location: 'San Francisco' }] as const;
const served: [file: string, format: WireFormat, expected: Expected][] = [
  ['anthropic-text', 'anthropic', { reason: 'complete', text: /^Hello! I'm .*with\?$/s, inputTokens: 12 }],
  [
    'anthropic-clear-thinking.1',
    'anthropic',
    { reason: 'complete', reasoning: /^The previous result was 925/, text: /185/, inputTokens: 69 },
  ],
  ['anthropic-refusal', 'anthropic', { reason: 'refusal', text: /^$/, inputTokens: 18 }],
  ['anthropic-tool-no-args', 'anthropic', { reason: 'tool-calls', calls: [['updateIssueList', {}]], inputTokens: 565 }],
  ['openai-text', 'openai-compatible', { reason: 'complete', text: /^\*\*Holiday Name:.+[.!*]\s*$/s, inputTokens: 16 }],
  [
    'deepseek-tool-call',
    'openai-compatible',
    { reason: 'tool-calls', reasoning: /\S/, calls: [weather], inputTokens: 339 },
  ],
  [
    'xai-text',
    'openai-compatible',
    { reason: 'complete', reasoning: /^First, the user said/, text: /^Hello/, inputTokens: 12, outputTokens: 291 },
  ],
  ['mistral-tool-call', 'openai-compatible', { reason: 'tool-calls', calls: [weather], inputTokens: 124 }],
  ['google-text', 'gemini', { reason: 'complete', text: /\S/ }],
  ['google-reasoning', 'gemini', { reason: 'complete', text: /\S/ }],
  ['google-tool-call', 'gemini', { reason: 'tool-calls', calls: [weather], inputTokens: 29 }],
  ['openai-error.1', 'responses', { reason: 'quota' }],
  [
    'openai-reasoning-encrypted-content.1',
    'responses',
    { reason: 'tool-calls', reasoning: /^\*\*Calculating step-by-step using calculator\*\*\n\nI'll compute/ },
  ],
  ['lmstudio-basic.1', 'responses', { reason: 'complete', text: /\S/ }],
];

/** The recording as the service sent it: one event a line. */
function streamOf(file: string, format: WireFormat): string {
  const lines = readFileSync(join(folder, `${file}.chunks.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return framed(format, format === 'openai-compatible' ? [...lines, '[DONE]'] : lines);
}

/** Where the event begins that says why the answer ended. */
const endMarks: Partial<Record<WireFormat, RegExp>> = {
  anthropic: /data: \{"type":"message_stop"/,
  'openai-compatible': /"finish_reason":"\w+"/,
  responses: /data: \{"type":"(?:response\.(?:completed|failed)|error)"/,
  gemini: /"finishReason"/,
};

(present ? describe : describe.skip)('recorded answers', () => {
  it('are all known', () => {
    expect(served.map(([file]) => file)).toContain('openai-reasoning-encrypted-content.1');
    expect(served).toHaveLength(14);
  });

  it.each(served)('%s', async (file, format, expected) => {
    server.setScript([{ raw: streamOf(file, format) }]);
    const events = await answerIn(format);
    const last = events.at(-1);
    expect(last?.type === 'finish' ? last.reason : failureIn(events)?.kind).toBe(expected.reason);
    if (expected.inputTokens !== undefined)
      expect(last).toMatchObject({ usage: { inputTokens: expected.inputTokens } });
    if (last?.type === 'finish') expect(last.usage?.outputTokens).toBeGreaterThan(0);
    if (expected.outputTokens !== undefined)
      expect(last).toMatchObject({ usage: { outputTokens: expected.outputTokens } });
    expect(textIn(events)).toMatch(expected.text ?? /^/);
    expect(thoughtsIn(events)).toMatch(expected.reasoning ?? /^/);
    if (expected.calls !== undefined || expected.reason !== 'tool-calls') {
      expect(callsIn(events)).toEqual(expected.calls ?? []);
    }
    // Data that must be sent back with the next request is stored with the parts.
    const recorded = JSON.stringify(events.filter(({ type }) => type === 'reasoning-end' || type === 'tool-call'));
    if (file === 'google-tool-call') expect(recorded).toContain('"thoughtSignature":"EqUCCqICAb4');
    if (file.startsWith('openai-reasoning')) expect(recorded).toContain('"encryptedContent":"gAAAAA');
  });

  it.each(served)(
    'F24 %s, cut anywhere, never ends nor calls before its time',
    async (file, format) => {
      const stream = streamOf(file, format);
      const whole = Buffer.byteLength(stream);
      server.setScript([{ raw: stream }]);
      const complete = textIn(await answerIn(format));
      const mark = endMarks[format];
      if (mark === undefined) throw new Error(`Nothing is known of the end of ${format}.`);
      const endsAt = Buffer.byteLength(stream.slice(0, stream.search(mark)));
      for (let step = 1; step <= 20; step++) {
        const at = Math.floor((whole * step) / 21);
        server.setScript((request) => (request.index === 0 ? { raw: stream, endAfterBytes: at } : { status: 400 }));
        const events = await answerIn(format);
        if (at < endsAt) {
          const ended = events.some((event) => event.type === 'finish' || event.type === 'tool-call');
          expect([at, ended]).toEqual([at, false]);
        }
        expect(complete.startsWith(textIn(events))).toBe(true);
      }
    },
    30_000,
  );

  it('F17 google-429-retry-info: waits as long as the details say', async () => {
    const errorBody = JSON.parse(readFileSync(join(folder, 'google-429-retry-info.json'), 'utf8')) as unknown;
    server.setScript([{ status: 429, errorBody }, { text: 'Here.' }]);
    const events = await answerIn('gemini');
    expect(events[0]).toMatchObject({ type: 'waiting', milliseconds: 34_400 });
    expect(textIn(events)).toBe('Here.');
  });
});
