/**
 * The chat view in a window of its own: a question, an edit, its review by keyboard, and the menus and dialogs that
 * open in that window.
 */
import type { Locator, Page } from 'playwright-core';
import { words } from '../../../src/text';
import { findChatView, openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { lastSent } from '../driver/sent-request';
import { closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';
import { editNote, treeOf } from '../driver/writing-walk';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(120_000);

const vault = {
  'Crew.md': '# Crew\n\nRui steers by day.\n\nMhairi bails when it rains.\n',
  'Stores.md': '| What | How many |\n|---|---|\n| Rope | 3 |\n',
};
const edits = [
  editNote('Crew.md', 'Rui steers', 'Rui navigates'),
  editNote('Crew.md', 'when it rains', 'in a squall'),
  editNote('Stores.md', '| Rope | 3 |', '| Rope | 5 |'),
];
const script: Script = (request) => {
  const last = readRequest(request).messages.at(-1);
  if (last?.results.some(({ text }) => text.includes('steers')) === true) return { toolCalls: edits };
  if (last?.results.length === 0 && last.text.includes('up to date')) {
    return { toolCalls: [{ name: 'read_notes', arguments: { paths: Object.keys(vault) } }] };
  }
  return { text: 'See [[Crew]] and https://example.org/boats.\n\n```js\nrow();\n```\n' };
};

let workbench: OpenedWorkbench;
let popup: Page;
let chatView: OpenedChatView;
const card = (): Locator => chatView.root.locator('.docent-review');
const focus = (): Promise<string> =>
  popup.evaluate(() => {
    const at = document.activeElement;
    return at?.ariaLabel ?? document.getElementById(at?.getAttribute('aria-labelledby') ?? '')?.ariaLabel ?? '';
  });

beforeAll(async () => {
  workbench = await openWorkbench({ vault, scripted: script, desktop: true });
  await openChatView(workbench);
  const opening = workbench.page.context().waitForEvent('page');
  await workbench.page.evaluate(() => {
    const { workspace } = window.app;
    const [leaf] = workspace.getLeavesOfType('docent-chat');
    if (leaf !== undefined) workspace.moveLeafToPopout(leaf, { size: { width: 520, height: 760 } });
  });
  popup = await opening;
  // The browser treats every page as focused, so that no page gets a focus event unless the test dispatches one.
  await popup.evaluate(() => window.dispatchEvent(new Event('focus')));
  chatView = await findChatView({ ...workbench, page: popup });
});

beforeEach(() => startChat({ workbench, chatView }));
afterAll(() => closeQuiet(workbench));

/** Of what the app lays over a window, how much is in the main one. */
const inMain = (selector: string): Promise<number> => workbench.page.locator(selector).count();

it('R220 a turn of writing is reviewed by keys, applied and undone in it', async () => {
  const before = await treeOf(workbench);
  await chatView.ask('Bring the notes up to date.');
  await card().waitFor();
  expect(await inMain('.docent-review')).toBe(0);
  for (let step = 0; step < 60 && !(await focus()).startsWith('Edited: Crew'); step += 1) {
    await popup.keyboard.press('Shift+Tab');
  }
  expect(await focus()).toBe('Edited: Crew');
  await popup.keyboard.press('j');
  await popup.keyboard.press('r');
  await popup.keyboard.press('w');
  await card().locator('input:focus').waitFor();
  await popup.keyboard.type('He steers.');
  await popup.keyboard.press('Enter');
  await card().locator('.docent-review-hunk.is-rejected').waitFor();
  while ((await focus()) !== 'line 5 of Crew') await popup.keyboard.press('j');
  await popup.keyboard.press('e');
  await card().locator('textarea:focus').waitFor();
  expect(
    await card()
      .locator('textarea')
      .evaluate((box) => box.clientHeight),
  ).toBeGreaterThan(20);
  await popup.keyboard.press('Control+a');
  await popup.keyboard.type('Mhairi bails at dusk.');
  await popup.keyboard.press('Control+Enter');
  await card().locator('ins', { hasText: 'dusk' }).waitFor();
  expect(await focus()).toBe('line 5 of Crew');
  await card().getByRole('button', { name: 'Apply 2 of 3 changes' }).waitFor();
  await until(
    () =>
      card()
        .getByRole('button', { name: /^Apply 2/ })
        .isEnabled(),
    'it can be applied',
  );
  await popup.keyboard.press('Enter');
  await card().getByText('Applied to 2 notes').waitFor();
  expect(await treeOf(workbench)).toEqual({
    'Crew.md': vault['Crew.md'].replace('when it rains', 'at dusk'),
    'Stores.md': vault['Stores.md'].replace('3', '5'),
  });
  await card().getByRole('button', { name: 'Undo all' }).click();
  await card().getByText('Undone in 2 notes').waitFor();
  expect(await treeOf(workbench)).toEqual(before);
  // The line above the box leads to the review in this window as well.
  await chatView.ask('And now?');
  expect(JSON.stringify(lastSent(workbench.model))).toContain('He steers.');
});

it('R176 its menus, its windows, its list of notes and what it tells stand in it', async () => {
  await chatView.input.click();
  for (const name of [words.prompts.pickPrompt, words.prompts.pickNotes]) {
    await chatView.root.locator('.docent-picker.is-more').click();
    await popup.locator('.menu-item', { hasText: name }).click();
    await popup.locator('.menu, .modal, .prompt').first().waitFor();
    expect([name, await inMain('.menu, .modal, .prompt')]).toEqual([name, 0]);
    await popup.keyboard.press('Escape');
    await popup.locator('.menu, .modal, .prompt').first().waitFor({ state: 'detached' });
  }
  await chatView.mention('Cre');
  expect(await chatView.chipNames()).toEqual(['Crew']);
  await chatView.ask('Hello.');
  await chatView.root.locator('button.docent-context').first().click();
  await popup.locator('.modal').waitFor();
  expect(await inMain('.modal')).toBe(0);
  await popup.keyboard.press('Escape');
  await popup.locator('.modal').waitFor({ state: 'detached' });
  for (const command of ['show-prompt', 'show-diagnostics']) {
    await workbench.command(command);
    await popup.locator('.modal').waitFor();
    expect([command, await inMain('.modal')]).toEqual([command, 0]);
    await popup.keyboard.press('Escape');
    await popup.locator('.modal').waitFor({ state: 'detached' });
  }
});

it('R220 closed, it leaves a chat that goes on in the main window, with what waits', async () => {
  await chatView.ask('Bring the notes up to date.');
  await card().waitFor();
  // Runs the page's unload handlers, as when a user closes the window.
  await popup.close({ runBeforeUnload: true });
  await until(() => workbench.page.context().pages().length === 1, 'the window is gone');
  chatView = await openChatView(workbench);
  await card().waitFor();
  await until(
    () =>
      card()
        .getByRole('button', { name: /^Apply all/ })
        .isEnabled(),
    'it can be applied',
  );
  await card()
    .getByRole('button', { name: /^Apply all/ })
    .click();
  await card().getByText('Applied to 2 notes').waitFor();
  expect((await treeOf(workbench))['Stores.md']).toContain('| Rope | 5 |');
});
