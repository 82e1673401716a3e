/** @jest-environment jsdom */
/** A whole turn over a long note that makes careless readers slow: indexed, read, changed, and shown for review. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { call, finish, say } from '../../../support/scripted-model';
import { writingChat } from '../../../support/writing-chat';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { hostileText } from '../../hostile-text';

afterEach(closeTestApps);

it.each(['embeds', 'aliases', 'wikilinks', 'HTML comments'])('a turn over a note of 300 KB of %s', async (shape) => {
  let round = 0;
  await expectCostBelow(2_000, async () => {
    round += 1;
    const bench = await writingChat(
      { files: { 'Long.md': hostileText(shape, 300_000 - round) }, named: ['Long.md'] },
      [call('r', 'read_note', { path: 'Long.md' }), finish('tool-calls')],
      [call('w', 'append_to_note', { path: 'Long.md', text: 'One line.' }), finish('tool-calls')],
      [say('Done.'), finish()],
    );
    await bench.ask('Add a line.');
    const [review] = bench.chat.current.reviews ?? [];
    expect(review?.changes.map(({ hunks }) => hunks.length)).toEqual([1]);
    await closeTestApps();
  });
});
