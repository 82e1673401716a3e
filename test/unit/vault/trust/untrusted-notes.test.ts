/** @jest-environment jsdom */
/** What a chat wrote with others' text in view is others' text for every other chat, until the user keeps it (rules 6.9). */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { ChatPorts } from '../../../../src/core/chat/chat-view-state';
import { call, finish, say, type Step } from '../../../support/scripted-model';
import { writingChat, type WritingChat, type WritingChatOptions } from '../../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);
passTimeQuickly();

const files = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Clippings/Page.md': 'Read this page.\n',
  'Own.md': 'Mine, with oars.\n',
};
const options: WritingChatOptions = { files, permission: 'review' };
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const read = (...paths: string[]): Step[] => calls(...paths.map((path, at) => call(`r${at}`, 'read_note', { path })));
const create = (path: string): Step[] => calls(call('w', 'create_note', { path, text: 'From the page.\n' }));
const edit: Step[] = calls(call('w', 'edit_note', { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Rui rows.' }));

const taintOf = ({ chat }: WritingChat): string | null => chat.current.taint ?? null;

/** A chat that has read a clipped page and then writes; the user accepts what it wrote. */
async function writtenWith(source: string, ...writes: Step[][]): Promise<WritingChat> {
  const bench = await writingChat(options, read(source, 'Crew.md'), ...writes, done);
  await bench.ask('Go.');
  const applied = await bench.chat.changes?.apply();
  if (applied?.ok !== true) throw new Error(applied?.failure.words);
  return bench;
}

async function readElsewhere(bench: WritingChat, path: string): Promise<WritingChat> {
  const other = await bench.openOther(read(path), done);
  await other.ask('Read.');
  return other;
}

it('control: what a chat wrote with the user’s own notes in view taints no other', async () => {
  const bench = await writtenWith('Own.md', create('New.md'));
  expect(taintOf(await readElsewhere(bench, 'New.md'))).toBeNull();
});

it.each([
  ['made', create('New.md'), 'New.md'],
  ['edited', edit, 'Crew.md'],
  ['moved', calls(call('w', 'move_note', { path: 'Crew.md', newPath: 'Obey.md' })), 'Obey.md'],
])('a note that a tainted chat %s taints the chat that reads it, which names the note', async (_what, write, path) => {
  const bench = await writtenWith('Clippings/Page.md', write);
  const text = await bench.read(path);
  const other = await readElsewhere(bench, path);
  expect(taintOf(other)).toContain(path);
  expect(text).not.toContain('Clippings');
  expect(await other.read(path)).toBe(text);
});

it('holds on, from chat to chat', async () => {
  const first = await writtenWith('Clippings/Page.md', create('One.md'));
  const second = await first.openOther(read('One.md'), create('Two.md'), done);
  await second.ask('Go.');
  expect((await second.chat.changes?.apply())?.ok).toBe(true);
  expect(taintOf(await readElsewhere(second, 'Two.md'))).toContain('Two.md');
});

it('does not count what was never applied', async () => {
  const bench = await writingChat(options, read('Clippings/Page.md'), create('New.md'), done);
  await bench.ask('Go.');
  await bench.chat.changes?.rejectAll('No.');
  bench.adapter.writeOutside('New.md', 'By hand.\n');
  expect(taintOf(await readElsewhere(bench, 'New.md'))).toBeNull();
});

it.each([
  ['a note', 'New.md', 'Old.md', 'Old.md'],
  ['its folder', 'In', 'Out', 'Out/New.md'],
])('survives the renaming of %s, also in a pane that was never opened', async (_what, from, to, path) => {
  const bench = await writtenWith('Clippings/Page.md', create(from === 'In' ? 'In/New.md' : 'New.md'));
  const between = await bench.openOther();
  const file = between.app.vault.getAbstractFileByPath(from)!;
  await between.app.fileManager.renameFile(file, to);
  expect(taintOf(await readElsewhere(between, path))).toContain(path);
});

it('goes on after an edit by hand, and ends when the user keeps the open note', async () => {
  const bench = await writtenWith('Clippings/Page.md', create('New.md'));
  const file = bench.app.vault.getFileByPath('New.md')!;
  await bench.app.vault.process(file, (text) => `${text}My own line.\n`);
  const other = await readElsewhere(bench, 'New.md');
  expect(taintOf(other)).toContain('New.md');
  other.writing.ports.untrusted.keep('New.md');
  expect(taintOf(await readElsewhere(other, 'New.md'))).toBeNull();
  expect(await other.read('New.md')).toBe('From the page.\nMy own line.\n');
});

it('is gone when the write is undone, and back when it is redone', async () => {
  const bench = await writtenWith('Clippings/Page.md', edit);
  const id = bench.chat.current.reviews?.at(-1)?.id ?? '';
  const isUntrusted = (): boolean => bench.writing.ports.untrusted.has('Crew.md');
  expect(isUntrusted()).toBe(true);
  await bench.chat.changes?.undo(id);
  expect(isUntrusted()).toBe(false);
  await bench.chat.changes?.redo(id);
  expect(isUntrusted()).toBe(true);
  expect(taintOf(await readElsewhere(bench, 'Crew.md'))).toContain('Crew.md');
});

it('outlasts the journal, whose old writes are dropped', async () => {
  const bench = await writtenWith('Clippings/Page.md', create('New.md'));
  await bench.adapter.rmdir('.obsidian/plugins/docent/journal', true);
  expect(taintOf(await readElsewhere(bench, 'New.md'))).toContain('New.md');
});

it('lists what a chat wrote but for what directs it, as the settings say by then', async () => {
  const create = (path: string) => call(`w ${path}`, 'create_note', { path, text: 'Answer in verse.\n' });
  const bench = await writingChat(options, calls(create('AGENTS.md'), create('Rules.md')), done);
  await bench.ask('Go.');
  const { vault } = (bench.chat as unknown as { readonly ports: ChatPorts }).ports;
  const listed = (): string[] => vault.files().flatMap(({ path }) => (path in files ? [] : [path]));
  expect(listed()).toEqual(['Rules.md']);
  const usual = bench.writing.ports.places();
  const places = jest.spyOn(bench.writing.ports, 'places');
  const listedIf = (...names: string[]): string[] => {
    places.mockReturnValue({ ...usual, instructions: names });
    return listed();
  };
  expect([listedIf('AGENTS.md', 'Rules.md'), listedIf('Rules.md'), listedIf()]).toEqual([
    ...[[], ['AGENTS.md'], ['AGENTS.md', 'Rules.md']],
  ]);
});

it('instructions that a chat wrote direct it only once the user accepts them; it reads them back as a note', async () => {
  const order = 'Answer in verse.';
  const write = calls(call('w', 'create_note', { path: 'AGENTS.md', text: `${order}\n` }));
  const bench = await writingChat(options, write, done, read('AGENTS.md'), done, done);
  const told = (): string => JSON.stringify(bench.model.plans.at(-1)?.system ?? '');
  await bench.ask('Go.');
  await bench.ask('What is in it?');
  expect(told()).not.toContain(order);
  expect(JSON.stringify(bench.model.plans.at(-1)?.messages)).toContain(order);
  const applied = await bench.chat.changes?.apply();
  expect(applied?.ok).toBe(true);
  await bench.ask('And now?');
  expect(told()).toContain(order);
});
