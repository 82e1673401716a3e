/** Messages edited, answered again, deleted and forked with real keys, as shown, sent and stored. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chooseInMenu, openChatView, readLogs, until, type OpenedChatView } from '../driver/chat-view';
import { allText, lastSent, spokenTexts } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(120_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

const texts = async (view = chatView): Promise<string[]> => view.root.locator('.docent-user-text').allInnerTexts();
const sent = (): string[] => spokenTexts(lastSent(workbench.model));
const entries = async (from = workbench): Promise<Record<string, unknown>[]> =>
  [...(await readLogs(from))].flatMap(([, text]) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
const stored = async (kind: string): Promise<Record<string, unknown>[]> => {
  const found = (await entries()).filter(({ k }) => k === kind);
  return found.map(({ b }) => b as Record<string, unknown>);
};

async function press(row: '.docent-user' | '.docent-answer', at: number, label: string): Promise<void> {
  await chatView.root.locator(row).nth(at).getByRole('button', { name: label, exact: true }).focus();
  await workbench.page.keyboard.press('Enter');
}

/** Chooses what the row has no room for, by the keyboard too. */
async function pressInMenu(at: number, label: string): Promise<void> {
  await press('.docent-answer', at, 'More');
  await chooseInMenu(workbench.page, label);
}

it('edits, answers again, deletes and forks by the keyboard; a second device adds a branch', async () => {
  let answered = 0;
  const goal = '\n\n[GOAL] Paint the hull';
  workbench = await openWorkbench({
    ...{ vault, scripted: () => ({ text: `Answer ${++answered}.${answered === 3 ? goal : ''}` }) },
  });
  const { page } = workbench;
  const other = await openWorkbench({ vault, scripted: () => ({ text: 'Answer from elsewhere.' }) });
  try {
    chatView = await openChatView(workbench);
    await chatView.ask('one');
    await chatView.ask('two');
    const [[shared, before] = ['', '']] = await readLogs(workbench);

    // Edit the first message in its place, and cancel once.
    await press('.docent-user', 0, 'Edit message');
    const box = chatView.root.locator('.docent-editor-input');
    await page.keyboard.type(' in [[No');
    await chatView.root.locator('.docent-editor .docent-popup-item', { hasText: 'Now' }).first().waitFor();
    await page.keyboard.press('Enter');
    await chatView.root.locator('.docent-editor .docent-chip-name', { hasText: 'Now' }).waitFor();
    expect(await box.inputValue()).toBe('one in [[Now]] ');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await press('.docent-user', 0, 'Edit message');
    await box.waitFor();
    await page.keyboard.type(', better');
    await page.keyboard.press('Enter');
    await chatView.root.getByText('Answer 3.').waitFor();
    await chatView.untilIdle();
    expect([await texts(), sent()]).toEqual([['one, better'], ['one, better']]);
    expect((await stored('user')).map(({ text }) => text)).toEqual(['one', 'two', 'one, better']);

    // Switch to the first version and back; the next request and the goals follow.
    const goalLine = chatView.root.locator('.docent-goal-line', { hasText: 'Paint the hull' });
    await goalLine.waitFor();
    await press('.docent-user', 0, 'Earlier version of this message');
    await until(async () => (await texts()).join() === 'one,two', 'the first version');
    await goalLine.waitFor({ state: 'detached' });
    await chatView.ask('three');
    expect(sent()).toEqual(['one', 'Answer 1.', 'two', 'Answer 2.', 'three']);
    expect(allText(lastSent(workbench.model))).not.toContain('Paint the hull');
    await workbench.command('next-branch');
    await until(async () => (await texts()).join() === 'one, better', 'the edited version');
    await goalLine.waitFor();
    await chatView.ask('and then');
    expect(lastSent(workbench.model).system).toContain('Paint the hull');

    // Answer again from the menu, and go back by a command.
    await press('.docent-answer', 0, 'Answer again');
    await page.locator('.menu-item').first().click();
    await chatView.root.getByText('Answer 6.').waitFor();
    await chatView.untilIdle();
    expect(sent()).toEqual(['one, better']);
    await workbench.command('previous-branch');
    await chatView.root.getByText('Answer 3.').waitFor();
    expect(await chatView.root.locator('.docent-answer .docent-versions').innerText()).toContain('1/2');

    // Delete the answer; the request omits it; take it back.
    await pressInMenu(0, 'Delete answer');
    await chatView.root.locator('.docent-deleted').waitFor();
    await chatView.ask('four');
    // Two messages of the user in a row are sent as one.
    expect(sent()).toEqual(['one, betterand then', 'Answer 5.', 'four']);
    await chatView.root.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await chatView.root.getByText('Answer 3.').waitFor();
    expect((await stored('message-deleted')).map(({ deleted }) => deleted)).toEqual([true, false]);

    // Another device that has the chat as it was edits the second message; what both did is there.
    const theirs = await openChatView(other);
    const file = path.join(other.vaultFolder, shared);
    await other.page.evaluate(
      async ([name, text]) => {
        await window.app.vault.adapter.mkdir(name.slice(0, name.lastIndexOf('/')));
        await window.app.vault.adapter.write(name, text);
      },
      [shared, before] as const,
    );
    await other.page.evaluate(
      (id) => {
        const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
        return leaf?.view.setState({ chat: id }, { history: false });
      },
      path.basename(path.dirname(shared)),
    );
    await theirs.questions.nth(1).waitFor();
    await other.command('edit-last-question');
    await other.page.locator('.docent-editor-input').fill('two, elsewhere');
    await other.page.keyboard.press('Enter');
    await theirs.root.getByText('Answer from elsewhere.').waitFor();
    await theirs.untilIdle();
    for (const [shard, lines] of await readLogs(other)) {
      if (path.join(other.vaultFolder, shard) !== file) await writeFile(path.join(workbench.vaultFolder, shard), lines);
    }
    // Nobody is taken to another branch while reading; it is where that message is.
    await press('.docent-user', 0, 'Earlier version of this message');
    await until(async () => (await texts()).join() === 'one,two,three', 'the branch of this device');
    await press('.docent-user', 1, 'Later version of this message');
    await until(async () => (await texts()).join() === 'one,two, elsewhere', 'the branch of the other device');
    await chatView.root.getByText('Answer from elsewhere.').waitFor();

    // Fork: a chat of its own with what came before.
    await pressInMenu(0, 'Fork into new chat');
    await until(async () => (await texts()).join() === 'one', 'the fork');
    await chatView.ask('on');
    expect(sent()).toEqual(['one', 'Answer 1.', 'on']);
    expect(await stored('forked')).toHaveLength(1);

    // Answer again by another model, with which the chat goes on.
    await press('.docent-answer', 1, 'Answer again');
    await page.locator('.menu-item', { hasText: 'Anthropic' }).click();
    await chatView.root.locator('.docent-answer .docent-versions', { hasText: '2/2' }).waitFor();
    await chatView.untilIdle();
    const { dialect } = workbench.model?.requests.at(-1) ?? {};
    expect([dialect, sent()]).toEqual(['anthropic', ['one', 'Answer 1.', 'on']]);
    const others = (await stored('assistant')).filter(({ model }) => model === 'anthropic/scripted');
    expect(others).toHaveLength(1);
    expect(await chatView.root.locator('.docent-answer .docent-versions').innerText()).toContain('2/2');
    await page.locator('[aria-label="Show chats"]').click();
    await chatView.root.getByText(/Fork of “one”/).waitFor();
  } finally {
    await Promise.all([workbench.close(), other.close()]);
  }
});
