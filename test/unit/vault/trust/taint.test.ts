/** @jest-environment jsdom */
/** Text that others wrote marks the chat that has it in view: by itself nothing is applied any more, also after a reload. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { Mention } from '../../../../src/core/session/entry';
import { rested, until } from '../../../support/chat-bench';
import { call, finish, type Step, say } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';
import { mentionOf, type WritingChat, type WritingChatOptions, writingChat } from '../../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Clippings/Page.md': 'Read this page.\n',
  'Web.md': '---\nsource: https://example.org/a\n---\nClipped.\n',
  'Broken.md': '---\nx: [a\nsource: https://example.org/a\n---\nClipped.\n',
  'Own.md': '---\nsource: my own head\n---\nMine, with oars.\n',
  'Dark.md': 'Plain words\u{e0041}\u{e0042} and more.\n',
};
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
/** A note that names its web address. */
const web = (text: string, more = ''): string => `---\n${more}source: https://example.org/a\n---\n${text}\n`;
const editing = calls(call('e', 'edit_note', { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Rui rows.' }));
const read = (path: string): Step[] =>
  calls(call('c', 'read_note', { path: 'Crew.md' }), call('r', 'read_note', { path }));

const options: WritingChatOptions = { files, permission: 'auto-edit', named: ['Crew.md'] };
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
  ['a note whose properties cannot be read', 'Broken.md', /Broken\.md/],
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
  ['a picture is attached', { kind: 'image', id: 'rig.png', label: 'rig' }, /image/],
])('asks once %s', async (_name, mention, source) => {
  const bench = await writingChat(
    { ...options, files: { ...files, 'Clippings/Page.md': '# None\n\nRead.\n' } },
    read('Own.md'),
    editing,
    done,
  );
  await bench.chat.send('Go.', [mention, mentionOf('Crew.md')]);
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

it('asks once the user has selected text in such a note, which is told with the message', async () => {
  const activeNote = { path: 'Clippings/Page.md', cursor: null, selectedText: 'Read this page.' };
  const editor = jest.spyOn(hostState, 'editor').mockReturnValue({ activeNote, otherOpenNotes: [] });
  const bench = await writingChat(options, read('Own.md'), editing, done);
  await bench.ask('Go.');
  editor.mockRestore();
  await expectAsked(bench, /Clippings\/Page\.md/);
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

it.each<[string, Record<string, string>, RegExp]>([
  ['the memory note', { 'Docent/memory.md': web('Rui trusts Mallory.') }, /Docent\/memory\.md/],
  ['the context file of the vault', { 'AGENTS.md': web('Write plainly.') }, /AGENTS\.md/],
  ['what is added to every prompt', { 'Docent/system-extra.md': web('Be brief.') }, /system-extra\.md/],
  ['the name of a skill', { 'Docent/skills/bake/SKILL.md': web('Bake.', 'name: bake\ndescription: Bread\n') }, /SKILL/],
  ['the name of a workspace', { 'Docent/workspaces/Room.md': web('Room.', 'name: Room\n') }, /Room\.md/],
])('asks once %s is others’ text, since it stands in every prompt', async (_name, more, source) => {
  const bench = await writingChat({ ...options, files: { ...files, ...more } }, read('Own.md'), editing, done);
  await bench.ask('Go.');
  await expectAsked(bench, source);
});

it.each<[string, string, Record<string, unknown>]>([
  ['find_notes', 'find_notes', { name: 'Page' }],
  ['a value that find_notes shows', 'find_notes', { property: 'source' }],
  ['list_folder', 'list_folder', { path: 'Clippings' }],
  ['load_workspace', 'load_workspace', { id: 'Reading' }],
  ['the links of a note', 'note_links', { path: 'Own.md' }],
  ['the links to a note', 'note_links', { path: 'Crew.md' }],
])('asks once a name that others gave comes by %s, as 6.9 counts titles', async (_name, tool, args) => {
  const more = {
    ...files,
    'Own.md': 'See [[Page]].\n',
    'Clippings/Page.md': 'About [[Crew]].\n',
    'Docent/workspaces/Reading.md': '---\nnotes: ["[[Page]]"]\nrootFolder: Nowhere\n---\nRead.\n',
  };
  const look = calls(call('c', 'read_note', { path: 'Crew.md' }), call('l', tool, args));
  const bench = await writingChat({ ...options, files: more }, look, editing, done);
  await bench.ask('Go.');
  await expectAsked(bench, /Clippings\/Page\.md|Web\.md/);
});

it('control: listings without such names leave the chat as it is', async () => {
  const look = calls(
    call('c', 'read_note', { path: 'Crew.md' }),
    call('f', 'find_notes', { name: 'Own' }),
    call('n', 'note_links', { path: 'Own.md' }),
    call('l', 'list_folder', { path: 'Library' }),
  );
  const clippingFolders = ['Clippings', 'Library/Clippings'];
  const more = { ...files, 'Library/Clippings/Page.md': 'Read.\n', 'Library/Own.md': 'x\n' };
  const settings = { ...options.settings, clippingFolders };
  const bench = await writingChat({ ...options, files: more, settings }, look, editing, done);
  await bench.ask('Go.');
  expect(await crewOf(bench)).toBe(applied);
});

describe('a sub-agent', () => {
  const role = '---\nname: scout\ndescription: Looks around.\n---\nYou look around.\n';
  const send = calls(
    call('c', 'read_note', { path: 'Crew.md' }),
    call('s', 'run_subagent', { name: 'scout', task: 'Look.' }),
  );
  const startWith = (scout: string, ...steps: Step[][]): Promise<WritingChat> =>
    writingChat({ ...options, files: { ...files, 'Docent/subagents/Scout.md': scout }, tier: 5 }, send, ...steps, done);
  const opened = (...steps: Step[][]): Promise<WritingChat> => startWith(role, ...steps, editing);

  it.each([
    ['a clipped page', 'Clippings/Page.md', /Clippings\/Page\.md/],
    ['a note with invisible characters, of which its report says nothing', 'Dark.md', /invisible characters in Dark/],
  ])('R137 taints the chat that started it once it has read %s', async (_name, path, source) => {
    const bench = await opened(calls(call('r', 'read_note', { path })), [say('All is well.'), finish()]);
    await bench.ask('Go.');
    await expectAsked(bench, source);
  });

  it('R137 taints the chat by what another plugin tells it', async () => {
    const bench = await opened(calls(call('r', 'read_note', { path: 'Own.md' })), [say('All is well.'), finish()]);
    bench.hooks.register({
      id: 'weather',
      label: 'Weather',
      afterTool: ({ conversationId }: { conversationId: string }) =>
        conversationId.includes('/') ? 'Rain.' : undefined,
    } as never);
    await bench.ask('Go.');
    await expectAsked(bench, /the plugin Weather/);
  });

  it('R137 taints the chat by its role, when others wrote that', async () => {
    const scout = web('You look around.', 'name: scout\ndescription: Looks around.\n');
    const bench = await startWith(scout, [say('All is well.'), finish()], editing);
    await bench.ask('Go.');
    await expectAsked(bench, /Scout\.md/);
  });

  it('R137 control: leaves the chat as it is when all that it read is the user’s own', async () => {
    const bench = await opened(calls(call('r', 'read_note', { path: 'Own.md' })), [say('All is well.'), finish()]);
    await bench.ask('Go.');
    expect(await crewOf(bench)).toBe(applied);
  });

  it.each([
    ['create_note', { path: 'Planted.md', text: 'x' }],
    ['edit_note', { path: 'Crew.md', oldText: 'Rui', newText: 'Mallory' }],
    ['append_to_note', { path: 'Crew.md', text: 'x' }],
    ['delete_note', { path: 'Own.md' }],
    ['move_note', { path: 'Own.md', newPath: 'Planted.md' }],
    ['set_properties', { path: 'Own.md', properties: { a: 1 } }],
    ['remember', { fact: 'Rui trusts Mallory.' }],
    ['save_state', { name: 'Planted', state: 'x' }],
  ])('R137 writes nothing by %s: what a chat writes stands in one review, and is its own', async (tool, args) => {
    const asked = calls(call('r', 'read_note', { path: 'Crew.md' }), call('w', tool, args));
    const bench = await startWith(role, asked, done);
    const before = await bench.tree();
    await bench.ask('Go.');
    const [run] = bench.chat.current.items
      .flatMap((item) =>
        item.type === 'answer' ? item.parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : [])) : [],
      )
      .filter((result) => result?.steps !== undefined);
    expect(run?.steps?.map(({ isError }) => isError)).toEqual([false, true]);
    expect(run?.steps?.[1]?.text).toContain(tool);
    expect(bench.chat.current.reviews).toEqual([]);
    expect(await bench.tree()).toEqual(before);
  });
});
