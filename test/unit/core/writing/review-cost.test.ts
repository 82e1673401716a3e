/** @jest-environment jsdom */
/** What a review of one line of a long note costs: its texts are looked through once, and not at every click. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { call, finish, say } from '../../../support/scripted-model';
import { writingChat } from '../../../support/writing-chat';

afterEach(closeTestApps);

const long = Array.from(
  { length: 45_000 },
  (_, n) => `Line ${n} of a long note, with words enough to fill a line of its own.\n`,
).join('');

it('decides on one line of 3 MB, and describes it for the next request, without reading the note again', async () => {
  const bench = await writingChat(
    { files: { 'Long.md': long }, permission: 'review' },
    [call('r', 'read_note', { path: 'Long.md' }), finish('tool-calls')],
    [call('w', 'edit_note', { path: 'Long.md', oldText: 'Line 0 ', newText: 'Row 0 ' }), finish('tool-calls')],
    [say('Done.'), finish()],
  );
  await bench.ask('Change the first line of [[Long]].');
  const { changes } = bench.chat;
  const id = bench.chat.current.reviews?.[0]?.changes[0]?.change.id ?? '';
  await expectCostBelow(60, () => {
    for (let click = 0; click < 10; click += 1) changes?.decide(id, { hunk: 0 }, click % 2 === 1);
  });
  expect(bench.chat.current.reviews?.[0]?.changes[0]?.decision.hunks).toBe('all');
  await expectCostBelow(20, () => Array.from({ length: 5 }, () => changes?.pendingReview));
  expect(changes?.pendingReview).toMatchObject({ addedLines: 1, removedLines: 1 });
});
