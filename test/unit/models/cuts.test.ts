/** @jest-environment node */
import { startScriptedModel, type ScriptedModel, type ScriptStep } from '../../workbench/scripted-model';
import type { Transport } from '../../../src/models/transport';
import { ask, eventsOf, failureIn, formats, modelAt, never, patient, planOf, realPace, textIn } from './harness';

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

describe.each(formats)('$format', ({ format, row, path }) => {
  const url = (): string => server.url + path + (format === 'anthropic' ? '/messages' : '/chat/completions');

  /** The text that whole events up to here have said. */
  function saidBy(bytes: Uint8Array): { text: string; over: boolean } {
    const whole = new TextDecoder().decode(bytes).split('\n\n').slice(0, -1);
    let text = '';
    let over = false;
    for (const event of whole) {
      const data = event.slice(event.indexOf('data: ') + 6);
      if (data === '[DONE]') continue;
      const value = JSON.parse(data) as any;
      text += value.delta?.text ?? value.choices?.[0]?.delta?.content ?? '';
      over ||= value.type === 'message_stop' || typeof value.choices?.[0]?.finish_reason === 'string';
    }
    return { text, over };
  }

  it.each(['close', 'reset'] as const)(
    'cut at any byte (%s): no end, no call, and all the text that had arrived',
    async (end) => {
      const bytes = await recordedBody(url(), { text: spoken, toolCalls: [call] });
      let finished = 0;
      // The parser sees the same bytes either way, so a reset need not be tried at each of them.
      const every = end === 'close' ? 1 : 7;
      const positions = Array.from({ length: bytes.length + 1 }, (_, at) => at);
      for (const at of positions.filter((at) => at % every === 0 || at === bytes.length)) {
        const part = bytes.slice(0, at);
        const expected = saidBy(part);
        const transport = replaying(part, end);
        const events = await ask(modelAt('http://model.test/v1', row, { transport }));
        const types = new Set(events.map((event) => event.type));
        expect([at, textIn(events)]).toEqual([at, expected.text]);
        expect([at, types.has('finish'), types.has('tool-call')]).toEqual([at, expected.over, expected.over]);
        if (expected.over) finished++;
        else if (expected.text === '') expect([at, failureIn(events)?.kind]).toEqual([at, 'interrupted']);
        else expect([at, types.has('failure')]).toEqual([at, false]);
      }
      expect(finished).toBeGreaterThan(0);
      expect(finished).toBeLessThan(bytes.length / 2);
    },
    60_000,
  );

  it('a real reset in the middle keeps the text and ends without an end', async () => {
    const length = (await recordedBody(url(), { text: spoken, toolCalls: [call] })).length;
    server.setScript([{ text: spoken, toolCalls: [call], delayMs: 2, cutAfterBytes: Math.floor(length * 0.8) }]);
    const events = await ask(modelAt(server.url + path, row));
    expect(textIn(events)).toBe(spoken);
    expect(events.filter((event) => ['finish', 'tool-call', 'failure'].includes(event.type))).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('an error event after 200 keeps the text and ends in the words of the provider', async () => {
    const error = { type: 'api_error', message: 'The machine is on fire.' };
    const errorEvent = format === 'anthropic' ? { type: 'error', error } : { error };
    server.setScript([{ text: spoken, toolCalls: [call], errorEvent }]);
    const events = await ask(modelAt(server.url + path, row));
    expect(textIn(events)).toBe(spoken);
    expect(events.some((event) => event.type === 'tool-call' || event.type === 'finish')).toBe(false);
    expect(failureIn(events)?.kind).toBe('overloaded');
    expect(server.requests).toHaveLength(1);
  });

  it('stops within 200 ms, keeps quiet afterwards and frees the connection', async () => {
    const length = (await recordedBody(url(), { text: spoken })).length;
    const steps: ScriptStep[] = [
      { hang: 'headers' },
      { text: spoken, hang: true },
      { text: spoken, hang: true, cutAfterBytes: Math.floor(length * 0.7) },
      { text: Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '), delayMs: 5 },
    ];
    for (const step of steps) {
      server.setScript([step]);
      const stopper = new AbortController();
      const stream = modelAt(server.url + path, row).stream(planOf(), stopper.signal);
      let stoppedAt = 0;
      setTimeout(() => {
        stoppedAt = Date.now();
        stopper.abort();
      }, 120);
      let late = 0;
      const events = await eventsOf(stream, () => void (late += stopper.signal.aborted ? 1 : 0));
      expect(Date.now() - stoppedAt).toBeLessThan(200);
      expect(late).toBe(0);
      expect(events.filter((event) => event.type === 'finish' || event.type === 'failure')).toEqual([]);
      for (let tries = 0; tries < 50 && server.requests[0]?.aborted !== true; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(server.requests[0]?.aborted).toBe(true);
    }
  });

  it('shows nothing more after a stop, although the rest has arrived already', async () => {
    const bytes = await recordedBody(url(), { text: spoken, toolCalls: [call] });
    const stopper = new AbortController();
    const model = modelAt('http://model.test/v1', row, { transport: replaying(bytes, 'close') });
    const events = await eventsOf(model.stream(planOf(), stopper.signal), () => stopper.abort());
    expect(events).toHaveLength(1);
  });

  it('sends nothing when it was stopped before it began', async () => {
    server.setScript([{ text: spoken }]);
    expect(await ask(modelAt(server.url + path, row), planOf(), AbortSignal.abort())).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('names a first byte that does not come, whether headers came or not', async () => {
    const limits = { ...patient, firstByteMilliseconds: 80 };
    for (const step of [{ hang: 'headers' }, { hang: true }] as const) {
      server.setScript([step, { text: 'too late' }]);
      const events = await ask(modelAt(server.url + path, row, { pace: realPace, limits }));
      expect(events).toHaveLength(1);
      expect(failureIn(events)).toMatchObject({
        kind: 'network',
        words: expect.stringContaining('sent nothing for 1 second'),
      });
      expect(server.requests).toHaveLength(1);
    }
  });

  it('names a stall and keeps the text before it', async () => {
    const limits = { connectMilliseconds: never, firstByteMilliseconds: 5_000, stallMilliseconds: 100 };
    const length = (await recordedBody(url(), { text: spoken, toolCalls: [call] })).length;
    server.setScript([{ text: spoken, toolCalls: [call], hang: true, cutAfterBytes: Math.floor(length * 0.8) }]);
    const events = await ask(modelAt(server.url + path, row, { pace: realPace, limits }));
    expect(textIn(events)).toBe(spoken);
    expect(failureIn(events)?.kind).toBe('interrupted');
  });

  it('refuses a line without end', async () => {
    const bytes = new TextEncoder().encode(`data: ${'x'.repeat(2_000_000)}`);
    const transport = replaying(bytes, 'close', 65_536);
    const events = await ask(modelAt('http://model.test/v1', row, { transport }));
    expect(failureIn(events)).toMatchObject({ kind: 'protocol' });
  });

  it('reports a line that is no JSON, after the text before it', async () => {
    const bytes = await recordedBody(url(), { text: spoken });
    const half = new TextDecoder().decode(bytes).split('\n\n').slice(0, -4).join('\n\n');
    const broken = new TextEncoder().encode(`${half}\n\ndata: {"choices": [}\n\n`);
    const transport = replaying(broken, 'close');
    const events = await ask(modelAt('http://model.test/v1', row, { transport }));
    expect(textIn(events)).not.toBe('');
    expect(failureIn(events)).toMatchObject({ kind: 'protocol' });
  });
});

it('takes an empty reason, which some servers put in every chunk, for none', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Tea' }, finish_reason: '' }] };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`);
  const events = await ask(modelAt('http://model.test/v1', formats[1].row, { transport: replaying(bytes, 'close') }));
  expect(events).toEqual([{ type: 'text-delta', text: 'Tea' }]);
});
