/** @jest-environment node */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelEvent } from '../../../src/core/ports';
import { startScriptedModel, type ScriptedModel } from '../../workbench/scripted-model';
import { ask, modelAt, rowOf, textIn } from './harness';

const folder = join(__dirname, '../../../../shared/data/wire');
const present = existsSync(folder);

const anthropic = { row: rowOf('anthropic'), path: '/anthropic/v1' };
const openai = { row: rowOf('openai-compatible'), path: '/openai/v1' };

interface Expected {
  reason: string;
  text?: RegExp;
  reasoning?: RegExp;
  calls?: string[];
  inputTokens: number;
}
const recordings: [file: string, provider: typeof openai, expected: Expected][] = [
  ['anthropic-text', anthropic, { reason: 'complete', text: /^Hello! I'm .*with\?$/s, inputTokens: 12 }],
  [
    'anthropic-clear-thinking.1',
    anthropic,
    { reason: 'complete', reasoning: /^The previous result was 925/, text: /185/, inputTokens: 69 },
  ],
  ['anthropic-refusal', anthropic, { reason: 'refusal', text: /^$/, inputTokens: 18 }],
  ['anthropic-tool-no-args', anthropic, { reason: 'tool-calls', calls: ['updateIssueList {}'], inputTokens: 565 }],
  ['openai-text', openai, { reason: 'complete', text: /^\*\*Holiday Name:.+[.!*]\s*$/s, inputTokens: 16 }],
  [
    'deepseek-tool-call',
    openai,
    { reason: 'tool-calls', reasoning: /\S/, calls: ['weather {"location": "San Francisco"}'], inputTokens: 339 },
  ],
  ['xai-text', openai, { reason: 'complete', reasoning: /^First, the user said/, text: /^Hello/, inputTokens: 12 }],
  [
    'mistral-tool-call',
    openai,
    { reason: 'tool-calls', calls: ['weather {"location": "San Francisco"}'], inputTokens: 124 },
  ],
];

/** The recording as the service sent it: one event a line. */
function streamOf(file: string, provider: typeof openai): string {
  const lines = readFileSync(join(folder, `${file}.chunks.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (provider === openai) return [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('');
  return lines.map((line) => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`).join('');
}

(present ? describe : describe.skip)('recorded answers', () => {
  let server: ScriptedModel;
  beforeAll(async () => {
    server = await startScriptedModel();
  });
  afterAll(() => server.close());

  const answer = (provider: typeof openai) => ask(modelAt(server.url + provider.path, provider.row));
  const callsIn = (events: ModelEvent[]): string[] =>
    events.flatMap((event) => (event.type === 'tool-call' ? [`${event.call.name} ${event.call.argumentsText}`] : []));

  it.each(recordings)('%s', async (file, provider, expected) => {
    server.setScript([{ raw: streamOf(file, provider) }]);
    const events = await answer(provider);
    const reasoning = events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: expected.reason,
      usage: { inputTokens: expected.inputTokens },
    });
    expect(textIn(events)).toMatch(expected.text ?? /^/);
    expect(reasoning).toMatch(expected.reasoning ?? /^/);
    expect(callsIn(events)).toEqual(expected.calls ?? []);
  });

  it.each(recordings)(
    '%s, cut anywhere, never ends nor calls before its time',
    async (file, provider) => {
      const stream = streamOf(file, provider);
      const whole = Buffer.byteLength(stream);
      server.setScript([{ raw: stream }]);
      const complete = textIn(await answer(provider));
      const marker = provider === openai ? /"finish_reason":"\w+"/ : /data: \{"type":"message_stop"/;
      const endsAt = Buffer.byteLength(stream.slice(0, stream.search(marker)));
      for (let step = 1; step <= 20; step++) {
        const at = Math.floor((whole * step) / 21);
        server.setScript((request) => (request.index === 0 ? { raw: stream, endAfterBytes: at } : { status: 400 }));
        const events = await answer(provider);
        if (at < endsAt) {
          expect([at, events.some((event) => event.type === 'finish' || event.type === 'tool-call')]).toEqual([
            at,
            false,
          ]);
        }
        expect(complete.startsWith(textIn(events))).toBe(true);
      }
    },
    30_000,
  );
});
