/** Answers and chats that become notes: each put into a note by keys, and taken back. */
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import { treeOf } from '../driver/writing-walk';

jest.setTimeout(90_000);

const say = words.chatNotes;
const vault = { 'Log.md': 'Day one: .\n', 'Now.md': 'The blue boat is on the hard.\n' };
const answer = 'It is **blue**, see [[Now]].';

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

async function press(name: string, within = chatView.root): Promise<void> {
  await within.getByRole('button', { name, exact: true }).last().focus();
  await workbench.page.keyboard.press('Enter');
}

async function pressInMenu(name: string): Promise<void> {
  await press('More');
  await workbench.page.locator('.menu-item', { hasText: name }).click();
}

/** Presses the undo in the newest notice, and waits until the folder is as it was. */
async function undo(before: Record<string, string>): Promise<void> {
  await press(say.undo, workbench.page.locator('.notice').last());
  await until(async () => JSON.stringify(await treeOf(workbench)) === JSON.stringify(before), 'the undo is on disk');
}

it.each(['dark', 'light'] as const)(
  'puts an answer into notes and a chat into one, each undone (%s)',
  async (theme) => {
    workbench = await openWorkbench({ vault, scripted: () => ({ text: answer }), theme });
    const { page } = workbench;
    await page.evaluate(async () => {
      const leaf = window.app.workspace.getLeaf(false);
      await leaf.openFile(window.app.vault.getFileByPath('Log.md')!);
      window.app.workspace.activeEditor?.editor?.setCursor({ line: 0, ch: 9 });
    });
    chatView = await openChatView(workbench);
    await chatView.ask('Which colour is the boat?');
    await chatView.answers.last().locator('.docent-answer-facts').getByText('tokens').waitFor();
    const before = await treeOf(workbench);

    await press(say.insert);
    await page.locator('.notice', { hasText: say.inserted('Log.md') }).waitFor();
    expect(await workbench.readNote('Log.md')).toBe(`Day one: ${answer}.\n`);
    await workbench.screenshot(`chat-notes-${theme}`);
    await undo(before);

    await pressInMenu(say.append);
    await page.locator('.notice', { hasText: say.appended('Log.md') }).waitFor();
    expect(await workbench.readNote('Log.md')).toBe(`Day one: .\n\n${answer}\n`);
    await undo(before);

    await pressInMenu(say.create);
    const path = 'Which colour is the boat.md';
    await page.locator('.notice', { hasText: say.created(path) }).waitFor();
    expect(await workbench.readNote(path)).toBe(`${answer}\n`);
    await undo(before);

    await workbench.command('export-chat');
    await page.locator('.notice', { hasText: say.exported(path) }).waitFor();
    const note = await workbench.readNote(path);
    expect(note).toMatch(/^---\ntitle: "Which colour is the boat\?"\ncreated: 20\d\d-/);
    expect(note).toContain(answer);
    await undo(before);
  },
);
