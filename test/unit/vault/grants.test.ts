/** @jest-environment jsdom */
/** Leave to edit a note again without asking: one note, one open chat, and nothing that the policy always asks about. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import { call, finish, say, type Step } from '../../support/scripted-model';
import { writingChat, type WritingChat, type WritingChatOptions } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = {
  'Crew.md': '# Crew\n\nRui steers.\n\nMhairi bails.\n\nPawel sings.\n',
  'Boat.md': 'Clinker.\n',
  'Web.md': '---\nurl: https://example.org\n---\nClipped.\n',
};
const options: WritingChatOptions = { files };
const done: Step[] = [say('Done.'), finish()];
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const reading = calls(
  ...Object.keys(files)
    .slice(0, 2)
    .map((path, at) => call(`r${at}`, 'read_note', { path })),
);
let count = 0;
const edit = (path: string, oldText: string, newText: string): Step[] =>
  calls(call(`e${(count += 1)}`, 'edit_note', { path, oldText, newText }));

const review = ({ chat }: WritingChat) => chat.current.reviews?.at(-1);

async function granted(...later: Step[][]): Promise<WritingChat> {
  const bench = await writingChat(options, reading, edit('Crew.md', 'Rui steers.', 'Rui rows.'), done, ...later);
  await bench.ask('First.');
  const change = review(bench)!.changes[0]!;
  expect(change.granted).toBe(false);
  bench.chat.changes?.grant(change.change.id, true);
  expect(review(bench)!.changes[0]!.granted).toBe(true);
  expect(await bench.chat.changes?.apply()).toEqual({ ok: true, value: undefined });
  return bench;
}

it('applies a further edit of the same note, and asks about another', async () => {
  const bench = await granted(
    edit('Crew.md', 'Mhairi bails.', 'Mhairi steers.'),
    edit('Boat.md', 'Clinker.', 'Carvel.'),
    done,
  );
  await bench.ask('Go on.');
  expect(await bench.read('Crew.md')).toBe('# Crew\n\nRui rows.\n\nMhairi steers.\n\nPawel sings.\n');
  expect(await bench.read('Boat.md')).toBe('Clinker.\n');
  expect(
    review(bench)
      ?.changes.filter(({ state }) => state === 'waiting')
      .map(({ change }) => change.from),
  ).toEqual(['Boat.md']);
});

it.each([
  ['moves', calls(call('m', 'move_note', { path: 'Crew.md', newPath: 'Hands.md' }))],
  ['deletes', calls(call('d', 'delete_note', { path: 'Crew.md' }))],
  ['takes most of it away', edit('Crew.md', 'Rui rows.\n\nMhairi bails.\n\nPawel sings.', 'Nobody.')],
  ['plants code that runs', edit('Crew.md', 'Mhairi bails.', '```dataviewjs\nx\n```')],
])('asks all the same when the agent %s', async (_name, step) => {
  const bench = await granted(step, done);
  await bench.ask('Go on.');
  expect(await bench.read('Crew.md')).toBe('# Crew\n\nRui rows.\n\nMhairi bails.\n\nPawel sings.\n');
  expect(review(bench)?.state).toBe('waiting');
});

it('asks all the same once text from others is in view', async () => {
  const web = calls(call('w', 'read_note', { path: 'Web.md' }));
  const bench = await granted(web, edit('Crew.md', 'Mhairi bails.', 'Mhairi steers.'), done);
  await bench.ask('Go on.');
  expect(await bench.read('Crew.md')).toContain('Mhairi bails.');
  expect(review(bench)?.changes[0]?.granted).toBeNull();
});

it('H11 is in no file and gone with the chat', async () => {
  const first = await granted();
  expect(JSON.stringify([...first.store.logs.values()].map((shards) => [...shards]))).not.toMatch(/grant/i);
  const second = await first.reopen(
    calls(call('r', 'read_note', { path: 'Crew.md' })),
    edit('Crew.md', 'Mhairi bails.', 'Mhairi steers.'),
    done,
  );
  await second.ask('Go on.');
  expect(await second.read('Crew.md')).toContain('Mhairi bails.');
});

it('applies nothing that was approved more than ten minutes before it could be written', async () => {
  const bench = await writingChat(options, reading, edit('Crew.md', 'Rui steers.', 'Rui rows.'), done);
  await bench.ask('First.');
  const start = Date.now();
  let release: () => void = () => undefined;
  void bench.writing.ports.queue.run(() => new Promise<void>((resolve) => (release = resolve)));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const applying = bench.chat.changes!.apply();
  jest.spyOn(Date, 'now').mockReturnValue(start + 600_500);
  release();
  expect(bench.chat.isIdle).toBe(false);
  const outcome = await applying;
  jest.restoreAllMocks();
  expect(bench.chat.isIdle).toBe(true);
  expect(!outcome.ok && outcome.failure.words).toBe(words.writing.approvalExpired);
  expect(await bench.read('Crew.md')).toBe(files['Crew.md']);
  expect(review(bench)?.state).toBe('waiting');
  expect((await bench.chat.changes!.apply()).ok).toBe(true);
});
