/** @jest-environment jsdom */
/** What is sent about a hidden note that visible notes mention: the text of those notes, and nothing more. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { call, finish, say, type Step } from '../../support/scripted-model';
import { writingChat, type WritingChat } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const hiddenPath = 'Rooms/Zanzibar.md';
const hiddenText = '---\ndocent: false\naliases: [Marmalade]\n---\n# Quince\n\nSee [[Harbour]] and [[Damson]]. ^b1\n';
const harbour = '# Harbour\n\nNext to [[Zanzibar|the room]], ![[zanzibar#Quince]] and [[Marmalade]]. Boats lie here.\n';
/** The vault without the hidden note. */
const without = { 'Harbour.md': harbour, 'Crew.md': 'Rui, of the [[Harbour]].\n', 'Rooms/Attic.md': 'Trunks.\n' };
const files = { ...without, [hiddenPath]: hiddenText };

const done: Step[] = [say('Done.'), finish()];
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const look = calls(
  call('a', 'read_note', { path: 'Harbour.md' }),
  call('b', 'note_links', { path: 'Harbour.md' }),
  call('c', 'note_outline', { path: 'Harbour.md' }),
  call('d', 'search_notes', { query: 'next boats zanzibar quince' }),
  call('e', 'find_notes', { name: 'Zanzibar' }),
  call('f', 'note_links', { path: 'Zanzibar' }),
  call('g', 'list_folder', { depth: 5 }),
  call('h', 'find_notes', {}),
);

/** Returns all text sent to the model, request by request, in lines. */
const sentLines = ({ model }: WritingChat): string[] =>
  model.plans.flatMap(({ system, messages }) => JSON.stringify([system, messages]).split('\\n'));
const results = ({ model }: WritingChat): string[] =>
  (model.plans.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.parts.map(({ text }) => text) : [],
  );

/** Once the app has resolved the links, which it does after it has read the notes. */
async function openLinked(notes: Record<string, string>, ...answers: Step[][]): Promise<WritingChat> {
  const bench = await writingChat({ files: notes, tier: 5 }, ...answers);
  while (!bench.vault.backlinks('Harbour.md').includes('Crew.md')) await new Promise((go) => setTimeout(go, 5));
  return bench;
}

it('links, backlinks, outlines, excerpts and the map tell what they would tell if the kept note were not there', async () => {
  const bench = await openLinked(files, look, done);
  await bench.ask('Look.');
  const bare = await openLinked(without, look, done);
  await bare.ask('Look.');
  expect(sentLines(bench)).toEqual(sentLines(bare));
});

it('its name is shown as the visible note writes it, as an unresolved link', async () => {
  const bench = await openLinked(files, look, done);
  await bench.ask('Look.');
  const [read = '', links = ''] = results(bench);
  expect(read).toContain('[[Zanzibar|the room]]');
  expect(links).toContain('unresolved Zanzibar');
  expect(links).toContain('unresolved Marmalade');
  expect(links).not.toContain('from Rooms');
  expect(bench.model.plans.map((plan) => JSON.stringify(plan)).join('')).not.toMatch(/Rooms\/Zanzibar|Damson|b1/);
});

it('control: without its mark the same note is found, with its folder', async () => {
  const open = { ...files, [hiddenPath]: hiddenText.replace('docent: false\n', '') };
  const bench = await openLinked(open, look, done);
  await bench.ask('Look.');
  expect(results(bench)[1]).toContain(`to ${hiddenPath}`);
  expect(results(bench)[1]).toContain(`from ${hiddenPath}`);
});

it('a moved note tells the model nothing of the kept note whose links the app rewrote with it', async () => {
  const move = calls(call('m', 'move_note', { path: 'Harbour.md', newPath: 'Port.md' }));
  const bench = await openLinked(files, calls(call('r', 'read_note', { path: 'Harbour.md' })), move, done, done);
  await bench.ask('Move it.');
  await bench.chat.changes?.apply();
  await bench.ask('And now?');
  const all = JSON.stringify(bench.model.plans);
  expect(await bench.read('Crew.md')).toContain('Port');
  expect(all).toContain('Crew.md');
  expect(all).not.toMatch(/Rooms\/Zanzibar|Damson/);
});
