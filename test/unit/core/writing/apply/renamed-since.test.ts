/** @jest-environment jsdom */
/** Undoing what was written in notes that the user has renamed since, and nothing in notes that took their names. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { moveFile } from '../../../../../src/core/writing/apply/move-file';
import { words } from '../../../../../src/text';
import { call, finish, say, type Step } from '../../../../support/scripted-model';
import { renameNote, type WritingChat, writingChat } from '../../../../support/writing-chat';

afterEach(closeTestApps);
passTimeQuickly();

const text = '# Plan\n\nFirst line.\n\nSecond line.\n';
const changed = text.replace('First', 'Changed');
const edit = { path: 'Plan.md', oldText: 'First line.', newText: 'Changed line.' };

/** A chat of which one turn was applied; it has read the note. */
async function applied(files: Record<string, string>, ...calls: Step[]): Promise<WritingChat> {
  const reading = [call('r', 'read_note', { path: 'Plan.md' }), finish('tool-calls')];
  const bench = await writingChat({ files }, reading, [...calls, finish('tool-calls')], [say('Done.'), finish()]);
  await bench.ask('Go.');
  expect((await bench.chat.changes?.apply())?.ok).toBe(true);
  return bench;
}

async function undo({ chat }: WritingChat, again = false): Promise<string> {
  const id = chat.current.reviews?.at(-1)?.id ?? '';
  const undone = await (again ? chat.changes?.redo(id) : chat.changes?.undo(id));
  return undone?.ok === false ? undone.failure.words : 'ok';
}

it('follows the note, its folder, and further names, and does the same for a redo', async () => {
  const bench = await applied({ 'Plan.md': text }, call('e', 'edit_note', edit));
  await bench.app.vault.createFolder('Trips');
  await renameNote(bench, 'Plan.md', 'Trips/Lofoten.md');
  await renameNote(bench, 'Trips', 'Voyages');
  expect(await undo(bench)).toBe('ok');
  expect(await bench.read('Voyages/Lofoten.md')).toBe(text);
  await renameNote(bench, 'Voyages/Lofoten.md', 'Plan.md');
  expect(await undo(bench, true)).toBe('ok');
  expect(await bench.read('Plan.md')).toBe(changed);
});

it('leaves a note of the same template alone that has the name by now', async () => {
  const bench = await applied({ 'Plan.md': text }, call('e', 'edit_note', edit));
  await renameNote(bench, 'Plan.md', 'Old plan.md');
  const other = `${changed}\nWords of another day.\n`;
  await bench.app.vault.create('Plan.md', other);
  expect(await undo(bench)).toBe('ok');
  expect([await bench.read('Old plan.md'), await bench.read('Plan.md')]).toEqual([text, other]);
});

it('puts links back into a note that was renamed, and moves no note from where the user has moved it', async () => {
  const move = call('m', 'move_note', { path: 'Plan.md', newPath: 'Trips/Passage.md' });
  const files = { 'Plan.md': text, 'Crew.md': 'See [[Plan]].\n' };
  const bench = await applied(files, move);
  expect(await bench.read('Crew.md')).toBe('See [[Passage]].\n');
  await renameNote(bench, 'Crew.md', 'Sailors.md');
  await renameNote(bench, 'Trips/Passage.md', 'Trips/Lofoten.md');
  expect(await undo(bench)).toBe(words.writing.undoMovedSince('Trips/Passage.md', 'Trips/Lofoten.md'));
  await renameNote(bench, 'Trips/Lofoten.md', 'Trips/Passage.md');
  expect(await undo(bench)).toBe('ok');
  expect([await bench.read('Sailors.md'), await bench.read('Plan.md')]).toEqual([files['Crew.md'], text]);
});

it('deletes no note that has the name of one that was created and renamed', async () => {
  const bench = await applied({ 'Plan.md': text }, call('c', 'create_note', { path: 'New.md', text: 'New.\n' }));
  await renameNote(bench, 'New.md', 'Kept.md');
  await bench.app.vault.create('New.md', 'New.\n');
  expect(await undo(bench)).toBe(words.writing.undoMovedSince('New.md', 'Kept.md'));
  expect([await bench.read('Kept.md'), await bench.read('New.md')]).toEqual(['New.\n', 'New.\n']);
});

it('follows moves by the user and by Docent in turn, and no note whose name differs in letter case alone', async () => {
  const bench = await applied({ 'Plan.md': text, 'plan.md': 'Another.\n' }, call('e', 'edit_note', edit));
  await renameNote(bench, 'plan.md', 'Other.md');
  await renameNote(bench, 'Plan.md', 'Trip.md');
  const writer = await bench.writing.ports.writer();
  if (!writer.ok) throw new Error(writer.failure.words);
  const moving = { step: 'move', changeset: 's', change: 'c', undoes: null, taint: null } as const;
  expect((await moveFile(writer.value, { ...moving, calls: [], path: 'Trip.md', to: 'Voyage.md' })).ok).toBe(true);
  await renameNote(bench, 'Voyage.md', 'Plan.md');
  expect(await undo(bench)).toBe('ok');
  expect([await bench.read('Plan.md'), await bench.read('Other.md')]).toEqual([text, 'Another.\n']);
});
