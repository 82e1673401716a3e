/** @jest-environment jsdom */
/** What the log of a chat says of changes when two devices have settled the same ones. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { SessionEntry } from '../../../../../src/core/session/entry';
import { foldChanges } from '../../../../../src/core/writing/changeset/change-log';
import { digest } from '../../../../support/memory-ports';
import { call, finish, type Step, say } from '../../../../support/scripted-model';
import { writingChat } from '../../../../support/writing-chat';
import { mergeShards } from '../../../../support/merge-shards';

afterEach(closeTestApps);

const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];

/** The log of a chat that applied two changes, and then proposed another one. */
async function entriesOfTwoTurns(): Promise<readonly SessionEntry[]> {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First line.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(
      call('e', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
      call('n', 'create_note', { path: 'New', text: 'New.\n' }),
    ),
    done,
    calls(call('l', 'create_note', { path: 'Late', text: 'Late.\n' })),
    done,
  );
  await bench.ask('Go.');
  await bench.chat.changes?.apply();
  await bench.ask('One more.');
  const shards = [...bench.store.logs.values()].flatMap((logs) => [...logs].map(([name, text]) => ({ name, text })));
  return mergeShards(shards, digest).entries;
}

it('counts once what two devices settled, and keeps what waits by then', async () => {
  const entries = await entriesOfTwoTurns();
  const settled = entries.filter(({ kind }) => kind === 'changes-settled');
  expect(settled).toHaveLength(1);
  const once = foldChanges(entries, digest);
  expect(once.settled.map(({ applied }) => applied.length)).toEqual([2]);
  expect(once.pending?.changes.map(({ to }) => to)).toEqual(['Late.md']);
  const place = entries.findIndex(({ kind }) => kind === 'changes-settled') + 1;
  const doubled = foldChanges([...entries.slice(0, place), ...settled, ...entries.slice(place)], digest);
  expect(doubled).toEqual(once);
  expect(foldChanges([...entries, ...settled], digest)).toEqual(once);
});

it('takes the settlement that can be undone, whichever came first', async () => {
  const entries = await entriesOfTwoTurns();
  const place = entries.findIndex(({ kind }) => kind === 'changes-settled');
  const real = entries[place];
  if (real?.kind !== 'changes-settled') throw new Error('Nothing was settled.');
  const seen = { ...real, results: real.results.map((result) => ({ ...result, operations: [] })) };
  const tips = (given: readonly SessionEntry[]): number[] =>
    foldChanges(given, digest).settled.flatMap(({ applied }) => applied.map((each) => each.tips.length));
  const [before, after] = [entries.slice(0, place), entries.slice(place + 1)];
  expect(tips([...before, seen, ...after])).toEqual([0, 0]);
  expect(tips([...before, seen, real, ...after])).toEqual([1, 1]);
  expect(tips([...before, real, seen, ...after])).toEqual([1, 1]);
});
