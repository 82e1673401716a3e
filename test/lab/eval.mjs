// The experiment `eval`: has the tiny random model of a real llama.cpp play tasks of the eval, through a server of the
// OpenAI format. It can solve nothing: what is shown is that the eval works with a provider and never flatters.
import { createServer } from 'node:http';
import path from 'node:path';
import { importBundled, root } from '../../scripts/build/bundle-node.mjs';
import { openEngine } from './engine.mjs';

const tasks = ['dose', 'dentist', 'crew', 'link'];
/** Tokens of an answer. */
const longest = 48;

/** @returns what `npm run eval -- --json` prints for these tasks */
export async function measure({ progress }) {
  const engine = await openEngine();
  const server = await serve(engine);
  const { runEval } = await importBundled('test/bench/over-a-vault.ts');
  const report = await runEval({
    ...{ provider: 'openai-compatible', model: 'tiny-random', key: '', only: tasks, window: 8_192, progress },
    ...{ demoVault: path.join(root, 'test/support/demo-vault'), baseUrl: server.url },
  });
  await server.close();
  await engine.close();
  return { engine: `llama.cpp of node-llama-cpp ${engine.version}`, ...report };
}

/** @returns the figures as lines for people */
export function print({ engine, model, passed, tasks: played }) {
  return [
    `${model} on ${engine}: ${passed} of ${played.length}`,
    ...played.map(({ id, reasons }) => `${id}: ${reasons.join('; ')}`),
  ].join('\n');
}

async function serve(engine) {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await read(request));
    const prompt = JSON.stringify(body.messages).slice(-4_000);
    const text = await engine.write(prompt, longest);
    const chunk = (choice, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice], ...more })}\n\n`,
      );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    chunk({ index: 0, delta: { role: 'assistant', content: text } });
    chunk(
      { index: 0, delta: {}, finish_reason: 'stop' },
      { usage: { prompt_tokens: prompt.length, completion_tokens: longest } },
    );
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/v1`, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
