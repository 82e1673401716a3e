/** @jest-environment node */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { McpConnection } from '../../../src/core/ports/network';
import { lineTo, never, valueOf } from './harness';

/** Time as it passes, because these servers answer when they want. */
const timing = {
  after(milliseconds: number, act: () => void): () => void {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

describe.each(['sessions', 'stateless'])('a server of the official SDK, %s', (mode) => {
  let child: ChildProcess;
  let line: McpConnection;

  beforeAll(async () => {
    child = spawn(process.execPath, [path.resolve('test/support/mcp-server/sdk-server.mjs'), mode]);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (data: Buffer) => resolve(String(data).trim()));
      child.stderr?.on('data', (data: Buffer) => reject(new Error(String(data))));
    });
    line = await lineTo(url, { timing });
  });
  afterAll(() => {
    line.close();
    child.kill();
  });

  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
    valueOf(await line.callTool(name, args, never)).text;

  it('lists what it has', async () => {
    const { tools, prompts, resources } = valueOf(await line.readCatalog(never));
    expect(tools.map(({ name }) => name)).toEqual([
      'add-resource',
      'add-tool',
      'echo',
      'large',
      'picture',
      'poll',
      'rows',
      'same',
      'steps',
    ]);
    expect(prompts.map(({ name }) => name)).toContain('plain');
    expect(resources).toEqual([{ name: 'a', uri: 'demo://a' }]);
  });

  it('answers a call', async () => {
    expect(await call('echo', { said: 'tea' })).toBe('tea');
  });

  it('sends structured content once, whether or not its text repeats it', async () => {
    expect(await call('rows')).toBe('See the structured content.\n\n{"rows":[11,22,33]}');
    expect(await call('same')).toBe('{"high":"14:20"}');
  });

  it('is answered in part by what is too large to be taken whole', async () => {
    expect((await call('large', { kilobytes: 400 })).slice(0, 14)).toBe('The beginning.');
  });

  it('answers after its stream was closed', async () => {
    expect(await call('poll')).toBe('after the stream was closed');
  });
});
