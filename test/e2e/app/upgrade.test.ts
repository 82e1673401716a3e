/** A vault that was used with version 0.1.0 opens in this build: every chat, setting, prompt, and undo is in place. */
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import { applied, press, treeOf, undone } from '../driver/writing-walk';
import { firstVersion, settingsFile } from '../../support/upgrade/first-version';

jest.setTimeout(180_000);

const { files, device, before, after, chats } = firstVersion();
const {
  model: _model,
  providers: _providers,
  ...settings
} = JSON.parse(files[settingsFile] ?? '') as Record<string, unknown>;
const inBytes = (tree: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]));

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

const titleOf = (name: string): string => chats.find((chat) => chat.name === name)?.questions[0] ?? name;
const rows = () => chatView.root.locator('.docent-chats-row');
const commandNames = (): Promise<string[]> =>
  workbench.page.evaluate(() => Object.values(window.app.commands.commands).map(({ name }) => name));

async function openChat(name: string): Promise<void> {
  await chatView.root.getByRole('button', { name: words.commandNames['show-chats'] }).click();
  await rows()
    .filter({ hasText: titleOf(name) })
    .locator('.docent-chats-title')
    .first()
    .click();
  await chatView.questions.first().getByText(titleOf(name), { exact: true }).waitFor();
}

it('a vault of version 0.1.0 has every chat, setting, prompt, and undo in place', async () => {
  workbench = await openWorkbench({ vault: { ...files }, settings, scripted: () => ({ text: 'Bronze.' }), asks: true });
  await workbench.page.evaluate((values) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, device);
  await workbench.reload();
  chatView = await openChatView(workbench);

  // The chat that was open, with the answer that was cut off and the text that was not sent.
  await chatView.answers.first().getByText('word word word').waitFor();
  expect(await chatView.input.inputValue()).toBe('An unsent thought about');

  // Prompts direct the agent, so each device asks about them once.
  await workbench.page.locator('.docent-instructions-notice').click();
  const dialog = workbench.page.locator('.docent-instructions-modal');
  await dialog.getByRole('button', { name: words.instructions.allowAll, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(
    async () => (await commandNames()).includes('Docent: Run prompt: Steady hand'),
    'the prompt is a command',
  );
  expect((await commandNames()).join()).not.toContain('Switched off');

  for (const { name, questions, endings } of chats) {
    await openChat(name);
    await until(async () => (await chatView.questions.count()) === questions.length, `all messages of “${name}”`);
    expect(await chatView.questions.allInnerTexts()).toEqual(questions);
    const answers = await chatView.answers.allInnerTexts();
    expect(answers.map((text, at) => text.includes(endings[at] ?? ' '))).toEqual(endings.map(() => true));
  }

  await openChat('chosen');
  await chatView.root.locator('.docent-goal-line').getByText('Launch by June').waitFor();
  // The address and the key may have come by a sync, for all that this device knows: it asks once.
  await chatView.send('What are the bolts made of?');
  await chatView.failures.last().getByRole('button', { name: words.gate.allow }).click();
  await chatView.answers.nth(2).getByText('Bronze.').waitFor();
  const sent = JSON.stringify(workbench.model?.requests.at(-1)?.body);
  for (const text of [
    'Answer in metric units.',
    'Answer calmly, on',
    'Prefer metric.',
    'High water at six.',
    'Launch by June',
  ])
    expect(sent).toContain(text);
  expect(sent).toContain('And when is high water?');
  expect(sent).not.toContain('Dear diary');

  await openChat('summarized');
  await chatView.root.locator('.docent-summary').getByRole('button', { name: words.status.undo }).click();
  await chatView.root.locator('.docent-summary').getByText(words.status.dividerUndone).waitFor();

  await openChat('pending');
  await press(chatView, /^Apply/);
  await applied(chatView);
  expect(await treeOf(workbench)).toEqual(inBytes({ ...after, 'Bolts.md': 'Six bolts of bronze.\n' }));

  await openChat('applied');
  await press(chatView, 'Undo all');
  await undone(chatView);
  const wanted = JSON.stringify(inBytes({ ...before, 'Bolts.md': 'Six bolts of bronze.\n' }), null, 1);
  const now = async (): Promise<string> => JSON.stringify(await treeOf(workbench), null, 1);
  await until(async () => (await now()).length === wanted.length, 'the notes are as before');
  expect(JSON.parse(await now())).toEqual(JSON.parse(wanted));

  // A changed setting leaves all others as they were.
  const opened = await openSettingsWindow(workbench);
  expect(await opened.row('Instruction level').locator('select').inputValue()).toBe('4');
  await opened.choose('Mode', words.settings.modes.debugger);
  await opened.close();
  const read = async () => JSON.parse(await workbench.readNote(settingsFile)) as Record<string, unknown>;
  await until(async () => (await read()).mode === 'debugger', 'the setting is stored');
  expect(await read()).toMatchObject({ ...settings, mode: 'debugger' });
});
