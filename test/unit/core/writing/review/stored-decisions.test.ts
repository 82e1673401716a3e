/** @jest-environment jsdom */
/** A review that is half decided when the app is closed: what the user rejected stays rejected. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { succeed } from '../../../../../src/core/ports/failure';
import type { UnsavedTexts } from '../../../../../src/core/ports/device';
import type { ReviewedChange } from '../../../../../src/core/writing/review/review';
import { eventually } from '../../../eventually';
import { call, finish, say, type Step } from '../../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../../support/writing-chat';

afterEach(closeTestApps);
passTimeQuickly();

const plan = 'First.\n\n\n\nSecond.\n\n\n\nThird.\n';
const files = { 'Plan.md': plan, 'Crew.md': 'Rui.\n', 'Waste.md': 'Rubbish.\n' };
const edit = (id: string, path: string, oldText: string, newText: string): Step =>
  call(id, 'edit_note', { path, oldText, newText });
const proposal: readonly Step[][] = [
  [...Object.keys(files).map((path) => call(path, 'read_note', { path })), finish('tool-calls')],
  [
    ...[edit('a', 'Plan.md', 'First', 'One'), edit('b', 'Plan.md', 'Second', 'Two')],
    ...[edit('c', 'Plan.md', 'Third', 'Three'), edit('d', 'Crew.md', 'Rui', 'Mia')],
    ...[call('e', 'delete_note', { path: 'Waste.md' }), finish('tool-calls')],
  ],
  [say('Done.'), finish()],
];

interface Bench {
  readonly bench: WritingChat;
  readonly stored: Map<string, string>;
}

async function proposed(): Promise<Bench> {
  const stored = new Map<string, string>();
  const unsaved: UnsavedTexts = {
    read: (key) => Promise.resolve(stored.get(key) ?? null),
    write: (key, text) => {
      if (text === null) stored.delete(key);
      else stored.set(key, text);
      return Promise.resolve(succeed(undefined));
    },
  };
  const bench = await writingChat({ files, morePorts: { unsaved } }, ...proposal);
  await bench.ask('Go.');
  return { bench, stored };
}

const changesIn = ({ chat }: WritingChat): readonly ReviewedChange[] => chat.current.reviews?.[0]?.changes ?? [];
const decisionsIn = (bench: WritingChat) =>
  Object.fromEntries(changesIn(bench).map(({ change, decision }) => [change.from, decision]));
const changeOf = (bench: WritingChat, path: string): string =>
  changesIn(bench).find(({ change }) => change.from === path)?.change.id ?? '';
const isDecided = (bench: WritingChat): boolean => changesIn(bench).some(({ decision }) => decision.hunks !== 'all');

it('has the same decisions after a restart, and applies what was accepted alone', async () => {
  const { bench, stored } = await proposed();
  const { changes } = bench.chat;
  changes?.decide(changeOf(bench, 'Plan.md'), { hunk: 1 }, false, 'Wait.');
  changes?.decide(changeOf(bench, 'Waste.md'), 'all', false);
  const before = decisionsIn(bench);
  expect(before['Plan.md']).toEqual({ hunks: [0, 2], move: true, reason: 'Wait.' });
  const again = await bench.reopen();
  await eventually(() => isDecided(again), 'what was decided');
  expect(decisionsIn(again)).toEqual(before);
  expect(await again.chat.changes?.apply()).toEqual({ ok: true, value: undefined });
  expect([await again.read('Plan.md'), await again.read('Crew.md'), await again.read('Waste.md')]).toEqual([
    ...['One.\n\n\n\nSecond.\n\n\n\nThree.\n', 'Mia.\n', 'Rubbish.\n'],
  ]);
  expect([...stored.keys()].filter((key) => key.startsWith('decisions'))).toEqual([]);
});

it('keeps them for a note that is renamed, and what is decided at once', async () => {
  const { bench } = await proposed();
  bench.chat.changes?.decide(changeOf(bench, 'Plan.md'), { hunk: 0 }, false);
  bench.chat.changes?.decide(changeOf(bench, 'Crew.md'), 'all', false);
  const file = bench.app.vault.getFileByPath('Plan.md');
  if (file !== null) await bench.app.fileManager.renameFile(file, 'Scheme.md');
  await eventually(() => changeOf(bench, 'Scheme.md') !== '', 'the change at its new place');
  const again = await bench.reopen();
  again.chat.changes?.decide(changeOf(again, 'Crew.md'), 'all', true);
  await eventually(() => isDecided(again), 'what was decided');
  expect(decisionsIn(again)).toEqual({
    'Scheme.md': { hunks: [1, 2], move: true },
    'Crew.md': { hunks: 'all', move: true },
    'Waste.md': { hunks: 'all', move: true },
  });
});

it.each([
  ['of another proposal', (text: string) => text.replace(/"of":"[0-9a-f]{4}/, '"of":"zzzz')],
  ['of other hunks', (text: string) => text.replace(/"start":\d+/, '"start":1')],
  ['in another shape', (text: string) => text.replace('"move":true', '"move":"yes"')],
  ['cut off', (text: string) => text.slice(0, -9)],
])('takes decisions %s for none', async (_what, spoil) => {
  const { bench, stored } = await proposed();
  bench.chat.changes?.decide(changeOf(bench, 'Plan.md'), { hunk: 1 }, false);
  const key = [...stored.keys()].find((each) => each.startsWith('decisions')) ?? '';
  const text = stored.get(key) ?? '';
  expect(spoil(text)).not.toBe(text);
  stored.set(key, spoil(text));
  const again = await bench.reopen();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(Object.values(decisionsIn(again))).toEqual(Array(3).fill({ hunks: 'all', move: true }));
});
