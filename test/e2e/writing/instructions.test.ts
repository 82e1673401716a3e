/** Instruction files of a vault that came from elsewhere: asked about once per device, in no prompt before. */
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(120_000);

const say = words.instructions;
const vault = {
  'AGENTS.md': 'Write like a heron.\n',
  'Docent/prompts/Weekly.md': 'Look back like a crow.\n',
  'Crew.md': 'Rui steers.\n',
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'Done.' }), asks: true, ...options });
  chatView = await openChatView(workbench);
}

const notice = () => workbench.page.locator('.docent-instructions-notice');
const dialog = () => workbench.page.locator('.docent-instructions-modal');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const sent = (): string => JSON.stringify(workbench.model?.requests.at(-1));
const askedWith = async (text: string): Promise<string> => {
  await chatView.ask(text);
  return sent();
};

afterEach(() => workbench.close());

it('a vault’s files are in no request before they are allowed, wait again when they change outside, and are in instructionFilesRow', async () => {
  await open();
  await notice().waitFor();
  expect(await notice().textContent()).toContain(say.notice(2, ''));
  expect(await askedWith('One')).not.toMatch(/heron|Weekly/);
  await workbench.command('show-prompt');
  const inspector = workbench.page.locator('.docent-inspector-instructions');
  expect(await inspector.innerText()).toContain(say.waiting('AGENTS.md, Docent/prompts/Weekly.md', 0));
  await workbench.page.keyboard.press('Escape');

  await notice().click();
  await dialog().getByText('Write like a heron.').waitFor();
  await workbench.screenshot('instructions-dark');
  await button(say.neverOne('Docent/prompts/Weekly.md')).click();
  await button(say.allowOne('AGENTS.md')).click();
  await dialog().waitFor({ state: 'detached' });
  await notice().waitFor({ state: 'detached' });
  const allowed = await askedWith('Two');
  expect(allowed).toContain('Write like a heron.');
  expect(allowed).not.toContain('Weekly');

  // What the user writes in Obsidian's own editor needs no question.
  await workbench.page.evaluate(() => window.app.workspace.openLinkText('AGENTS.md', '', true));
  const isTyped = (): Promise<boolean> =>
    workbench.page.evaluate(() => {
      const { activeEditor } = window.app.workspace;
      if (activeEditor?.editor?.getValue() !== 'Write like a heron.\n') return false;
      activeEditor.editor.replaceRange('Wade slowly.\n', { line: 1, ch: 0 });
      return true;
    });
  await until(isTyped, 'AGENTS.md is in the editor');
  await workbench.command('open-chat');
  expect(await askedWith('Three')).toContain('Wade slowly.');
  expect(await notice().count()).toBe(0);

  await workbench.writeNote('AGENTS.md', 'Write like a heron.\nWade slowly.\nObey the magpie.\n');
  await notice().waitFor();
  expect(await askedWith('Four')).not.toMatch(/magpie|heron/);
  expect(await notice().textContent()).toContain(say.noticeChanged('AGENTS.md'));
  await notice().click();
  await dialog().locator('ins').getByText('Obey the magpie.').waitFor();
  await button(say.neverOne('AGENTS.md')).click();
  await notice().waitFor({ state: 'detached' });

  // The settings list all of them.
  const settings = await openSettingsWindow(workbench);
  await (await settings.reach(say.title)).getByRole('button', { name: say.show }).click();
  await button(say.allowOne('Docent/prompts/Weekly.md')).click();
  await button(say.withdrawOne('AGENTS.md')).click();
  await button(say.withdrawOne('AGENTS.md')).waitFor({ state: 'detached' });
  await workbench.screenshot('instructions-settings');
  await button(say.withdrawOne('Docent/prompts/Weekly.md')).waitFor();
  await workbench.page.keyboard.press('Escape');
  await settings.close();
  expect(await askedWith('Five')).toContain('Weekly');

  // Another device has the same folder, and a storage of its own.
  await workbench.page.evaluate(() => localStorage.clear());
  await workbench.reload();
  chatView = await openChatView(workbench);
  await notice().waitFor();
  expect(await notice().textContent()).toContain(say.notice(2, ''));
});

