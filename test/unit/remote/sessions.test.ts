/** @jest-environment node */
import { words } from '../../../src/text';
import { startMcpServer, type McpScript, type ScriptedMcpServer } from '../../support/mcp-server';
import { eventually } from '../eventually';
import { failureOf, lineTo, never, valueOf } from './harness';

let server: ScriptedMcpServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

const usual: McpScript = { tools: [{ name: 'look' }], session: true };
const methods = (): unknown[] => server.requests.map(({ message }) => message?.method);

describe('a session', () => {
  it('is named in every request behind the first, and ended with the line', async () => {
    server.set(usual);
    const line = await lineTo(server.url);
    valueOf(await line.callTool('look', {}, never));
    const [asked, first, ...others] = server.requests.map(({ headers }) => headers['mcp-session-id']);
    expect([asked, first]).toEqual([undefined, undefined]);
    expect(others).toEqual([others[0], others[0]]);
    expect(server.requests.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18');
    line.close();
    await eventually(() => server.ended.length === 1, 'the end of the session');
    expect(server.ended).toEqual([others[0]]);
  });

  it.each([404, 400])(
    'F34 that has expired, as a %d says, is begun anew once, and the call runs once',
    async (status) => {
      server.set(usual);
      const line = await lineTo(server.url);
      server.endSessions();
      server.set({ ...usual, expiredStatus: status });
      expect(valueOf(await line.callTool('look', { at: 'tea' }, never)).text).toContain('tea');
      expect(methods()).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call']);
      expect(server.calls).toHaveLength(1);
    },
  );

  it('F34 that expires again at once is a failure, not a circle', async () => {
    server.set(usual);
    const line = await lineTo(server.url);
    server.endSessions();
    server.set({ ...usual, behaviours: { 'tools/call': { status: 404 } } });
    expect(failureOf(await line.callTool('look', {}, never)).words).toBe(words.remote.expired('library'));
    expect(methods()).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call']);
  });

  it('F34 a call that is refused in a new session too was not refused for the session', async () => {
    server.set({ ...usual, behaviours: { 'tools/call': { status: 400 } } });
    const line = await lineTo(server.url);
    expect(failureOf(await line.callTool('look', {}, never)).words).toBe(words.remote.refused('library', 400));
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it('F34 a call that failed for another reason is not sent again in a new session', async () => {
    server.set({ ...usual, behaviours: { 'tools/call': { status: 422 } } });
    const line = await lineTo(server.url);
    expect(failureOf(await line.callTool('look', {}, never)).words).toBe(words.remote.refused('library', 422));
    expect(methods().filter((method) => method === 'tools/call' || method === 'initialize')).toEqual([
      'initialize',
      'tools/call',
    ]);
  });

  it('F34 that expires under several questions is begun anew once for all', async () => {
    server.set(usual);
    const line = await lineTo(server.url);
    server.endSessions();
    server.set(usual);
    const answers = await Promise.all([1, 2, 3, 4].map((at) => line.callTool('look', { at }, never)));
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true, true]);
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1);
    expect(server.calls).toHaveLength(4);
  });

  it('F34 that cannot be begun anew is a failure', async () => {
    server.set(usual);
    const line = await lineTo(server.url);
    server.endSessions();
    server.set({ ...usual, behaviours: { initialize: { status: 500 } } });
    expect(failureOf(await line.callTool('look', {}, never)).kind).toBe('overloaded');
    server.set(usual);
    expect(valueOf(await line.callTool('look', {}, never)).isError).toBe(false);
  });

  it('that has expired is renewed for the one who still waits when another has stopped', async () => {
    server.set(usual);
    const line = await lineTo(server.url);
    server.endSessions();
    server.set({ ...usual, behaviours: { initialize: { delay: 60 } } });
    const stop = new AbortController();
    const stopped = line.callTool('look', { at: 1 }, stop.signal);
    const waiting = line.callTool('look', { at: 2 }, never);
    await eventually(() => methods().includes('initialize'), 'the renewal');
    stop.abort();
    expect(failureOf(await stopped).kind).toBe('aborted');
    expect(valueOf(await waiting).isError).toBe(false);
    expect(server.calls).toEqual([{ name: 'look', args: { at: 2 } }]);
  });

  it('F34 with a name that no header can carry is not taken', async () => {
    const headers = { 'mcp-session-id': 'a b' };
    server.set({ tools: [{ name: 'look' }], behaviours: { initialize: { headers } } });
    const line = await lineTo(server.url);
    expect(valueOf(await line.callTool('look', {}, never)).isError).toBe(false);
    expect(server.requests.at(-1)?.headers['mcp-session-id']).toBeUndefined();
  });
});
