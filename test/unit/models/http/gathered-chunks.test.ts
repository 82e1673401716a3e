/** @jest-environment node */
/** Chunks that arrive closely together are passed on as one, and none later than a frame of a screen. */
import { type BodyEnding, openConnection } from '../../../../src/models/http/connection';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** A response whose chunks, clock and timers the test moves. */
async function openBody(expects: 'stream' | 'json' = 'stream') {
  let now = 1_000;
  const timers = new Set<Timer>();
  const stop = new AbortController();
  let server!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (server = controller) });
  const connection = openConnection({
    transport: { fetch: () => Promise.resolve(new Response(body)) },
    timing: {
      now: () => now,
      random: () => 0.5,
      after: (milliseconds, act) => {
        const timer = { at: now + milliseconds, act };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    signal: stop.signal,
    ...{ firstByteMilliseconds: 60_000, stallMilliseconds: 60_000, headersFor: () => ({}), expects },
  });
  const response = await connection.fetch('https://model.example/v1', {});
  const reader = response.body!.getReader();
  const read: string[] = [];
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      read.push(decoder.decode(value));
    }
  })();
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  return {
    read,
    reading,
    reader,
    stop: () => stop.abort(),
    timers: () => timers.size,
    ending: (): BodyEnding | undefined => connection.ending(),
    close: () => server.close(),
    fail: () => server.error(new Error('reset')),
    send: async (...texts: string[]) => {
      for (const text of texts) {
        server.enqueue(encoder.encode(text));
        await settle();
      }
    },
    /** Lets time pass; without timers as in a hidden window. */
    pass: async (milliseconds: number, fires = true) => {
      now += milliseconds;
      for (const timer of [...timers].filter(({ at }) => fires && at <= now)) {
        timers.delete(timer);
        timer.act();
      }
      await settle();
    },
  };
}

it('passes the first chunk on at once, and the next ones together within a frame', async () => {
  const body = await openBody();
  await body.send('a');
  expect(body.read).toEqual(['a']);
  await body.send('b', 'c');
  expect(body.read).toEqual(['a']);
  await body.pass(12);
  expect(body.read).toEqual(['a', 'bc']);
  await body.pass(12);
  await body.send('d');
  expect(body.read).toEqual(['a', 'bc', 'd']);
});

it('gathers three times as long while many chunks come within a frame', async () => {
  const body = await openBody();
  await body.send('a', 'b', 'c', 'd', 'e');
  await body.pass(12);
  expect(body.read).toEqual(['a', 'bcde']);
  await body.send('f', 'g', 'h');
  await body.pass(35);
  expect(body.read).toEqual(['a', 'bcde']);
  await body.pass(1);
  expect(body.read).toEqual(['a', 'bcde', 'fgh']);
  await body.send('i');
  await body.pass(12);
  expect(body.read).toEqual(['a', 'bcde', 'fgh', 'i']);
});

it('has one timer for a stall however many chunks come', async () => {
  const body = await openBody();
  await body.send('a', 'b', 'c', 'd', 'e');
  await body.pass(12);
  expect(body.timers()).toBe(1);
  await body.pass(59_999);
  expect(body.ending()).toBeUndefined();
  await body.pass(1);
  expect(body.ending()).toBe('stalled');
});

it('passes on by the clock where timers do not fire', async () => {
  const body = await openBody();
  await body.send('a', 'b');
  await body.pass(500, false);
  await body.send('c');
  expect(body.read).toEqual(['a', 'bc']);
});

it.each<[string, BodyEnding, (body: Awaited<ReturnType<typeof openBody>>) => void]>([
  ['the end', 'complete', ({ close }) => close()],
  ['a reset', 'reset', ({ fail }) => fail()],
  ['a stop by the user', 'aborted', ({ stop }) => stop()],
])('loses nothing that arrived before %s', async (_name, ending, end) => {
  const body = await openBody();
  await body.send('a', 'b', 'c');
  end(body);
  await body.reading;
  expect(body.read).toEqual(['a', 'bc']);
  expect([body.ending(), body.timers()]).toEqual([ending, 0]);
});

it('forgets what waits when nobody reads on', async () => {
  const body = await openBody();
  await body.send('a', 'b');
  await body.reader.cancel();
  await body.pass(60);
  expect([body.read, body.ending(), body.timers()]).toEqual([['a'], 'unwanted', 0]);
});

it('is no later to find that a response stalls', async () => {
  const body = await openBody();
  await body.send('a', 'b');
  await body.pass(60_000);
  await body.reading;
  expect([body.read, body.ending()]).toEqual([['a', 'b'], 'stalled']);
});
