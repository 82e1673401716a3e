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

it('is read again after a pause if the server said so soon after a reading, before any call', async () => {
  const { script, bench, say } = await open();
  await say();
  script.offer = offerOf('look', 'more');
  await say();
  await say();
  expect([script.lists, bench.timers.size]).toEqual([2, 1]);
  bench.clock.advance(2_000);
  await settle();
  expect([script.lists, bench.timers.size]).toEqual([3, 0]);
  expect(bench.servers.statuses()[0]).toMatchObject({ state: 'ready', hasChanged: true });
  // A call has read it by the time that the pause ends.
  await say();
  const [tool] = bench.servers.tools();
  await tool?.network?.refusal(new AbortController().signal);
  bench.clock.advance(2_000);
  await settle();
  expect([script.lists, bench.timers.size]).toEqual([4, 0]);
});

it('is read ever more seldom if the server says so after each reading', async () => {
  const { script, bench, say } = await open();
  await say();
  for (let [second, heard] = [0, 0]; second < 600; second += 1) {
    if (script.lists > heard) await say();
    heard = script.lists;
    bench.clock.advance(1_000);
    await settle();
  }
  expect(script.lists).toBeLessThan(20);
  script.offer = offerOf('look', 'more');
  bench.clock.advance(60_000);
  await settle();
  const { lists } = script;
  await say();
  bench.clock.advance(2_000);
  await settle();
  expect(script.lists).toBe(lists + 1);
});

it('is read again if the server said so while a long reading was under way', async () => {
  const { script, bench, say } = await open();
  let end = (): void => undefined;
  script.listing = new Promise((resolve) => (end = resolve));
  await say();
  bench.clock.advance(5_000);
  await say();
  script.offer = offerOf('look', 'more');
  end();
  await settle();
  bench.clock.advance(2_000);
  await settle();
  expect(script.lists).toBe(3);
  expect(bench.servers.statuses()[0]).toMatchObject({ hasChanged: true });
});

it('F34 is read again before a call if the server said so while it was being read', async () => {
  const { script, bench } = await open();
  script.changed?.();
  script.changed?.();
  await settle();
  expect(script.lists).toBe(2);
  script.offer = offerOf('more');
  const [tool] = bench.servers.tools();
  expect((await tool?.network?.refusal(new AbortController().signal))?.kind).toBe('refused');
  expect(script.lists).toBe(3);
});

it('does not matter to a connection that was closed', async () => {
  const { script, bench, say } = await open();
  await say();
  await say();
  bench.servers.close();
  await say();
  expect([script.lists, bench.timers.size]).toEqual([2, 0]);
});
