/** Prompts as a person meets them: written, run by command, by `/` and by `@`, chosen for a chat, and a rewrite undone. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { type Beginning, beginAgain } from '../driver/begin-again';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import {
  bringToFront,
  findChatView,
  openChatView,
  until,
  type OpenedChatView,
  openPicker,
  selectText,
} from '../driver/chat-view';
import { lastSent, newMessages, newText } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { closeQuiet, type OpenedWorkbench, type OpenOptions, openWorkbench, lookInThemes } from '../driver/workbench';

jest.setTimeout(90_000);

const say = words.prompts;
const vault = {
  'Now.md': '# Now\n\nThe boat is very blue. The sea is green.\n',
  'Tides.md': 'High water at six.\n',
  'Docent/prompts/Steady.md': '---\nname: Steady hand\ndescription: Calm answers\n---\nAnswer calmly, on ${date}.\n',
  'Docent/prompts/Needy.md': '---\nname: Needs a web\nrequiredTools: no_such_tool\n---\nFetch.\n',
  'Docent/workspaces/Boat.md': '---\nname: The boat\ndescription: Refit\n---\nPrefer metric.\n',
  'Private/Diary.md': 'Secret thoughts.\n',
};
const hidden = { '.obsidian/app.json': '{"userIgnoreFilters": ["Private/"]}' };

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

/** Opens one app for the tests of the enclosing block, each of which begins again in it. */
function share(options: OpenOptions): void {
  beforeAll(async () => {
    workbench = await openWorkbench({ vault: { ...vault, ...hidden }, scripted: true, ...options });
  });
  afterAll(() => closeQuiet(workbench));
}

async function begin(beginning: Beginning = {}): Promise<void> {
  chatView = await openChatView(workbench);
  await beginAgain({ workbench, chatView }, { vault, scripted: () => ({ text: 'All right.' }), ...beginning });
}

/** As it is before the chat view was opened. */
async function beginWithoutView(): Promise<void> {
  await begin();
  await workbench.page.evaluate(() => window.app.workspace.detachLeavesOfType('docent-chat'));
  await chatView.root.waitFor({ state: 'detached' });
}

const openNote = (path: string): Promise<void> => bringToFront(workbench.page, path);

const select = (text: string): Promise<void> => selectText(workbench.page, text);

const commandNames = (): Promise<string[]> =>
  workbench.page.evaluate(() =>
    Object.values(window.app.commands.commands)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('Docent: Run prompt')),
  );
const promptsModal = (): Locator => workbench.page.locator('.docent-prompts-modal');
const row = (name: string): Locator => promptsModal().locator('.docent-prompt', { hasText: name });
const picker = (id: string): Locator => chatView.root.locator(`.docent-picker.is-${id}`);
const menuItem = (title: string): Locator => workbench.page.locator('.menu .menu-item', { hasText: title }).first();
const pick = async (id: string, title: string): Promise<void> => {
  await openPicker(chatView, id);
  await menuItem(title).click();
  await workbench.page.locator('.menu').waitFor({ state: 'detached' });
};

const box = (): Locator => workbench.page.locator('.docent-rewrite');
const act = (name: string): Locator => box().getByRole('button', { name, exact: true });
const text = (): Promise<string> =>
  workbench.page.evaluate(() => window.app.workspace.activeEditor?.editor?.getValue() ?? '');
const editorMenu = async (title: string): Promise<void> => {
  await workbench.page
    .locator('.workspace-leaf.mod-active .cm-line', { hasText: 'The boat' })
    .click({ button: 'right' });
  await menuItem(title).click();
};

