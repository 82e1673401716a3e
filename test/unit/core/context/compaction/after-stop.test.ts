/** What was stopped while context was freed changes nothing any more, in windows of every size. */
import { until } from '../../../../support/chat-bench';
import { askUntilSummarising, entriesOf, longBench, stored, wordyModel } from './long-chat';

const tick = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

it.each([4_096, 8_192, 16_384, 40_000])('R240 in a window of %i tokens', async (contextWindow) => {
  const bench = longBench(wordyModel(contextWindow / 8_192, { contextWindow, outputLimit: contextWindow / 8 }));
  const chat = await askUntilSummarising(bench);
  const before = entriesOf(bench);
  chat.stop();
  await until(chat, ({ running }) => !running);
  await tick(100);
  expect(entriesOf(bench).slice(before.length)).toEqual([]);
  expect(stored(bench, 'summary')).toEqual([]);
});

it('R240 R251 saves no state once a hook that is asked first was stopped', async () => {
  const bench = longBench(wordyModel(2));
  const saved: string[] = [];
  bench.settings = { ...bench.settings, saveStateFirst: true };
  bench.states = {
    save: (name) => {
      saved.push(name);
      return Promise.resolve({ ok: true, value: 'Docent/states/x.md' });
    },
  };
  const chat = await bench.open();
  await chat.send('Question 1 about the boat?', []);
  await until(chat, ({ running }) => !running);
  let asked = false;
  bench.hooks.register({
    id: 'watch',
    label: 'Watch',
    preCompress: (_event, signal) =>
      new Promise((resolve) => {
        asked = true;
        signal.addEventListener('abort', () => resolve(undefined));
      }),
  });
  const drafting = chat.summarise({});
  while (!asked) await tick(1);
  chat.stop();
  expect(await drafting).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
  await tick(20);
  expect(saved).toEqual([]);
});
