/**
 * Events whose data says nothing, which some proxies send as signs of life, and a last word with blanks around it.
 *
 * @jest-environment node
 */
import { ask, failureIn, formats, modelAt, textIn } from '../harness';
import { framed, recordings } from '../recordings';

const nothings = ['data:', 'data: ', 'event: ping\ndata:', 'data:\t \r', 'data: [DONE] '];

/** Answers with these bytes, so many at a time. */
function sending(text: string, step: number) {
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, (sent += step)));
    },
  });
  return { fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })) };
}

describe.each(formats.filter(({ format }) => format !== 'ollama'))('$format', ({ format, row }) => {
  it.each(nothings)('reads an answer between events with %j', async (nothing) => {
    const plain = framed(format, recordings[format].text?.events ?? []);
    const wanted = await ask(modelAt('https://model.example/v1', row, { transport: sending(plain, 1_000_000) }));
    expect(wanted.at(-1)?.type).toBe('finish');
    for (const [gap, end] of [
      ['\n\n', '\n'],
      ['\r\n\r\n', '\r\n'],
    ] as const) {
      const events = plain.split('\n\n').slice(0, -1);
      const sent = events.map((event) => `${nothing}${gap}${event.replaceAll('\n', end)}${gap}`).join('');
      for (const step of [1, 7, 64, 1_000_000]) {
        const seen = await ask(
          modelAt('https://model.example/v1', row, { transport: sending(`${sent}${nothing}${gap}`, step) }),
        );
        expect([step, failureIn(seen)?.words, textIn(seen), seen.at(-1)]).toEqual([
          step,
          undefined,
          textIn(wanted),
          wanted.at(-1),
        ]);
      }
    }
  });
});
