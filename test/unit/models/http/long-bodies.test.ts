/** @jest-environment node */
/** Bodies of servers that are far longer than any answer, or come in far smaller pieces. */
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { openStreamedModel } from '../../../../src/models/formats/streamed-format';
import { ask, failureIn, modelAt, rowOf } from '../harness';

async function readLine(length: number): Promise<void> {
  const piece = new TextEncoder().encode('x'.repeat(16));
  let left = length / 16;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left > 0) controller.enqueue(piece);
      else {
        controller.enqueue(new TextEncoder().encode('\n'));
        controller.close();
      }
      left -= 1;
    },
  });
  const format = { framing: 'lines', path: () => '', body: () => ({}), reader: () => () => [] } as const;
  const fetch = () => Promise.resolve(new Response(body));
  const model = openStreamedModel(format, { baseUrl: 'https://model.example', modelName: 'long', fetch });
  const { stream } = await model.doStream({ prompt: [] });
  const reader = stream.getReader();
  const { value } = await reader.read();
  expect(value?.type).toBe('error');
  expect((await reader.read()).done).toBe(true);
}

it('reads a long line in small pieces in linear time', async () => {
  await expectGrowthBelow(
    12,
    () => readLine(800_000),
    () => readLine(100_000),
  );
});

it.each(['ollama', 'anthropic', 'openai-compatible'])(
  'reads no more than a part of an endless error of %s',
  async (id) => {
    const piece = new TextEncoder().encode(`${'x'.repeat(65_535)}\n`);
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        if (pieces < 200) controller.enqueue(piece);
        else controller.close();
      },
    });
    const fetch = (url: string) =>
      Promise.resolve(/\/api\/(?:show|ps)$/.test(url) ? new Response('{}') : new Response(body, { status: 422 }));
    const model = modelAt('https://model.example/v1', rowOf(id), { modelName: 'endless', transport: { fetch } });
    expect(failureIn(await ask(model))?.kind).toBe('protocol');
    expect(pieces).toBeLessThan(30);
  },
);
