/** @jest-environment node */
import type { ModelEvent } from '../../../src/core/ports/model';
import type { Timing, Transport } from '../../../src/models/http/transport';
import { type ScriptedModel, type ScriptStep, startScriptedModel } from '../../support/model-server';
import { drawnOf } from '../../property/drawn-cases';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import { ask, eventsOf, failureIn, formats, modelAt, never, patient, planOf, realTiming, textIn } from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

const call = { name: 'search_notes', arguments: { query: 'tea' }, id: 'call_1' };
const spoken = 'Voilà 🍵 tea.';

/** Fetch that hands out the given bytes and then ends, or fails. */
function replaying(bytes: Uint8Array, end: 'close' | 'reset', chunk = bytes.length): Transport {
  return {
    fetch: () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent < bytes.length) {
            controller.enqueue(bytes.slice(sent, sent + chunk));
            sent += chunk;
          } else if (end === 'close') controller.close();
          else controller.error(new TypeError('network error'));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    },
  };
}

async function recordedBody(url: string, step: ScriptStep): Promise<Uint8Array> {
  server.setScript([step]);
  const body = JSON.stringify({
    model: 'scripted',
    stream: true,
    messages: [],
    stream_options: { include_usage: true },
  });
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return new Uint8Array(await response.arrayBuffer());
}

/** Short, with all that can be cut: characters of several bytes, thoughts, text and a call. */
const whole: ScriptStep = { reasoning: 'Hm.', text: spoken, toolCalls: [call], usage: { input: 9, output: 3 } };

/** The text that the whole events up to here have said, and whether the last of them ends the answer. */
function saidBy(bytes: Uint8Array, format: string): { text: string; over: boolean } {
  const decoded = new TextDecoder().decode(bytes);
  const isLines = format === 'ollama';
  const pieces = decoded.split(isLines ? '\n' : '\n\n');
  // A last object that is whole is as good as one with its end, except to the package; half of one can never be read.
  const events = format === 'openai-compatible' ? pieces.slice(0, -1) : pieces;
  let text = '';
  let over = false;
  for (const event of events) {
    const value = valueOf(isLines ? event : event.slice(event.indexOf('data: ') + 6));
    const part = value?.candidates?.[0];
    text += value?.delta?.text ?? value?.choices?.[0]?.delta?.content ?? value?.message?.content ?? '';
    text += value?.type === 'response.output_text.delta' ? value.delta : '';
    text += (part?.content?.parts ?? []).map((each: any) => (each.thought ? '' : (each.text ?? ''))).join('');
    over ||= value?.type === 'message_stop' || typeof value?.choices?.[0]?.finish_reason === 'string';
    over ||= value?.type === 'response.completed' || value?.done === true || part?.finishReason !== undefined;
  }
  return { text, over };
}

const values = new Map<string, any>();

function valueOf(json: string): any {
  if (!values.has(json)) values.set(json, parsed(json));
  return values.get(json);
}

