/**
 * The diagnostics and their mark in the chat view: problems in the user's own notes, reported where the user can fix
 * them.
 */
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { builtFolders } from '../driver/browser';
import { activeFile, until } from '../driver/chat-view';
import { begin } from '../driver/begin-again';
import { chatView, openApp, openChat, showChat, workbench } from '../driver/open-chat';
import { stat } from '../driver/reach';
import { sentRequests } from '../driver/sent-request';
import { closeQuiet, type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const note = (properties: string): string => `---\n${properties}\n---\nText.\n`;
const vault = {
  'Docent/workspaces/Boat.md': note('folder: [a]'),
  'Docent/prompts/Plan.md': '---\nname: a: b: c\n  - [\n---\nPlan my week.\n',
  'Docent/prompts/Web.md': note('requiredTools: no_such_tool'),
  'Docent/memory.md': 'Tea at four.\n',
};

async function open(options: OpenOptions = {}): Promise<void> {
  await openChat({ vault, ...options });
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
}

const mark = (): Locator => chatView.root.locator('.docent-needs-look:not(.docent-instructions-notice)');
/** Shown for the moment in which a text is allowed and another one is still on the disk. */
const waiting = (): Locator => chatView.root.locator('.docent-instructions-notice');
const modal = (): Locator => workbench.page.locator('.docent-diagnostics-modal');
const check = (id: string): Locator => modal().locator(`[data-check="${id}"]`);
const about = (notePath: string): Locator => modal().locator('.docent-check-result').filter({ hasText: notePath });

describe('in one vault', () => {
  beforeAll(() => openApp({ vault }));
  afterAll(() => closeQuiet(workbench));

  it('R259@dom is shown without a chat as well', async () => {
    await workbench.command('show-diagnostics');
    await about('Docent/workspaces/Boat.md').waitFor();
  });

  describe('next to a chat', () => {
    beforeAll(showChat);

    beforeEach(async () => {
      await workbench.page.keyboard.press('Escape');
      await modal().waitFor({ state: 'detached' });
      for (const [notePath, text] of Object.entries(vault)) await workbench.writeNote(notePath, text);
    });

    it('R259@dom a broken note is told in the pane, can be opened from there, and is forgotten once it is mended', async () => {
      await mark().getByText('Problems in 2 notes of Docent').waitFor();
      expect(await mark().innerText()).toContain('Boat.md: Its “folder” is not text.');
      await mark().click();
      await about('Docent/workspaces/Boat.md').getByText('Its “folder” is not text.').waitFor();
      expect(await about('Docent/workspaces/Boat.md').innerText()).toContain('In the next request');
      expect(await about('Docent/prompts/Plan.md').innerText()).toContain('Its properties can’t be read.');
      expect(await about('Docent/prompts/Web.md').innerText()).not.toContain('In the next request');
      await about('Docent/workspaces/Boat.md').getByRole('button', { name: 'Open the note' }).click();
      await until(async () => (await activeFile(workbench)) === 'Docent/workspaces/Boat.md', 'the note is open');
      expect(await modal().count()).toBe(0);
      await workbench.writeNote('Docent/workspaces/Boat.md', note('name: Boat'));
      await mark().getByText('Problems in 1 note of Docent').waitFor();
      await workbench.writeNote('Docent/prompts/Plan.md', note('name: Plan'));
      await mark().waitFor({ state: 'detached' });
    });

    it('R174@dom follows the vault while it is open, and makes the folder that a workspace lacks', async () => {
      await workbench.writeNote('Docent/workspaces/Lost.md', note('folder: New/Deep'));
      await workbench.command('show-diagnostics');
      await about('Docent/workspaces/Lost.md').getByRole('button', { name: 'Create folder' }).click();
      await about('Docent/workspaces/Lost.md').waitFor({ state: 'detached' });
      expect((await stat(path.join(workbench.vaultFolder, 'New/Deep'))).isDirectory()).toBe(true);
      await workbench.writeNote('Docent/workspaces/Boat.md', note('name: Boat'));
      await check('workspaces').getByText('All 2 workspaces can be used.').waitFor();
    });

    it('R196@dom tells in the pane, unasked, that AGENTS.md is cut', async () => {
      for (const broken of Object.keys(vault)) await workbench.writeNote(broken, note('name: Fine'));
      await mark().waitFor({ state: 'detached' });
      await workbench.writeNote('AGENTS.md', 'Keep it short.\n'.repeat(140_000));
      await mark().getByText('AGENTS.md: It is too long').waitFor();
      await workbench.writeNote('AGENTS.md', 'Keep it short.\n');
      await mark().waitFor({ state: 'detached' });
      await waiting().waitFor({ state: 'detached' });
    });
  });

  // Last, since the settings stay: a second try of the tests above comes before it.
  it('R259@dom tells that the model lacks its key, asks nobody, and leads to the settings', async () => {
    const settings = { model: 'anthropic/claude-opus-5', providers: {} };
    await begin({ vault: { 'Docent/memory.md': '' }, settings });
    await mark().getByText('Problems in 1 setting of Docent').waitFor();
    await mark().click();
    await check('model').getByText('No API key is stored for Anthropic').waitFor();
    await check('model').getByRole('button', { name: 'Open settings' }).click();
    await workbench.page.locator('.modal.mod-settings').waitFor();
    expect(sentRequests(workbench.model)).toEqual([]);
  });
});

describe('in a vault of its own', () => {
  afterEach(() => closeQuiet(workbench));

  it('R259@dom says nothing in the pane while all is well, and shows each check in words', async () => {
    await open({ vault: builtFolders().demoVault });
    await chatView.ask('Hello');
    await workbench.page.waitForTimeout(1_000);
    expect([await mark().count(), await waiting().count()]).toEqual([0, 0]);
    await workbench.command('show-diagnostics');
    await modal().getByText('No problems found.').waitFor();
    const sections = await modal().locator('.docent-check').allInnerTexts();
    expect(sections.length).toBeGreaterThan(8);
    for (const text of sections) expect(text).toMatch(/\w+\n.*(OK|Info|:\d\d)/s);
    await modal().getByRole('button', { name: 'Copy diagnostics' }).click();
    expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Docent \d/);
  });

  it('R259@dom fits a phone, and its buttons fit a finger', async () => {
    await open({ phone: true });
    await mark().waitFor();
    expect((await mark().boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await mark().tap();
    const button = about('Docent/workspaces/Boat.md').getByRole('button', { name: 'Open the note' });
    await button.waitFor();
    for (const each of await modal().locator('.docent-diagnostics button').all()) {
      expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    expect(await modal().evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    const { x, width } = (await modal().boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    await button.tap();
    await until(async () => (await activeFile(workbench)) === 'Docent/workspaces/Boat.md', 'the note is open');
  });
});
