// A server made with the official SDK for the revision 2026-07-28, which has no sessions, for a process of its own:
// `node stateless-server.mjs modern|dual` prints its address. `dual` serves clients of earlier revisions too. `/state`
// says which calls were stopped, and how its questions were answered.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { boatForm, greeting, onePixel, text } from './sdk-offer.mjs';

const [, , mode = 'modern'] = process.argv;
const cancelled = [];
const late = [];
const lateResources = [];
const answers = [];

function makeServer() {
  const server = new McpServer(
    { name: 'stateless', version: '1' },
    {
      instructions: 'Look before you leap.',
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
    },
  );
  const tool = (name, config, run) => server.registerTool(name, { description: `The tool ${name}.`, ...config }, run);
  const nothing = z.object({});
  tool('echo', { inputSchema: z.object({ said: z.string() }) }, ({ said }) => ({ content: [text(said)] }));
  tool('rows', { inputSchema: nothing }, () => ({
    content: [text('See the structured content.')],
    structuredContent: { rows: [11, 22, 33] },
  }));
  tool('picture', { inputSchema: nothing }, () => ({
    content: [text('Here it is.'), { type: 'image', mimeType: 'image/png', data: onePixel }],
  }));
  tool('steps', { inputSchema: z.object({ steps: z.number(), pause: z.number().optional() }) }, async (args, ctx) => {
    const { steps, pause = 0 } = args;
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= steps; progress++) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (ctx.mcpReq.signal.aborted) {
        cancelled.push(progress);
        return { content: [] };
      }
      const params = { progressToken, progress, total: steps, message: `step ${progress}` };
      if (progressToken !== undefined) await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [text('done')] };
  });
  tool('cancelled', { inputSchema: nothing }, () => ({ content: [text(`cancelled ${cancelled.length}`)] }));
  tool('ask', { inputSchema: nothing, annotations: { readOnlyHint: true, title: 'Ask the user' } }, (_args, ctx) => {
    const given = acceptedContent(ctx.mcpReq.inputResponses, 'boat');
    if (given !== undefined) return { content: [text(`The boat is ${given.boat}.`)] };
    if (ctx.mcpReq.inputResponses !== undefined) return { content: [text('No boat.')] };
    return inputRequired({
      inputRequests: {
        boat: inputRequired.elicit({
          message: 'Which boat?',
          requestedSchema: { type: 'object', properties: { boat: { type: 'string' } }, required: ['boat'] },
        }),
      },
    });
  });
  tool('fill-in', { inputSchema: nothing }, (_args, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.form;
    if (answer === undefined) return inputRequired({ inputRequests: { form: inputRequired.elicit(boatForm) } });
    answers.push(answer);
    return { content: [text(`The form: ${answer.action}.`)] };
  });
  tool('open-page', { inputSchema: nothing }, (_args, ctx) => {
    if (ctx.mcpReq.inputResponses !== undefined) return { content: [text('opened')] };
    const page = { message: 'Log in there.', url: 'https://example.com/login?boat=1' };
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) } });
  });
  tool('add-tool', { inputSchema: nothing }, () => {
    late.push(`late-${late.length}`);
    handler.notify.toolsChanged();
    return { content: [text('added')] };
  });
  tool('add-resource', { inputSchema: nothing }, () => {
    lateResources.push(`late-${lateResources.length}`);
    handler.notify.resourcesChanged();
    return { content: [text('added')] };
  });
  for (const name of lateResources) {
    const contents = [{ uri: `demo://${name}`, text: 'late' }];
    server.registerResource(name, `demo://${name}`, {}, () => ({ contents }));
  }
  for (const name of late) tool(name, { inputSchema: nothing }, () => ({ content: [text('late')] }));
  server.registerResource('a', 'demo://a', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'demo://a', text: 'The text of a.' }],
  }));
  server.registerResource(
    'of-day',
    new ResourceTemplate('demo://day/{day}', { list: undefined }),
    {},
    (uri, { day }) => ({
      contents: [{ uri: uri.href, text: `The day ${day}.` }],
    }),
  );
  server.registerPrompt('greet', { argsSchema: z.object({ who: z.string() }) }, greeting);
  return server;
}

const handler = createMcpHandler(makeServer, { legacy: mode === 'dual' ? 'stateless' : 'reject', keepAliveMs: 0 });

async function serve(request, response) {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const hasBody = request.method === 'POST';
  const answer = await handler.fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method,
      headers: Object.entries(request.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, `${value}`]],
      ),
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
      signal: left.signal,
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  Readable.fromWeb(answer.body)
    .on('error', () => response.destroy())
    .pipe(response);
}

const server = createServer((request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  response.setHeader('access-control-allow-methods', '*');
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (request.url === '/state') return void response.end(JSON.stringify({ cancelled: cancelled.length, answers }));
  serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