function parsed(json: string): any {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** What may end an answer, or its first try. */
const ends = ['finish', 'tool-call', 'waiting', 'failure'] as const;

/** Tests that mostly wait run their parts at the same time, each with a server of its own. */
async function withServer(run: (own: ScriptedModel) => Promise<void>): Promise<void> {
  const own = await startScriptedModel();
  try {
    await run(own);
  } finally {
    await own.close();
  }
}

/** The events up to the point at which the request would be sent again. */
async function firstTry(model: ReturnType<typeof modelAt>): Promise<ModelEvent[]> {
  const stopper = new AbortController();
  return eventsOf(model.stream(planOf(), stopper.signal), ({ type }) => {
    if (type === 'waiting') stopper.abort();
  });
}

describe.each(formats)('$format', ({ format, row, path, endpoint, saying }) => {
  const url = (): string => server.url + path + endpoint;
  let recorded: Uint8Array;
  beforeAll(async () => {
    recorded = await recordedBody(url(), whole);
  });

  it.each(['close', 'reset'] as const)(
    'F24 cut at any byte (%s): no end, no call, and all the text that had arrived',
    async (end) => {
      const bytes = recorded;
      let finished = 0;
      // The parser sees the same bytes either way, so a reset need not be tried at each of them.
      const every = end === 'close' ? 1 : 7;
      const positions = Array.from({ length: bytes.length + 1 }, (_, at) => at);
      const tried = drawnOf(positions, 5).filter((at) => at % every === 0);
      for (const at of new Set([0, ...tried, bytes.length])) {
        const part = bytes.slice(0, at);
        const expected = saidBy(part, format);
        const transport = replaying(part, end);
        const events = await firstTry(modelAt('https://model.example/v1', row, { transport }));
        const types = new Set(events.map((event) => event.type));
        if (expected.over) finished++;
        // Only what showed nothing may be asked for again.
        const shown = types.has('text-delta') || types.has('reasoning-delta');
        const { text, over } = expected;
        const seen = [textIn(events), ...ends.map((type) => types.has(type))];
        const wanted = [text, over, over, !shown && !over, false];
        // Thousands of expectations take as long as the answers themselves, so only what differs pays for one.
        if (JSON.stringify(seen) !== JSON.stringify(wanted)) expect([at, ...seen]).toEqual([at, ...wanted]);
      }
      expect(finished).toBeGreaterThan(0);
      expect(finished).toBeLessThan(bytes.length / 2);
    },
    60_000,
  );

  it('F24 a real reset in the middle keeps the text and ends without an end', async () => {
    const length = (await recordedBody(url(), { text: spoken, toolCalls: [call] })).length;
    server.setScript([{ text: spoken, toolCalls: [call], delayMs: 2, cutAfterBytes: Math.floor(length * 0.8) }]);
    const events = await ask(modelAt(server.url + path, row));
    expect(textIn(events)).toBe(spoken);
    expect(events.filter((event) => ['finish', 'tool-call', 'failure'].includes(event.type))).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('F25 an error event after 200 keeps the text and ends in the words of the provider', async () => {
    const errorEvent = saying('api_error', 'The machine is on fire.', 500);
    server.setScript([{ text: spoken, toolCalls: [call], errorEvent }]);
    const events = await ask(modelAt(server.url + path, row));
    expect(textIn(events)).toBe(spoken);
    expect(events.some((event) => event.type === 'tool-call' || event.type === 'finish')).toBe(false);
    // Ollama's errors say in words alone what they are.
    expect(failureIn(events)?.kind).toBe(format === 'ollama' ? 'protocol' : 'overloaded');
    expect(server.requests).toHaveLength(1);
  });

  it('F30 stops within 200 ms, keeps quiet afterwards and frees the connection', async () => {
    const length = (await recordedBody(url(), { text: spoken })).length;
    const steps: ScriptStep[] = [
      { hang: 'headers' },
      { text: spoken, hang: true },
      { text: spoken, hang: true, cutAfterBytes: Math.floor(length * 0.7) },
      { text: Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '), delayMs: 5 },
    ];
    const stop = async (own: ScriptedModel, step: ScriptStep): Promise<void> => {
      let late = 0;
      let events: readonly ModelEvent[] = [];
      await expectSoon(200, async () => {
        own.setScript([step]);
        const stopper = new AbortController();
        const stream = modelAt(own.url + path, row).stream(planOf(), stopper.signal);
        let stoppedAt = 0;
        setTimeout(() => {
          stoppedAt = Date.now();
          stopper.abort();
        }, 120);
        events = await eventsOf(stream, () => void (late += stopper.signal.aborted ? 1 : 0));
        return Date.now() - stoppedAt;
      });
      expect(late).toBe(0);
      expect(events.filter((event) => event.type === 'finish' || event.type === 'failure')).toEqual([]);
      for (let tries = 0; tries < 50 && own.requests[0]?.aborted !== true; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(own.requests[0]?.aborted).toBe(true);
    };
    await Promise.all(steps.map((step) => withServer((own) => stop(own, step))));
  });

  it('F30 shows nothing more after a stop, although the rest has arrived already', async () => {
    const bytes = await recordedBody(url(), { text: spoken, toolCalls: [call] });
    const stopper = new AbortController();
    const model = modelAt('https://model.example/v1', row, { transport: replaying(bytes, 'close') });
    const events = await eventsOf(model.stream(planOf(), stopper.signal), () => stopper.abort());
    expect(events).toHaveLength(1);
  });

  it('F30 sends nothing when it was stopped before it began', async () => {
    server.setScript([{ text: spoken }]);
    expect(await ask(modelAt(server.url + path, row), planOf(), AbortSignal.abort())).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('F23 names a first byte that does not come, whether headers came or not', async () => {
    const limits = { ...patient, firstByteMilliseconds: 300 };
    const wait = async (own: ScriptedModel, step: ScriptStep): Promise<void> => {
      own.setScript([step, { text: 'too late' }]);
      // From when the request is there, however long a busy machine takes to connect.
      const after: Timing['after'] = (milliseconds, act) => {
        let cancel = (): void => undefined;
        const begin = (): void => {
          cancel = realTiming.after(milliseconds, own.requests.length === 0 ? begin : act);
        };
        begin();
        return () => cancel();
      };
      const events = await ask(modelAt(own.url + path, row, { timing: { ...realTiming, after }, limits }));
      expect(events).toHaveLength(1);
      expect(failureIn(events)).toMatchObject({
        kind: 'network',
        words: expect.stringContaining('didn’t respond within 1 second'),
      });
      expect(own.requests).toHaveLength(1);
    };
    const steps: ScriptStep[] = [{ hang: 'headers' }, { hang: true }];
    await Promise.all(steps.map((step) => withServer((own) => wait(own, step))));
  });

  it('F23 names a stall and keeps the text before it', async () => {
    const limits = { connectMilliseconds: never, firstByteMilliseconds: 5_000, stallMilliseconds: 100 };
    const length = (await recordedBody(url(), { text: spoken, toolCalls: [call] })).length;
    server.setScript([{ text: spoken, toolCalls: [call], hang: true, cutAfterBytes: Math.floor(length * 0.8) }]);
    const events = await ask(modelAt(server.url + path, row, { timing: realTiming, limits }));
    expect(textIn(events)).toBe(spoken);
    expect(failureIn(events)?.kind).toBe('interrupted');
  });

  it('F26 refuses a line without end', async () => {
    const bytes = new TextEncoder().encode(`data: ${'x'.repeat(2_000_000)}`);
    const transport = replaying(bytes, 'close', 65_536);
    const events = await ask(modelAt('https://model.example/v1', row, { transport }));
    expect(failureIn(events)).toMatchObject({ kind: 'protocol' });
  });

  it('F26 reports a line that is no JSON, after the text before it', async () => {
    const bytes = await recordedBody(url(), { text: spoken });
    const [gap, lead, end] = format === 'ollama' ? ['\n', '', 2] : ['\n\n', 'data: ', -4];
    const half = new TextDecoder().decode(bytes).split(gap).slice(0, end).join(gap);
    const broken = new TextEncoder().encode(`${half}${gap}${lead}{"choices": [}${gap}`);
    const transport = replaying(broken, 'close');
    const events = await ask(modelAt('https://model.example/v1', row, { transport }));
    expect(textIn(events)).not.toBe('');
    expect(failureIn(events)).toMatchObject({ kind: 'protocol' });
  });
});

it('takes a last event without its blank line for whole', async () => {
  const event = { candidates: [{ content: { parts: [{ text: 'Tea' }] }, finishReason: 'STOP' }] };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(event)}`);
  for (const end of ['close', 'reset'] as const) {
    const events = await ask(modelAt('https://model.example/v1', formats[3].row, { transport: replaying(bytes, end) }));
    expect([textIn(events), events.at(-1)?.type]).toEqual(['Tea', 'finish']);
  }
});

it('takes an empty reason, which some servers put in every chunk, for none', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Tea' }, finish_reason: '' }] };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`);
  const events = await ask(
    modelAt('https://model.example/v1', formats[1].row, { transport: replaying(bytes, 'close') }),
  );
  expect(events).toEqual([{ type: 'text-delta', text: 'Tea' }]);
});

it('reads an event that repeats the long instructions of the request', async () => {
  const system = 'Ж'.repeat(200_000);
  const events = [
    { type: 'response.created', response: { id: 'r1', instructions: system } },
    { type: 'response.output_text.delta', item_id: 'm1', delta: spoken },
    { type: 'response.completed', response: { id: 'r1', instructions: system } },
  ];
  const escaped = (event: object): string => JSON.stringify(event).replaceAll('Ж', '\\u0416');
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${escaped(event)}\n\n`).join(''));
  const transport = replaying(bytes, 'close', 65_536);
  const answer = await ask(modelAt('https://model.example/v1', formats[2].row, { transport }), planOf({ system }));
  expect([textIn(answer), answer.at(-1)?.type]).toEqual([spoken, 'finish']);
});

it('F23 takes the last word of chat completions for the end of an answer that is left open', async () => {
  for (const chunk of [1, 7, 1_000]) {
    const pieces = [{ content: 'Say “data: [DONE]”.' }, {}].map((delta, at) => ({
      choices: [{ index: 0, delta, finish_reason: at === 0 ? null : 'stop' }],
    }));
    const said = [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]'].map((data) => `data: ${data}\r\n\r\n`);
    const bytes = new TextEncoder().encode(said.join(''));
    let isFreed = false;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent < bytes.length) controller.enqueue(bytes.slice(sent, (sent += chunk)));
        else return new Promise(() => undefined);
      },
      cancel: () => void (isFreed = true),
    });
    const headers = { 'content-type': 'text/event-stream' };
    const transport = { fetch: () => Promise.resolve(new Response(body, { headers })) };
    const model = modelAt('https://model.example/v1', formats[1].row, { transport, timing: realTiming });
    const events = await ask(model);
    expect([textIn(events), events.at(-1)?.type]).toEqual(['Say “data: [DONE]”.', 'finish']);
    expect(isFreed).toBe(true);
  }
});