it('texts in the settings that came by a sync are in no request before they are allowed, and those typed here need no question', async () => {
  await open({
    vault: { 'Crew.md': 'Rui steers.\n' },
    settings: { agentName: 'Magpie', additionalInstructions: 'Obey.' },
  });
  await notice().waitFor();
  expect(await notice().textContent()).toContain(say.notice(1, say.settingsFile));
  expect(await askedWith('One')).not.toMatch(/Magpie|Obey/);
  await notice().click();
  await dialog().getByText('Obey.').waitFor();
  expect(await dialog().innerText()).toContain('Magpie');
  await workbench.screenshot('instructions-in-settings');
  await button(say.allowOne(say.settingsFile)).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await askedWith('Two')).toMatch(/Magpie.*Obey\./);

  const settings = await openSettingsWindow(workbench);
  await settings.type(words.ownPrompt.additional, 'Wade slowly.');
  await settings.close();
  expect(await askedWith('Three')).toMatch(/Magpie.*Wade slowly\./);
  expect(await notice().count()).toBe(0);
  await workbench.reload();
  chatView = await openChatView(workbench);
  expect(await askedWith('Four')).toMatch(/Magpie.*Wade slowly\./);
  expect(await notice().count()).toBe(0);

  const { page } = workbench;
  await page.evaluate(async () => {
    const { adapter } = window.app.vault;
    const path = '.obsidian/plugins/docent/data.json';
    await adapter.write(path, (await adapter.read(path)).replace('Wade slowly.', 'Wade quickly'));
  });
  await until(async () => !(await askedWith('Five')).includes('Wade'), 'the settings are read again');
  expect(await notice().textContent()).toContain(say.noticeChanged(say.settingsFile));
  await notice().click();
  await dialog().locator('ins').getByText('quickly').waitFor();
});

it('a workspace that waits is not called missing in the suggestions, which offer it once it is allowed', async () => {
  await open({ vault: { 'Docent/workspaces/Sea.md': '---\nkeyNotes: []\n---\nThink of the sea.\n' } });
  await notice().waitFor();
  await chatView.input.focus();
  await workbench.page.keyboard.type('#');
  const list = workbench.page.locator('.docent-popup');
  await list.getByText(words.chatView.onlyWaiting).waitFor();
  await workbench.page.keyboard.press('Escape');
  await notice().click();
  await button(say.allowOne('Docent/workspaces/Sea.md')).click();
  await dialog().waitFor({ state: 'detached' });
  await chatView.input.fill('');
  await chatView.input.focus();
  await workbench.page.keyboard.type('#');
  await list.getByRole('option', { name: /Sea/ }).waitFor();
});

it('a system prompt that waits is named, and sends nothing until it is allowed', async () => {
  await open({
    vault: { 'Docent/system.md': 'Be a heron.\n' },
    settings: { systemPrompt: 'default' },
    phone: true,
    theme: 'light',
  });
  await notice().waitFor();
  await chatView.send('One');
  await chatView.failures.getByText(words.ownPrompt.waits('Docent/system.md')).waitFor();
  expect(workbench.model?.requests.length).toBe(0);
  await workbench.screenshot('instructions-notice-phone');
  await chatView.failures.getByRole('button', { name: say.review }).click();
  await button(say.allowAll).waitFor();
  await workbench.screenshot('instructions-phone');
  await workbench.page.setViewportSize({ width: 300, height: 844 });
  await workbench.screenshot('instructions-300');
  await button(say.allowAll).click();
  await dialog().waitFor({ state: 'detached' });
  await chatView.failures.getByRole('button', { name: words.chatView.sendAgain }).click();
  await chatView.answers.first().waitFor();
  expect(sent()).toContain('Be a heron.');
});
