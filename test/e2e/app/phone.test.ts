/** The chat view on a phone of 390 by 844 points: opened, read, typed into and touched. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { activeFile, openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { lastSent, newText } from '../driver/sent-request';
import { readRequest, type Script } from '../../support/model-server';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const width = 390;
const height = 844;
/** Points that a finger needs. */
const target = 44;

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({ phone: true, ...options });
  chatView = await openChatView(workbench);
}

async function expectInView(element: Locator): Promise<void> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown.');
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
}

/**
 * Returns the label and the size of each control in the chat view that is smaller than a touch target. Omits links in
 * running text.
 */
function smallTargets(): Promise<string[]> {
  return chatView.root.evaluate((root, least) => {
    const pressed = root.querySelectorAll<HTMLElement>('button, [role=option], textarea, summary');
    return [...pressed]
      .filter((element) => element.offsetParent !== null)
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => Math.round(box.width) < least || Math.round(box.height) < least)
      .map(
        ({ element, box }) =>
          `${element.getAttribute('aria-label') ?? element.innerText}: ${box.width} × ${box.height}`,
      );
  }, target);
}

afterEach(() => {
  expect(workbench.errors).toEqual([]);
});

describe('with the built-in reader', () => {
  beforeAll(() => open());
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => workbench.close());

  it('opens by its command and shows the box to type in', async () => {
    await expectInView(chatView.input);
    await expectInView(chatView.root.getByRole('button', { name: 'Send', exact: true }));
  });

  it('leaves the messages half of the height when it is held sideways, with all controls in view', async () => {
    await chatView.ask('What did she draw when she was launched on 2 May 2026?');
    await workbench.page.setViewportSize({ width: height, height: width });
    try {
      const read = await chatView.root.locator('.docent-transcript').boundingBox();
      expect(read?.height).toBeGreaterThanOrEqual(width / 2);
      const controls = chatView.root.locator('.docent-toolbar button, .docent-foot button, .docent-foot textarea');
      for (const control of await controls.filter({ visible: true }).all()) {
        const box = await control.boundingBox();
        expect(box !== null && box.x >= 0 && box.x + box.width <= height && box.y + box.height <= width).toBe(true);
      }
      expect(await smallTargets()).toEqual([]);
      const input = await chatView.input.boundingBox();
      expect(input?.width).toBeGreaterThan(200);
    } finally {
      await workbench.page.setViewportSize({ width, height });
    }
  });

  it('shows an answer that can be read without scrolling sideways, and opens its links', async () => {
    const answer = await chatView.ask('What did she draw when she was launched on 2 May 2026?');
    await expectInView(chatView.input);
    const sideways = await chatView.root.evaluate((root) =>
      [root, ...root.querySelectorAll<HTMLElement>('.docent-transcript, .docent-answer, .docent-markdown')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    );
    expect(Math.max(...sideways)).toBeLessThanOrEqual(0);
    expect(await workbench.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    // The header has the title of the chat as soon as it has one.
    const header = workbench.page.locator('.workspace-drawer-active-tab-title', { hasText: 'What did she draw' });
    await header.waitFor();
    // A long one takes one line of it, as in Obsidian.
    expect((await header.boundingBox())?.height).toBeLessThan(30);
    const link = answer.locator('a.internal-link').first();
    const destination = await link.getAttribute('title');
    await link.tap();
    await until(async () => (await activeFile(workbench)) === destination, 'the note is open');
    await until(async () => {
      const note = workbench.page
        .locator('.workspace-leaf.mod-active .markdown-source-view, .workspace-leaf.mod-active .markdown-preview-view')
        .first();
      const box = await note.boundingBox();
      return box !== null && box.x >= 0 && box.x < width / 2;
    }, 'the note is in view');
  });

  it('shows answers, and what was asked, as large as notes', async () => {
    const answer = await chatView.ask('When was Whimbrel launched?');
    const size = (element: Locator): Promise<string> => element.evaluate((found) => getComputedStyle(found).fontSize);
    const ofNotes = await workbench.page.evaluate(() =>
      getComputedStyle(document.body).getPropertyValue('--font-text-size'),
    );
    const shown = [chatView.root.locator('.docent-user-text').last(), answer.locator('.docent-markdown').last()];
    expect(await Promise.all(shown.map(size))).toEqual([ofNotes, ofNotes]);
  });

  it('gives every button and every line of the list the size of a finger', async () => {
    expect(await smallTargets()).toEqual([]);
    await chatView.ask('When was Whimbrel launched?');
    await chatView.root.locator('.docent-run-line').first().tap();
    await chatView.mention('Now');
    await chatView.openNoteList('Whim');
    expect(await smallTargets()).toEqual([]);
  });
});

it('leaves the words of a setting their width next to two buttons', async () => {
  await open();
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(words.ownPrompt.templates);
  const text = await settings.row(words.ownPrompt.templates).locator('.setting-item-info').boundingBox();
  expect(text?.width).toBeGreaterThan(width / 2);
  await workbench.close();
});

it('gives the main button of a server a line of its own, and the others the next one', async () => {
  const mcpServers = [{ name: 'boats', url: 'http://127.0.0.1:9/mcp', keyName: '', isOn: true }];
  await open({ settings: { mcpServers } });
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  const control = settings.row('boats').locator('.setting-item-control');
  const boxes = await control.evaluate((element) =>
    Array.from(element.children, (child) => child.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .map(({ top, height, width: own }) => ({ middle: Math.round(top + height / 2), own })),
  );
  const [main, ...others] = boxes;
  expect(main?.own).toBeGreaterThan(width * 0.75);
  expect([others.length > 1, new Set(others.map(({ middle }) => middle)).size]).toEqual([true, 1]);
  await workbench.close();
});

describe('with a model', () => {
  const script: Script = (request) =>
    readRequest(request).messages.at(-1)?.text.includes('story') === true
      ? { text: 'word '.repeat(300), delayMs: 30 }
      : { text: 'Understood.' };
  beforeAll(() => open({ scripted: script }));
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => workbench.close());

  it('R175@dom attaches a note by touch', async () => {
    await chatView.openNoteList('oatc');
    await chatView.suggestions.filter({ hasText: 'Oatcakes' }).first().tap();
    await chatView.chips.getByText('Oatcakes').waitFor();
    expect(await chatView.input.inputValue()).toBe('[[Oatcakes]] ');
    await chatView.root.getByRole('button', { name: 'Send', exact: true }).tap();
    await chatView.answers.getByText('Understood.').waitFor();
    expect(newText(lastSent(workbench.model))).toContain('<note path="Recipes/Oatcakes.md">');
  });

  it('leaves room below the tokens of a note with a long name', async () => {
    const name = 'A note with a name that is far too long for one line of a phone, as those of clippings are';
    await workbench.writeNote(`${name}.md`, 'Blue.\n');
    await workbench.page.waitForFunction((file) => window.app.vault.getFileByPath(file) !== null, `${name}.md`);
    await chatView.mention('A note with a name');
    const chip = chatView.chips.first();
    const size = chip.locator('.docent-chip-size');
    await size.waitFor();
    const [outer, inner] = await Promise.all([chip.boundingBox(), size.boundingBox()]);
    const bottom = (box: typeof outer): number => (box?.y ?? 0) + (box?.height ?? 0);
    expect(bottom(outer) - bottom(inner)).toBeGreaterThanOrEqual(4);
    await chatView.input.fill('');
  });

  it('stops an answer by touch', async () => {
    await chatView.send('Tell me a story');
    await chatView.answers.first().getByText('word word').waitFor();
    await chatView.root.getByRole('button', { name: 'Stop', exact: true }).tap();
    await chatView.answers.first().getByText('Stopped.').waitFor();
  });
});
