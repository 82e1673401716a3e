/** read_server_resource: offered where a server has resources, and asked of the server that the call names. */
import { chatToolsOf } from '../../../../src/core/context/chat-tools';
import { succeed } from '../../../../src/core/ports/failure';
import { tools } from '../../../../src/core/tools';
import { readServerResource } from '../../../../src/core/tools/read-server-resource';
import type { ToolContext } from '../../../../src/core/tools/tool';
import { words } from '../../../../src/text';

import { mcpBench, scriptedServer } from '../mcp/mcp-bench';

const never = new AbortController().signal;
const resource = { name: 'a', uri: 'demo://a' };
const withResource = { tools: [], prompts: [], resources: [resource] };

it('read_server_resource is offered only next to a server that has resources', async () => {
  const bench = mcpBench({ a: scriptedServer({ offer: withResource }) });
  const names = (): string[] => chatToolsOf({ tools, servers: bench.servers }).map(({ name }) => name);
  expect(names()).not.toContain('read_server_resource');
  await bench.allow('a');
  expect(names()).toContain('read_server_resource');
  expect(bench.servers.resources()).toEqual([{ server: 'a', ...resource }]);
});

it('read_server_resource names the server and the address in the question, and reads what the server sends', async () => {
  const read = { text: 'The text of a.', sources: [], untrustedSource: 'a' };
  const asked: string[] = [];
  const place = {
    serverResources: {
      findResource: (server: string, uri: string) =>
        succeed({ server, url: 'https://a.example/mcp', title: uri, refusal: () => Promise.resolve(null) }),
      readResource: (server: string, uri: string) => {
        asked.push(`${server} ${uri}`);
        return Promise.resolve(succeed(read));
      },
    },
  } as unknown as ToolContext;
  const args = { server: 'a', uri: 'demo://a' };
  expect(readServerResource.networkOf?.(args, place)).toMatchObject({ value: { server: 'a', title: 'demo://a' } });
  expect(await readServerResource.run(args, undefined as never, never, place)).toEqual(succeed(read));
  expect(asked).toEqual(['a demo://a']);
});

it('read_server_resource says which servers it cannot ask', async () => {
  const bench = mcpBench({ a: scriptedServer({ offer: withResource }) });
  const read = await bench.servers.readResource('b', 'demo://a', never);
  expect(read).toMatchObject({ failure: { kind: 'not-found', words: words.servers.noResources('b') } });
  const early = await bench.servers.readResource('a', 'demo://a', never);
  expect(early).toMatchObject({ failure: { words: words.servers.noResources('a') } });
  await bench.allow('a');
  const other = await bench.servers.readResource('b', 'demo://a', never);
  expect(other).toMatchObject({ failure: { words: words.servers.noResources('b') } });
  const args = { server: 'a', uri: 'demo://a' };
  expect(await readServerResource.run(args, undefined as never, never, {} as ToolContext)).toMatchObject({ ok: false });
});
