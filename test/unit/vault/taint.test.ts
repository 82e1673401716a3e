/** @jest-environment jsdom */
/** Text that others wrote marks the chat that has it in view: by itself nothing is applied any more, also after a reload. */
import type { Mention } from '../../../src/core/mentions/mention';
import { closeTestApps } from '../../workbench/emulator/jest';
import { rested, until } from '../fakes/chat-bench';
import { call, finish, say, type Step } from '../fakes/scripted-model';
import { writingChat, type WritingChat, type WritingChatOptions } from '../fakes/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Clippings/Page.md': 'Read this page.\n',
  'Web.md': '---\nsource: https://example.org/a\n---\nClipped.\n',
  'Own.md': '---\nsource: my own head\n---\nMine, with oars.\n',
  'Dark.md': 'Plain words\u{e0041}\u{e0042} and more.\n',
};
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const editing = calls(call('e', 'edit_note', { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Rui rows.' }));
const read = (path: string): Step[] =>
  calls(call('c', 'read_note', { path: 'Crew.md' }), call('r', 'read_note', { path }));

const options: WritingChatOptions = { files, permission: 'auto-edit' };
const crewOf = (bench: WritingChat): Promise<string> => bench.read('Crew.md');
const applied = '# Crew\n\nRui rows.\n';

async function expectAsked(bench: WritingChat, source: RegExp): Promise<void> {
  expect(await crewOf(bench)).toBe(files['Crew.md']);
  const review = bench.chat.current.reviews?.at(-1);
  expect(review?.state).toBe('waiting');
  const badges = review?.changes.flatMap((change) => change.badges) ?? [];
  expect(badges).toContainEqual({ kind: 'tainted', source: expect.stringMatching(source) });
  expect(bench.chat.current.taint).toMatch(source);
}

it('control: with the user’s own notes in view Auto-edit applies by itself', async () => {
  const bench = await writingChat(options, read('Own.md'), editing, done);
  await bench.ask('Go.');
  expect(await crewOf(bench)).toBe(applied);
  expect(bench.chat.current.taint ?? null).toBeNull();
});

it.each([
  ['a note in a folder of clipped pages', 'Clippings/Page.md', /Clippings\/Page\.md/],
  ['a note that names its web address', 'Web.md', /Web\.md/],
  ['a note with invisible characters', 'Dark.md', /invisible characters in Dark\.md/],
])('R133 asks once the agent has read %s', async (_name, path, source) => {
  const bench = await writingChat(options, read(path), editing, done);
  await bench.ask('Go.');
  await expectAsked(bench, source);
});

it('asks once a search has shown such a note', async () => {
  const search = calls(call('c', 'read_note', { path: 'Crew.md' }), call('s', 'search_notes', { query: 'clipped' }));
  const bench = await writingChat(options, search, editing, done);
  await bench.ask('Go.');
  await expectAsked(bench, /Web\.md/);
});

it.each<[string, Mention, RegExp]>([
  ['such a note is attached', { kind: 'note', id: 'Web.md', label: 'Web' }, /Web\.md/],
  ['a part of one is attached', { kind: 'heading', id: 'Clippings/Page.md#None', label: 'Page' }, /Clippings/],
  ['a picture is attached', { kind: 'image', id: 'rig.png', label: 'rig' }, /picture/],
])('asks once %s', async (_name, mention, source) => {
  const bench = await writingChat(
    { ...options, files: { ...files, 'Clippings/Page.md': '# None\n\nRead.\n' } },
    read('Own.md'),
    editing,
    done,
  );
  await bench.chat.send('Go.', [mention]);
  await until(bench.chat, rested);
  await expectAsked(bench, source);
});

it.each([
  ['before the answer', { beforeAgent: () => 'weather' }],
  ['after a result', { afterTool: () => 'weather' }],
  ['before a request', { beforeModel: () => ({ text: 'weather' }) }],
])('asks once another plugin has added text %s', async (_name, hook) => {
  const bench = await writingChat(options, read('Own.md'), editing, done);
  bench.hooks.register({ id: 'weather', label: 'Weather', ...hook } as never);
  await bench.ask('Go.');
  await expectAsked(bench, /the plugin Weather/);
});

it('keeps the mark over a reload, ahead of the text that it is about', async () => {
  const first = await writingChat(options, read('Web.md'), done);
  await first.ask('Read.');
  const kinds = first.store.linesOf('c1').map((line) => (JSON.parse(line) as { k: string }).k);
  expect(kinds.indexOf('tainted')).toBeGreaterThan(-1);
  expect(kinds.indexOf('tainted')).toBeLessThan(kinds.indexOf('tool-result'));
  expect(kinds.filter((kind) => kind === 'tainted')).toHaveLength(1);
  const second = await first.reopen(read('Own.md'), editing, done);
  expect(second.chat.current.taint).toMatch(/Web\.md/);
  await second.ask('Now write.');
  await expectAsked(second, /Web\.md/);
});

it('keeps the mark when the user takes the property away afterwards', async () => {
  const bench = await writingChat(options, read('Web.md'), done, read('Own.md'), editing, done);
  await bench.ask('Read.');
  bench.adapter.writeOutside('Web.md', 'Mine now.\n');
  await bench.ask('Write.');
  await expectAsked(bench, /Web\.md/);
});
