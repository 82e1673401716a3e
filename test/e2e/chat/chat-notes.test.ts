/** Chats that have a note each: what follows a chat, and what is the user's. */
import { words } from '../../../src/text';
import path from 'node:path';
import { openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { readdir, readFile } from '../driver/reach';
import { allText, lastSent } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

/** The notes of chats on disk, by name. */
async function mirrored(): Promise<Record<string, string>> {
  const folder = path.join(workbench.vaultFolder, 'Docent/chats');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  const texts = names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
}

const untilNotes = (holds: (notes: Record<string, string>) => boolean, what: string): Promise<void> =>
  until(async () => holds(await mirrored()), what);

it('keeps a chat as a note with the title of the model, follows its name, and leaves it to the user once changed', async () => {
  const asksTitle = (body: unknown): boolean => JSON.stringify(body).includes('Write a title');
  let answered = 0;
  workbench = await openWorkbench({
    vault: {
      ...vault,
      'Index.md': 'See [[Docent/chats/The blue boat]].\n',
      '.obsidian/app.json': JSON.stringify({ alwaysUpdateLinks: true }),
    },
    settings: { mirrorChats: true, titlesByModel: true },
    scripted: ({ body }) => ({ text: asksTitle(body) ? '“The blue boat”' : `Answer ${(answered += 1)}: [[Now]].` }),
  });
  const { page } = workbench;
  chatView = await openChatView(workbench);
  await chatView.ask('Which colour is the boat?');
  await untilNotes((notes) => Object.keys(notes).join() === 'The blue boat.md', 'the note has the title of the model');
  await chatView.root.locator('.docent-toolbar-title', { hasText: 'The blue boat' }).waitFor();
  const kinds = (await readLog(workbench)).map(({ k, b }) => [k, b['title'], b['by']].filter(Boolean).join(' '));
  expect(kinds.slice(-2)).toEqual(['request-beside', 'title The blue boat model']);
  await chatView.ask('And the keel?');
  await untilNotes((notes) => notes['The blue boat.md']?.includes('Answer 2') === true, 'the note has both answers');
  expect((await mirrored())['The blue boat.md']).toMatch(
    /^---\ntitle: "The blue boat"\n[^]*\n## Message 1\n\nWhich colour[^]*\n## Answer 2 \(scripted\)\n\nAnswer 2: \[\[Now\]\]\.\n/,
  );
  // What the agent can attach, search and read has no such note.
  await chatView.openNoteList('blue boat');
  expect(await chatView.suggestions.filter({ hasText: 'Docent/chats' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await chatView.input.fill('');

  await page.evaluate(async () => {
    const note = window.app.vault.getFileByPath('Docent/chats/The blue boat.md')!;
    await window.app.workspace.getLeaf(false).openFile(note);
  });
  await chatView.root.getByRole('button', { name: words.commandNames['show-chats'] }).click();
  const row = (title: string) => chatView.root.locator('.docent-chats-row').filter({ hasText: title });
  await row('The blue boat').locator('.docent-chats-open').focus();
  await page.keyboard.press('F2');
  await chatView.root.getByRole('textbox', { name: words.chats.newTitle }).fill('Hull');
  await page.keyboard.press('Enter');
  await untilNotes((notes) => Object.keys(notes).join() === 'Hull.md', 'the note follows the name');
  await until(async () => (await workbench.readNote('Index.md')).includes('Hull]]'), 'links follow');
  await row('Hull').locator('.docent-chats-open').focus();
  await page.keyboard.press('Delete');
  await untilNotes((notes) => Object.keys(notes).length === 0, 'the note goes with the chat');
  await chatView.root.getByRole('button', { name: words.chats.undo }).focus();
  await page.keyboard.press('Enter');
  await untilNotes((notes) => notes['Hull.md']?.includes('Answer 2') === true, 'the note comes back');

  await row('Hull').locator('.docent-chats-open').click();
  await workbench.writeNote('Docent/chats/Hull.md', `${(await mirrored())['Hull.md']}Sold in May.\n`);
  await chatView.ask('And the mast?');
  await untilNotes((notes) => notes['Hull 2.md']?.includes('Answer 3') === true, 'the chat goes on in a new note');
  expect((await mirrored())['Hull.md']).toMatch(/Answer 2[^]*Sold in May\.\n$/);
  expect(allText(lastSent(workbench.model))).not.toMatch(/Sold in May|docent-seal/);
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.ask('And the sails?');
  await untilNotes((notes) => notes['Hull 2.md']?.includes('Answer 4') === true, 'it goes on after a restart');
  expect(Object.keys(await mirrored())).toEqual(['Hull 2.md', 'Hull.md']);
  const journal = path.join(workbench.vaultFolder, '.obsidian/plugins/docent/journal');
  const names = (await readdir(journal, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const lines = await Promise.all(names.map((name) => readFile(path.join(journal, name), 'utf8')));
  expect(lines.join('')).toContain('Docent/chats/Hull 2.md');
});
