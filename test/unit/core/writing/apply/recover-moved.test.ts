/** @jest-environment jsdom */
/** Writes that were cut off, in notes that were renamed since: each is settled in its own note, and in no other one. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { RecoveryChoice } from '../../../../../src/core/session/entry';
import { call, finish, say, type Step } from '../../../../support/scripted-model';
import { renameNote, type WritingChat, writingChat } from '../../../../support/writing-chat';

afterEach(closeTestApps);
passTimeQuickly();

const text = 'First line.\nSecond line.\n';
const changed = 'First words.\nSecond line.\n';
const files = { 'Untitled.md': text, 'Crew.md': 'See [[Untitled]].\n' };
const reading = [call('r', 'read_note', { path: 'Untitled.md' }), finish('tool-calls')];
const editing = call('e', 'edit_note', { path: 'Untitled.md', oldText: 'First line.', newText: 'First words.' });

async function proposed(...calls: Step[]): Promise<WritingChat> {
  const bench = await writingChat({ files }, reading, [...calls, finish('tool-calls')], [say('Done.'), finish()]);
  await bench.ask('Go.');
  return bench;
}

/** A disk on which the edit left half of the note, in the same session or before a restart. */
async function cutOff(restarts: boolean): Promise<WritingChat> {
  const bench = await proposed(editing);
  bench.adapter.fault = (operation, path) => {
    if (operation !== 'write' || path !== 'Untitled.md') return 'pass';
    bench.adapter.writeOutside('Untitled.md', 'First wo');
    return new Error('ENOSPC');
  };
  expect((await bench.chat.changes?.apply())?.ok).toBe(false);
  bench.adapter.fault = null;
  return restarts ? bench.reopen() : bench;
}

const pathsOf = ({ writing }: WritingChat): string[] => writing.interrupted().map(({ path }) => path);

describe.each([false, true])('a note that is renamed before its write is settled, after a restart: %s', (restarts) => {
  it.each<readonly [RecoveryChoice, string]>([
    ['before', text],
    ['after', changed],
    ['as-is', 'First wo'],
  ])('has what was chosen, “%s”, and the note that took its name stays as it is', async (choice, wanted) => {
    const bench = await cutOff(restarts);
    await renameNote(bench, 'Untitled.md', 'Trip.md');
    await bench.app.vault.create('Untitled.md', 'Another note.\n');
    expect(pathsOf(bench)).toEqual(['Untitled.md']);
    expect((await bench.writing.settleAt('Untitled.md', choice)).ok).toBe(true);
    expect([await bench.read('Trip.md'), await bench.read('Untitled.md')]).toEqual([wanted, 'Another note.\n']);
    expect(pathsOf(bench)).toEqual([]);
  });
});

it('a write that was done, but not recorded as done, is known as done in a note that was renamed since', async () => {
  const bench = await proposed(editing);
  let isWritten = false;
  bench.adapter.fault = (operation, path) => {
    if (operation === 'write' && path === 'Untitled.md') isWritten = true;
    return isWritten && operation === 'append' ? new Error('ENOSPC') : 'pass';
  };
  expect((await bench.chat.changes?.apply())?.ok).toBe(true);
  bench.adapter.fault = null;
  const again = await bench.reopen();
  await renameNote(again, 'Untitled.md', 'Trip.md');
  await again.app.vault.create('Untitled.md', 'Another note.\n');
  await again.writing.start();
  expect(pathsOf(again)).toEqual([]);
  const [review] = again.chat.current.reviews ?? [];
  expect((await again.chat.changes?.undo(review?.id ?? ''))?.ok).toBe(true);
  expect([await again.read('Trip.md'), await again.read('Untitled.md')]).toEqual([text, 'Another note.\n']);
});

it('a move that was not recorded as done is known as done after its note, and one with a link, were renamed', async () => {
  const bench = await proposed(call('m', 'move_note', { path: 'Untitled.md', newPath: 'Plan.md' }));
  let isMoved = false;
  bench.adapter.fault = (operation, path) => {
    if (operation === 'rename' && path === 'Untitled.md') isMoved = true;
    return isMoved && operation === 'append' ? new Error('ENOSPC') : 'pass';
  };
  expect((await bench.chat.changes?.apply())?.ok).toBe(true);
  bench.adapter.fault = null;
  const again = await bench.reopen();
  await renameNote(again, 'Plan.md', 'Trip.md');
  await renameNote(again, 'Crew.md', 'Sailors.md');
  await again.app.vault.create('Untitled.md', 'Another note.\n');
  await again.writing.start();
  expect(pathsOf(again)).toEqual([]);
  expect([await again.read('Trip.md'), await again.read('Untitled.md')]).toEqual([text, 'Another note.\n']);
  expect(await again.read('Sailors.md')).toBe('See [[Trip]].\n');
});