async function rewriteSelection(phone: boolean): Promise<void> {
  const answers = ['The boat is rather blue.', 'The boat is blue.', 'A blue boat.'];
  await begin({ scripted: ({ index }) => ({ text: answers[index] ?? 'More.' }) });
  await openNote('Now.md');
  await select('The boat is very blue.');
  if (phone) await workbench.command('rewrite-selection');
  else await editorMenu(words.commandNames['rewrite-selection']);
  await act('Shorten').click();
  await act(say.rewriteAccept).waitFor();
  await workbench.page.locator('.cm-line del').first().waitFor();
  expect(await workbench.page.locator('.cm-line del').allInnerTexts()).toEqual(['very']);
  expect(await workbench.page.locator('.cm-line ins').allInnerTexts()).toEqual(['rather']);
  const sent = lastSent(workbench.model);
  expect(sent.tools).toEqual([]);
  expect(sent.messages.at(-1)?.text).toContain('~~~\nThe boat is very blue.\n~~~');
  expect(sent.messages.at(-1)?.text).not.toContain('The sea is green');

  await act(say.rewriteRefine).click();
  await box().getByLabel(say.rewriteFurther).fill('No “rather”');
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator('.cm-line ins').waitFor({ state: 'detached' });
  await act(say.rewriteAccept).waitFor();
  expect(lastSent(workbench.model).messages.at(-1)?.text).toMatch(/rather blue\.\n~~~[^]*No “rather”/);
  expect(await workbench.readNote('Now.md')).toBe(vault['Now.md']);
  expect(await measureOverflow(workbench.page)).toEqual([]);
  if (phone) await workbench.screenshot('rewrite-phone');

  if (phone) await act(say.rewriteAccept).click();
  else await workbench.page.keyboard.press('Control+Enter');
  await box().waitFor({ state: 'detached' });
  const rewritten = '# Now\n\nThe boat is blue. The sea is green.\n';
  expect(await text()).toBe(rewritten);
  expect(await workbench.readNote('Now.md')).toBe(rewritten);
  await workbench.page.evaluate(() => window.app.workspace.activeEditor?.editor?.undo());
  expect(await text()).toBe(vault['Now.md']);
  await workbench.page.evaluate(() => window.app.workspace.activeEditor?.editor?.redo());
  expect(await text()).toBe(rewritten);
  await workbench.page.locator('.docent-notice-acts').getByRole('button', { name: words.chatNotes.undo }).click();
  await until(async () => (await workbench.readNote('Now.md')) === vault['Now.md'], 'the disk has the text of before');
  await until(async () => (await text()) === vault['Now.md'], 'the editor has it too');

  await select('The boat is very blue.');
  await workbench.command('rewrite-selection');
  await box().getByLabel(say.rewriteInstruction).fill('Shorter');
  await workbench.page.keyboard.press('Enter');
  await act(say.rewriteReject).waitFor();
  await workbench.page.keyboard.press('Escape');
  await box().waitFor({ state: 'detached' });
  expect(await text()).toBe(vault['Now.md']);
}

