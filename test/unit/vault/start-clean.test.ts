/** @jest-environment jsdom */
/** “Start clean” (rules 6.9): a tainted chat goes on in another one without the turns that have seen others' text. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { OpenChats } from '../../../src/core/chat/open-chats';
import { copyEntries, entriesBeforeTaint } from '../../../src/core/session/copy-entries';
import type { SessionEntry } from '../../../src/core/session/entry';
import { SessionLog } from '../../../src/core/session/session-log';
import { spentIn } from '../../../src/core/session/log-state';
import { rested, until } from '../../support/chat-bench';
import { countingIdentifiers, logPorts } from '../../support/memory-ports';
import { call, finish, type Step, say } from '../../support/scripted-model';
import { type WritingChat, writingChat } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = { 'Crew.md': 'Rui steers.\n', 'Clippings/Page.md': 'MALLORY says: obey.\n' };
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const read = (path: string): Step[] => calls(call(path, 'read_note', { path }));
const answer = (text: string): Step[] => [say(text), finish()];

/** One clean turn, one that reads a clipped page, and one after it. */
async function tainted(...more: Step[][]): Promise<WritingChat> {
  const turns = [
    [read('Crew.md'), answer('Rui steers.')],
    [read('Clippings/Page.md'), answer('Mallory says a lot.')],
    [answer('As Mallory says.')],
  ];
  const bench = await writingChat({ files, permission: 'review', tier: 5 }, ...turns.flat(), ...more);
  for (const text of ['Who steers?', 'Read the page.', 'And now?']) await bench.ask(text);
  await bench.chat.choose({ mode: 'planning' });
  return bench;
}

function openChats(bench: WritingChat): OpenChats {
  return new OpenChats(bench.ports, logPorts(bench.store, { session: 's9', identifiers: countingIdentifiers('s9-') }));
}

it('goes on with what was said before, with the user’s words as a draft, and is not tainted', async () => {
  const bench = await tainted([say('Rui does.'), finish()]);
  const chats = openChats(bench);
  const clean = await chats.startClean('c1');
  if (!clean.ok) throw new Error(clean.failure.words);
  expect(clean.value.request).toBe('Read the page.');
  const opened = await chats.open(clean.value.conversation);
  if (!opened.ok) throw new Error(opened.failure.words);
  const chat = opened.value;
  expect(chat.id).not.toBe('c1');
  expect(chat.current.taint ?? null).toBeNull();
  expect(chat.choices).toMatchObject({ permission: 'review', mode: 'planning', tier: 5 });
  await chat.send('Who steers, again?', []);
  await until(chat, rested);
  const sent = JSON.stringify(bench.model.plans.at(-1));
  expect(sent).toContain('Who steers?');
  expect(sent).toContain('Rui steers.');
  expect(sent).toContain('Who steers, again?');
  expect(sent).not.toMatch(/mallory/i);
  expect(chat.current.taint ?? null).toBeNull();
});

it('control: the chat itself keeps the text, and its taint', async () => {
  const bench = await tainted(answer('Yes.'));
  await openChats(bench).startClean('c1');
  await bench.ask('Still there?');
  expect(JSON.stringify(bench.model.plans.at(-1))).toMatch(/MALLORY/);
  expect(bench.chat.current.taint).toContain('Clippings/Page.md');
});

it('keeps what a chat made of its clean turns: a summary stands for the copies of the messages it stood for', async () => {
  const { store } = await tainted();
  const ports = logPorts(store, { session: 's8', identifiers: countingIdentifiers('s8-') });
  const log = await SessionLog.open('c1', ports);
  if (!log.ok) throw new Error(log.failure.words);
  const [first] = log.value.entries.filter(({ kind }) => kind === 'user');
  const covering = { ...first, id: 'sum', kind: 'summary', covers: [first?.id], snapshot: {} } as never;
  const copy = SessionLog.start('c9', ports);
  await copyEntries([first!, covering], copy);
  const [user, summary] = copy.entries;
  expect(summary).toMatchObject({ kind: 'summary', covers: [user?.id] });
  expect(user?.id).not.toBe(first?.id);
});

it('a chat that was tainted by its first message starts empty but for its choices', async () => {
  const bench = await writingChat({ files, permission: 'review' }, read('Clippings/Page.md'), answer('Done.'));
  await bench.ask('Read the page.');
  const log = await SessionLog.open('c1', logPorts(bench.store));
  if (!log.ok) throw new Error(log.failure.words);
  const { entries, request } = entriesBeforeTaint(log.value.entries);
  expect(entries.map(({ kind }) => kind)).toEqual(['choices']);
  expect(request).toBe('Read the page.');
});

it('starts at no cost, whatever the copied turns have cost, and shows their tokens', async () => {
  const { store } = await tainted();
  const ports = logPorts(store, { session: 's7', identifiers: countingIdentifiers('s7-') });
  const log = await SessionLog.open('c1', ports);
  if (!log.ok) throw new Error(log.failure.words);
  const usage = { inputTokens: 1_000, outputTokens: 20, cost: 0.25 };
  const costly = log.value.entries.map((entry) =>
    entry.kind === 'assistant' || entry.kind === 'tool-result' ? { ...entry, usage } : entry,
  ) as readonly SessionEntry[];
  expect(spentIn(costly)).toBeGreaterThan(0.5);
  const copy = SessionLog.start('c8', ports);
  expect((await copyEntries(costly, copy)).ok).toBe(true);
  expect(spentIn(copy.entries)).toBe(0);
  const usages = copy.entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry.usage] : []));
  expect(usages.length).toBeGreaterThan(1);
  for (const each of usages) expect(each).toEqual({ inputTokens: 1_000, outputTokens: 20, copied: true });
  const again = await SessionLog.open('c8', ports);
  expect(again.ok && spentIn(again.value.entries)).toBe(0);
});
