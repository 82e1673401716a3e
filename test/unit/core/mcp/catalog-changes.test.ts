/** What becomes of a catalog of which its server says that it has changed, once or without pause. */
import { mcpBench, offerOf, scriptedServer } from './mcp-bench';

/** Lets everything that is under way end. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

async function open() {
  const script = scriptedServer();
  const bench = mcpBench({ a: script });
  await bench.allow('a');
  bench.clock.advance(10_000);
  const say = async (): Promise<void> => {
    script.changed?.();
    await settle();
  };
  return { script, bench, say };
}

it('is read again at once, so that the user hears of it before the next call', async () => {
  const { script, bench, say } = await open();
  script.offer = offerOf('look', 'more');
  await say();
  expect(script.lists).toBe(2);
  expect(bench.servers.statuses()[0]).toMatchObject({ state: 'ready', hasChanged: true });
  expect(bench.servers.tools().map(({ name }) => name)).toEqual(['a_look']);
});

it('F34 is read at most every two seconds, however often the server says so', async () => {
  const { script, bench, say } = await open();
  for (let time = 0; time < 5; time++) {
    for (let notice = 0; notice < 40; notice++) await say();
    expect(script.lists).toBe(2 + time);
    bench.clock.advance(2_000);
  }
});

it('F34 is read again before a call if the server said so in between', async () => {
  const { script, bench, say } = await open();
  await say();
  script.offer = offerOf('look', 'more');
  await say();
  expect(script.lists).toBe(2);
  const [tool] = bench.servers.tools();
  expect(await tool?.network?.refusal(new AbortController().signal)).toBeNull();
  expect(script.lists).toBe(3);
  expect(bench.servers.statuses()[0]).toMatchObject({ hasChanged: true });
});

it('does not matter to a connection that was closed', async () => {
  const { script, bench, say } = await open();
  bench.servers.close();
  await say();
  expect(script.lists).toBe(1);
});