async function looksSound(phone: boolean): Promise<void> {
  /** Looks at what is shown in every theme of the device, and saves a picture of each. */
  const look = async (name: string, then = async (): Promise<void> => {}): Promise<void> => {
    if (!phone) return lookInThemes(workbench, `prompts-${name}`, then);
    await workbench.screenshot(`prompts-${name}-phone`);
    await then();
  };
  await begin({ scripted: () => ({ text: 'The boat is blue.' }) });
  await pick('prompt', 'Steady hand');
  await pick('tier', words.settings.tiers[2]);
  await look('pickers');
  if (phone) {
    for (const button of await chatView.root.locator('.docent-picker').all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
  }
  await openPicker(chatView, 'mode');
  await look('menu');
  await menuItem(words.settings.modes.assistant).click();
  await workbench.command('show-prompts');
  await row('Shorten').waitFor();
  await row('Shorten')
    .locator('.docent-prompt-facts', { hasText: /\d tokens/ })
    .waitFor();
  await look('list', async () => {
    const { count, ratio, lowest } = await measureContrast(
      workbench.page,
      '.docent-prompts :is(div, span, p, h4), .docent-picker-value',
    );
    expect(count).toBeGreaterThan(10);
    expect([ratio >= 4.5, lowest]).toEqual([true, lowest]);
    expect(await measureOverflow(workbench.page)).toEqual([]);
  });
  await workbench.page.keyboard.press('Escape');
  if (phone) return;
  await openNote('Now.md');
  await select('The boat is very blue.');
  await workbench.command('rewrite-selection');
  const rewrite = workbench.page.locator('.docent-rewrite');
  await rewrite.getByRole('button', { name: 'Shorten', exact: true }).click();
  await workbench.page.locator('.cm-line del').waitFor();
  await look('rewrite', async () => {
    const { ratio, lowest } = await measureContrast(
      workbench.page,
      '.docent-rewrite :not(.mod-cta, .mod-cta *), .cm-line :is(del, ins)',
    );
    expect([ratio >= 4.5, lowest]).toEqual([true, lowest]);
  });
  await act(say.rewriteReject).click();
  await box().waitFor({ state: 'detached' });
}

describe('on the desktop', () => {
  share({});

  it('R129 commands stand before the pane was opened, and follow the notes from then on', async () => {
    expect(await workbench.page.locator('.docent-pane').count()).toBe(0);
    await until(async () => (await commandNames()).includes('Docent: Run prompt: Steady hand'), 'the command');
    await workbench.writeNote('Docent/prompts/Fresh.md', '---\nname: Fresh one\n---\nDo.\n');
    await until(async () => (await commandNames()).includes('Docent: Run prompt: Fresh one'), 'the new command');
    expect(workbench.model?.requests).toEqual([]);
  });

  it('R129@disk R171@request a prompt written in the settings runs by its command, by / and by @, and goes with its note', async () => {
    await beginWithoutView();
    const settings = await openSettingsWindow(workbench);
    await settings.row(say.setting).getByRole('button', { name: say.settingOpen }).click();
    const modal = promptsModal();
    await modal.waitFor();
    await modal.getByRole('button', { name: say.create }).click();
    await modal.getByLabel(say.name, { exact: true }).fill('Plan: the week?');
    await modal.getByLabel(say.description).fill('Days and boats');
    await modal
      .getByLabel(say.text, { exact: true })
      .fill('Plan ${arguments} with ${activeNote}, ${selection}, ${nothing}.');
    await modal.getByRole('button', { name: say.save, exact: true }).click();
    await row('Plan: the week?').waitFor();
    const path = 'Docent/prompts/Plan the week.md';
    expect(await workbench.readNote(path)).toBe(
      '---\nname: "Plan: the week?"\ndescription: "Days and boats"\n---\n\nPlan ${arguments} with ${activeNote}, ${selection}, ${nothing}.\n',
    );
    await workbench.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await settings.close();
    await until(async () => (await commandNames()).includes('Docent: Run prompt: Plan: the week?'), 'its command');

    await openNote('Now.md');
    await select('very blue');
    await workbench.command('prompt-Plan the week');
    chatView = await findChatView(workbench);
    await chatView.answers.first().waitFor();
    await chatView.untilIdle();
    expect(newText(lastSent(workbench.model))).toContain('Plan  with Now.md, very blue, ${nothing}.');
    expect(await chatView.questions.first().innerText()).toContain('/Plan: the week?');

    for (const [index, sign] of ['/', '@'].entries()) {
      await chatView.input.focus();
      await workbench.page.keyboard.type(`${sign}Plan`);
      await chatView.root.locator('.docent-popup-item.is-selected', { hasText: 'Plan: the week?' }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await workbench.page.keyboard.type(`the launch ${sign}1 & $&`);
      expect(await chatView.input.inputValue()).toBe(`${sign}Plan: the week? the launch ${sign}1 & $&`);
      await workbench.page.keyboard.press('Enter');
      await chatView.answers.nth(index + 1).waitFor();
      await chatView.untilIdle();
      const sent = newText(lastSent(workbench.model));
      expect(sent).toContain(`<prompt name="Plan: the week?">\nPlan the launch ${sign}1 & $& with Now.md, very blue`);
    }

    await workbench.page.evaluate(async (each) => {
      const file = window.app.vault.getFileByPath(each);
      if (file) await window.app.fileManager.trashFile(file);
    }, path);
    await until(async () => !(await commandNames()).some((name) => name.includes('the week')), 'the command is gone');
  });

  it('R128@dom R129@disk the list of prompts edits, switches, duplicates and deletes, and its commands follow', async () => {
    await begin();
    await workbench.command('show-prompts');
    await row('Steady hand').waitFor();
    expect(await row('Needs a web').innerText()).toMatch(/Tools missing[^]*no_such_tool/);
    expect(await commandNames()).toEqual(expect.arrayContaining(['Docent: Run prompt: Steady hand']));
    expect((await commandNames()).join()).not.toContain('Needs a web');

    await row('Steady hand').getByLabel(say.turnOff).click();
    await row('Steady hand').getByText(say.states.off, { exact: true }).waitFor();
    expect(await workbench.readNote('Docent/prompts/Steady.md')).toContain(
      'description: Calm answers\ndisabled: true\n---',
    );
    await until(async () => !(await commandNames()).join().includes('Steady'), 'its command is gone');
    await row('Steady hand').getByLabel(say.turnOn).click();
    await until(async () => (await commandNames()).join().includes('Steady'), 'its command is back');
    expect(await workbench.readNote('Docent/prompts/Steady.md')).toBe(vault['Docent/prompts/Steady.md']);

    await row('Shorten').getByLabel(say.duplicate).click();
    await row('Shorten (copy)').waitFor();
    expect(await workbench.readNote('Docent/prompts/Shorten (copy).md')).toContain('tags: ["rewrite"]');
    await row('Shorten (copy)').getByLabel(say.delete).click();
    await workbench.page.getByRole('button', { name: say.delete, exact: true }).click();
    await row('Shorten (copy)').waitFor({ state: 'detached' });
    await expect(workbench.readNote('Docent/prompts/Shorten (copy).md')).rejects.toThrow('ENOENT');

    await row('Steady hand').getByLabel(say.edit).click();
    await promptsModal().waitFor({ state: 'detached' });
    await until(
      () => workbench.page.evaluate(() => window.app.workspace.getActiveFile()?.path === 'Docent/prompts/Steady.md'),
      'its note is open',
    );
  });

  it('a prompt that wants words waits in the box', async () => {
    await beginWithoutView();
    await workbench.command('prompt-built-in/question-me');
    chatView = await findChatView(workbench);
    await until(async () => (await chatView.input.inputValue()) === '/Question me ', 'its name stands in the box');
    expect(workbench.model?.requests).toEqual([]);
    await chatView.input.press('End');
    await workbench.page.keyboard.type('whether to sail');
    await workbench.page.keyboard.press('Enter');
    await chatView.answers.first().waitFor();
    expect(newText(lastSent(workbench.model))).toContain('The topic: whether to sail');
  });

  it('R176@request R177@request R168@request R094 R107 what a chat has chosen holds for it alone, and over a reload', async () => {
    await begin();
    await pick('mode', words.settings.modes.planning);
    await pick('tier', words.settings.tiers[2]);
    await pick('prompt', 'Steady hand');
    await pick('workspace', 'The boat');
    await openPicker(chatView, 'notes');
    await menuItem(say.addNote).click();
    await workbench.page.locator('.prompt-input').fill('Tides');
    await workbench.page.locator('.suggestion-item', { hasText: 'Tides.md' }).first().click();
    await until(async () => (await picker('notes').innerText()).includes('1'), 'the note is chosen');
    await chatView.ask('Hello');
    const sent = newText(lastSent(workbench.model));
    expect(sent).toMatch(/<selected_prompt>\n.*Follow it:\n\nAnswer calmly, on \w+/);
    expect(sent).toMatch(/<selected_workspace [^>]*name="The boat"/);
    expect(sent).toContain('High water at six.');

    await workbench.reload();
    chatView = await openChatView(workbench);
    await picker('mode').waitFor();
    const chosen = async (): Promise<string[]> =>
      Promise.all(['mode', 'model', 'tier', 'prompt', 'workspace', 'notes'].map((id) => picker(id).innerText()));
    expect(await chosen()).toEqual([words.settings.modes.planning, 'scripted', '2', 'Steady hand', 'The boat', '1']);
    await chatView.ask('Again');
    expect(newText(lastSent(workbench.model))).toContain('Answer calmly');

    await workbench.command('new-chat');
    const shown = (): Promise<string[]> => chatView.root.locator('.docent-picker').allInnerTexts();
    const usual = ['', 'scripted', words.asking.permissions.review];
    await until(async () => JSON.stringify(await shown()) === JSON.stringify(usual), 'a new chat has the usual');
    await chatView.ask('Hello');
    expect(newText(lastSent(workbench.model))).not.toMatch(/Answer calmly|High water|<selected_workspace/);
  });

  it('R110@dom R176 pickers open by keys, with the guidance of each mode', async () => {
    await begin();
    await picker('more').focus();
    await workbench.page.keyboard.press('Enter');
    await menuItem(say.pickMode).waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    expect(await menuItem(words.settings.modes.debugger).innerText()).toContain('sync conflicts');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    await until(async () => (await picker('mode').innerText()) === words.settings.modes.developer, 'the mode');
  });

  it('R176@request R176@dom what vanishes while it is in use is told, and the chat goes on without', async () => {
    await begin();
    await pick('prompt', 'Steady hand');
    await chatView.ask('Hello');
    expect(newText(lastSent(workbench.model))).toContain('Answer calmly');
    await workbench.page.evaluate(async () => {
      const file = window.app.vault.getFileByPath('Docent/prompts/Steady.md');
      if (file) await window.app.vault.delete(file);
    });
    const notice = chatView.root.locator('.docent-gone');
    await notice.waitFor();
    expect(await notice.innerText()).toContain('Steady');
    await chatView.ask('Again');
    // What was sent stays as it was; the message says that it holds no longer.
    const newest = newMessages(lastSent(workbench.model))
      .map(({ text }) => text)
      .join('\n');
    expect(newest).toContain('Removed: selected-prompt.');
    expect(newest).not.toContain('Answer calmly');
    await notice.getByRole('button').click();
    await notice.waitFor({ state: 'detached' });
    expect(await picker('prompt').count()).toBe(0);
  });

  it('R105 a model that is gone gives way to that of the settings, visibly', async () => {
    await begin({ settings: { model: 'ghost/one' } });
    await pick('model', 'ghost/one');
    await chatView.ask('Hello');
    expect(await chatView.failures.first().innerText()).toContain('ghost/one');
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Model', 'OpenAI-compatible server: scripted');
    await settings.close();
    const notice = chatView.root.locator('.docent-gone');
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(/ghost\/one[^]*OpenAI-compatible server: scripted\./);
    await chatView.ask('Hello');
    expect(await chatView.answers.last().innerText()).toContain('All right.');
    await notice.getByRole('button').click();
    await notice.waitFor({ state: 'detached' });
    expect(await picker('model').innerText()).toBe('scripted');
  });

  describe('a selection', () => {
    it('is rewritten in the text, refined, accepted, and undone', () => rewriteSelection(false));

    it('is quoted in the chat, behind the draft', async () => {
      await begin();
      await chatView.input.fill('My draft');
      await openNote('Now.md');
      await select('The boat is very blue.');
      await editorMenu(words.commandNames['ask-about-selection']);
      await until(
        async () =>
          (await chatView.input.inputValue()) ===
          'My draft\nAbout this passage of [[Now]]:\n\n> The boat is very blue.\n\n',
        'the quote stands in the box',
      );
    });

    it('of a note that is kept from the agent is not sent', async () => {
      await begin();
      await openNote('Private/Diary.md');
      await select('Secret thoughts.');
      await workbench.command('rewrite-selection');
      await workbench.page.locator('.notice', { hasText: 'Private/Diary.md' }).waitFor();
      expect(await box().count()).toBe(0);
      expect(workbench.model?.requests).toEqual([]);
    });

    it('cannot be rewritten by the built-in reader, which says so', async () => {
      await begin({ settings: { model: 'reader/built-in' } });
      await openNote('Now.md');
      await select('very blue');
      await workbench.command('rewrite-selection');
      await workbench.page.locator('.notice', { hasText: 'cannot rewrite' }).waitFor();
    });
  });

  it('R175@dom a note and a folder are added from the menu of files', async () => {
    await beginWithoutView();
    await workbench.page.locator('.nav-file-title', { hasText: 'Tides' }).click({ button: 'right' });
    await menuItem(say.addToChat).click();
    chatView = await findChatView(workbench);
    await chatView.chips.first().waitFor();
    expect(await chatView.input.inputValue()).toBe('[[Tides]] ');
    await chatView.input.press('End');
    await workbench.page.keyboard.type('what?');
    await workbench.page.keyboard.press('Enter');
    await chatView.answers.first().waitFor();
    expect(newText(lastSent(workbench.model))).toContain('High water at six.');
  });

  it('R176 looks sound', () => looksSound(false));
});

describe('on a phone', () => {
  share({ phone: true });

  it('a selection is rewritten in the text, refined, accepted, and undone', () => rewriteSelection(true));

  it('R176 looks sound', () => looksSound(true));
});
