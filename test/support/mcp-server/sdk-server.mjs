// A server made with the official SDK, for a process of its own: `node sdk-server.mjs sessions|stateless` prints its
// address. With sessions it numbers its events, sends the empty first one, and can be polled (revision 2025-11-25).
// `/state` says which calls were stopped, and how its questions were answered.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod/v4';
import { boatForm, greeting, onePixel, text } from './sdk-offer.mjs';

const [, , mode = 'sessions'] = process.argv;

let cancelled = 0;
let late = 0;
const answers = [];

function makeServer() {
  const server = new McpServer({ name: 'sdk', version: '1' }, { instructions: 'Look before you leap.' });
  const tool = (name, config, run) => server.registerTool(name, { description: `The tool ${name}.`, ...config }, run);
  tool('echo', { inputSchema: { said: z.string() } }, ({ said }) => ({ content: [text(said)] }));
  tool('rows', { outputSchema: { rows: z.array(z.number()) } }, () => ({
    content: [text('See the structured content.')],
    structuredContent: { rows: [11, 22, 33] },
  }));
  tool('same', { outputSchema: { high: z.string() } }, () => ({
    content: [text('{"high":"14:20"}')],
    structuredContent: { high: '14:20' },
  }));
  tool('picture', {}, () => ({
    content: [text('Here it is.'), { type: 'image', mimeType: 'image/png', data: onePixel }],
  }));
  tool('large', { inputSchema: { kilobytes: z.number() } }, ({ kilobytes }) => ({
    content: [text(`The beginning. ${'x'.repeat(kilobytes * 1024)}`)],
  }));
  tool('poll', {}, async ({ closeSSEStream }) => {
    closeSSEStream?.();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { content: [text('after the stream was closed')] };
  });
  tool('add-tool', {}, () => {
    late += 1;
    server.registerTool(`late-${late}`, { description: 'A late tool.' }, () => ({ content: [text('late')] }));
    return { content: [text('added')] };
  });
  tool('add-resource', {}, () => {
    server.registerResource('late', 'demo://late', {}, () => ({ contents: [{ uri: 'demo://late', text: 'late' }] }));
    return { content: [text('added')] };
  });
  const stepping = { steps: z.number(), pause: z.number().optional() };
  tool('steps', { inputSchema: stepping }, async ({ steps, pause = 0 }, { _meta, sendNotification, signal }) => {
    const progressToken = _meta?.progressToken;
    for (let progress = 1; progress <= steps && progressToken !== undefined; progress++) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (signal.aborted) {
        cancelled += 1;
        return { content: [] };
      }
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: steps, message: `step ${progress}` },
      });
    }
    return { content: [text(progressToken === undefined ? 'no progress was asked for' : 'done')] };
  });
  tool('cancelled', {}, () => ({ content: [text(`cancelled ${cancelled}`)] }));
  tool('ask', { annotations: { readOnlyHint: true, title: 'Ask the user' } }, async () => {
    const { action, content } = await server.server.elicitInput({
      message: 'Which boat?',
      requestedSchema: { type: 'object', properties: { boat: { type: 'string' } }, required: ['boat'] },
    });
    return { content: [text(action === 'accept' ? `The boat is ${content.boat}.` : 'No boat.')] };
  });
  tool('fill-in', {}, async () => {
    const answer = await server.server.elicitInput(boatForm);
    answers.push(answer);
    return { content: [text(`The form: ${answer.action}.`)] };
  });
  tool('open-page', {}, async () => {
    const page = { mode: 'url', message: 'Log in there.', url: 'https://example.com/login?boat=1', elicitationId: '1' };
    const { action } = await server.server.elicitInput(page);
    return { content: [text(action === 'accept' ? 'opened' : 'not opened')] };
  });
  server.registerResource('a', 'demo://a', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'demo://a', text: 'The text of a.' }],
  }));
  server.registerPrompt('plain', { description: 'Without arguments.' }, () => ({
    messages: [
      { role: 'user', content: text('Plan a watch.') },
      { role: 'assistant', content: text('Which night?') },
    ],
  }));
  server.registerPrompt('greet', { argsSchema: { who: z.string() } }, greeting);
  return server;
}

/** Keeps events so that a stream can be taken up again. */
function makeEventStore() {
  const events = [];
  return {
    storeEvent(streamId, message) {
      events.push({ id: `${streamId}_${events.length}`, streamId, message });
      return Promise.resolve(events.at(-1).id);
    },
    getStreamIdForEventId: (eventId) => Promise.resolve(events.find(({ id }) => id === eventId)?.streamId),
    async replayEventsAfter(lastId, { send }) {
      const last = events.findIndex(({ id }) => id === lastId);
      const { streamId } = events[last];
      for (const event of events.slice(last + 1)) {
        if (event.streamId === streamId && Object.keys(event.message).length > 0) await send(event.id, event.message);
      }
      return streamId;
    },
  };
}

const sessions = new Map();

async function transportFor(request) {
  const session = request.headers['mcp-session-id'];
  if (session !== undefined) return sessions.get(session) ?? null;
  const transport = new StreamableHTTPServerTransport(
    mode === 'stateless'
      ? { sessionIdGenerator: undefined, enableJsonResponse: true }
      : {
          sessionIdGenerator: () => randomUUID(),
          eventStore: makeEventStore(),
          retryInterval: 50,
          onsessioninitialized: (id) => void sessions.set(id, transport),
        },
  );
  await makeServer().connect(transport);
  return transport;
}

const server = createServer((request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  response.setHeader('access-control-allow-methods', '*');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (request.url === '/state') return void response.end(JSON.stringify({ cancelled, answers }));
  transportFor(request).then(
    (transport) => (transport === null ? response.writeHead(404).end() : transport.handleRequest(request, response)),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
