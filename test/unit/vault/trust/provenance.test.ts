/** @jest-environment jsdom */
/** Whose text a note is: by its folder, its properties, what chats wrote, and what the user says, on each device. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { call, finish, type Step, say } from '../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const read = (path: string): Step[] => calls(call('r', 'read_note', { path }));
const create = calls(call('w', 'create_note', { path: 'New.md', text: 'From the page.\n' }));

async function taintBy(path: string, text: string): Promise<string | null> {
  const bench = await writingChat({ files: { [path]: text } }, read(path), done);
  await bench.ask('Read.');
  return bench.chat.current.taint ?? null;
}

it.each([
  ...['link: https://x.org/a', 'website: www.example.org', 'original: "<https://x.org>"', 'canonical: http://x.org'],
  ...['permalink: "[Post](https://x.org/p)"', 'source_url: HTTPS://X.ORG', 'Quelle: "siehe https://x.org"'],
  ...[
    'sources:\n  - my head\n  - https://x.org/b',
    'sources: ["www.x.org/a"]',
    'meta:\n  from:\n    page: https://x.org',
  ],
  ...['broken: [a\nwebsite: www.x.org/page', 'broken: [a\nsources:\n  - https://x.org'],
])('R133 a property that holds a web address marks the note: %s', async (property) => {
  expect(await taintBy('Web.md', `---\n${property}\n---\nText.\n`)).toContain('Web.md');
});

it.each([
  ...['Clippings/A.md', 'Resources/Clippings/A.md', 'Readwise/Books/A.md', 'Omnivore/A.md', 'a/b/Zotero/c/A.md'],
  ...['Emails/A.md', 'Inbox/Mail/A.md', 'clippingS/A.md', 'Zotero\u200b/A.md', 'Work/E-mails/2026/A.md'],
])('R133 a folder of clipped texts marks its notes at any depth: %s', async (path) => {
  expect(await taintBy(path, 'Text.\n')).toContain('A.md');
});

it.each([
  ['Own.md', '---\nsource: my own head\nstatus: http is a protocol\n---\nSee https://x.org and www.x.org.\n'],
  ['Inbox/Own.md', 'See https://x.org.\n'],
  ['Clippings.md', 'Mine.\n'],
  ['Rule.md', 'One.\n\n---\n\n- https://x.org\n\n---\n\nwww.x.org\n'],
  ['Mailbox plans/Own.md', 'A www of things.\n'],
])('control: the user’s own note stays their own: %s', async (path, text) => {
  expect(await taintBy(path, text)).toBeNull();
});

/** The same folder on another device, which has nothing in its own storage. */
async function onOther(bench: WritingChat, path: string): Promise<WritingChat> {
  const files: Record<string, string> = {};
  for (const [name, { type, bytes }] of bench.adapter.snapshot()) {
    if (type === 'file' && !name.startsWith('.obsidian')) files[name] = Buffer.from(bytes).toString('utf8');
  }
  const other = await writingChat({ files, permission: 'auto-edit', named: ['New.md'] }, read(path), edit, done);
  await other.ask('Read.');
  return other;
}

const edit = calls(call('e', 'edit_note', { path: 'New.md', oldText: 'From', newText: 'Off' }));

async function writtenByTainted(): Promise<WritingChat> {
  const files = { 'Clippings/Page.md': 'Read this page.\n', 'Own.md': 'Mine.\n' };
  const bench = await writingChat({ files }, read('Clippings/Page.md'), create, done);
  await bench.ask('Go.');
  await bench.chat.changes?.apply();
  await bench.writing.ports.untrusted.settled();
  return bench;
}

it('R133 what a tainted chat wrote is untrusted on a second device, where Auto-edit asks', async () => {
  const bench = await writtenByTainted();
  const other = await onOther(bench, 'New.md');
  expect(other.chat.current.taint).toContain('New.md');
  expect(await other.read('New.md')).toBe('From the page.\n');
});

it('a renaming and what the user says travel as well', async () => {
  const bench = await writtenByTainted();
  const { untrusted } = bench.writing.ports;
  await bench.app.fileManager.renameFile(bench.app.vault.getAbstractFileByPath('New.md')!, 'Deep.md');
  await untrusted.settled();
  expect((await onOther(bench, 'Deep.md')).chat.current.taint).toContain('Deep.md');
  untrusted.keep('Deep.md');
  untrusted.say('Clippings', 'own');
  untrusted.say('Own.md', 'others');
  await untrusted.settled();
  expect((await onOther(bench, 'Deep.md')).chat.current.taint ?? null).toBeNull();
  expect((await onOther(bench, 'Clippings/Page.md')).chat.current.taint ?? null).toBeNull();
  expect((await onOther(bench, 'Own.md')).chat.current.taint).toContain('Own.md');
});

it('nothing is written into a vault in which nothing is recorded', async () => {
  const bench = await writingChat({ files: { 'Own.md': 'Mine.\n' } }, read('Own.md'), done);
  await bench.app.fileManager.renameFile(bench.app.vault.getAbstractFileByPath('Own.md')!, 'Mine.md');
  await bench.ask('Read.');
  await bench.app.fileManager.renameFile(bench.app.vault.getAbstractFileByPath('Mine.md')!, 'Own.md');
  await bench.writing.ports.untrusted.settled();
  expect(bench.adapter.paths().filter((path) => path.startsWith('Docent'))).toEqual([]);
});
