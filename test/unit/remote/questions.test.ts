/**
 * What a server asks the user during a call: questions that are shown as they are meant, and those that cannot be, which
 * get no decision and leave a sentence in the result.
 *
 * @jest-environment node
 */
import type { McpQuestion, McpReply } from '../../../src/core/ports/network';
import { words } from '../../../src/text';
import { type ScriptedMcpServer, startMcpServer } from '../../support/mcp-server';
import { failureOf, lineTo, never, valueOf } from './harness';

let server: ScriptedMcpServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

const tools = [{ name: 'look', result: { content: [{ type: 'text', text: 'Seen.' }] } }];
const text = { type: 'string' };
const formOf = (properties: unknown) => ({
  ...{ mode: 'form', message: 'Which?' },
  requestedSchema: { type: 'object', properties },
});

/** Has a server ask this during a call; returns what was asked of the user, what the server got, and the result. */
async function askDuringCall(params: object, reply: McpReply = { action: 'decline' }) {
  const ask = { jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params };
  server.set({ tools });
  const line = await lineTo(server.url);
  server.set({ tools, behaviours: { 'tools/call': { before: [ask], awaits: 'ask' } } });
  const asked: McpQuestion[] = [];
  const answer = await line.callTool('look', {}, never, {
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(reply);
    },
  });
  line.close();
  const got = server.requests.find(({ message }) => message?.id === 'ask')?.message?.result;
  return { asked, got, answer };
}

it.each<McpReply>([{ action: 'accept', content: { a: 'x' } }, { action: 'decline' }, { action: 'cancel' }])(
  'gets what the user answered: %j',
  async (reply) => {
    const { asked, got, answer } = await askDuringCall(formOf({ a: text }), reply);
    expect(asked).toMatchObject([{ kind: 'form', message: 'Which?', fields: [{ name: 'a', type: 'text' }] }]);
    expect(got).toEqual(reply);
    expect(valueOf(answer).text).toBe('Seen.');
  },
);

const many = (count: number, value: (at: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, value(at)]));
const choices = (count: number): object => ({
  type: 'string',
  enum: Array.from({ length: count }, (_, at) => `${at}`),
});

it.each<[string, object]>([
  ['5,000 fields', formOf(many(5_000, () => text))],
  ['one field more than a form holds', formOf(many(25, () => text))],
  ['a field in a field', formOf({ a: { type: 'object', properties: { b: text } } })],
  ['a field that is none', formOf({ a: 'string' })],
  ['101 choices', formOf({ a: choices(101) })],
  ['a name without end', formOf({ [`a${'x'.repeat(3_000)}`]: text })],
  ['a choice without end', formOf({ a: { type: 'string', enum: ['x'.repeat(3_000)] } })],
  ['no schema', { mode: 'form', message: 'Which?' }],
  ['a mode of its own', { mode: 'voice', message: 'Which?' }],
  ['a page that is none', { mode: 'url', message: 'Open it.', url: 'javascript:alert(1)' }],
  ['a page with a password', { mode: 'url', message: 'Open it.', url: 'https://a:b@example.com/' }],
])('F34 with %s is not shown, and that is said in the result', async (_what, params) => {
  const { asked, got, answer } = await askDuringCall(params, { action: 'accept', content: {} });
  expect([asked, got]).toEqual([[], { action: 'cancel' }]);
  expect(valueOf(answer).text).toBe(`${words.remote.questionLeftOut}\n\nSeen.`);
});

it('F34 nested 10,000 deep ends the call in words, and the next one works', async () => {
  server.set({ tools });
  const line = await lineTo(server.url);
  const nested = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const ask = { jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: formOf('deep') };
  const raw = `data: ${JSON.stringify(ask).replace('"deep"', nested)}\n\n`;
  server.set({ tools, behaviours: { 'tools/call': { raw, type: 'text/event-stream' } } });
  expect(failureOf(await line.callTool('look', {}, never))).toMatchObject({
    words: words.remote.broken('library'),
    remedy: words.remote.mayHaveRunRemedy,
  });
  server.set({ tools });
  expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Seen.');
  line.close();
});

it('is shown with 24 fields of 100 choices each', async () => {
  const { asked } = await askDuringCall(formOf(many(24, () => choices(100))));
  expect(asked[0]?.kind === 'form' && asked[0].fields.map(({ options }) => options.length)).toEqual(
    Array<number>(24).fill(100),
  );
});
