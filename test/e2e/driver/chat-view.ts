/** The chat view for tests: opens it by its command, types into it, reads it, and reads its log on disk. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilInPage } from 'obsidian-workbench/testing/page';
import type { Locator, Page } from 'playwright-core';
import { words } from '../../../src/text';
import { lookAtPage, readdir, readFile } from './reach';
import type { OpenedWorkbench } from './workbench';

export interface OpenedChatView {
  readonly root: Locator;
  readonly input: Locator;
  readonly questions: Locator;
  readonly answers: Locator;
  /** Notes about failures, in the transcript and below it. */
  readonly failures: Locator;
  /** Chips above the box. */
  readonly chips: Locator;
  /** What they are called, without what they cost. */
  chipNames(): Promise<string[]>;
  readonly suggestions: Locator;
  /** Types the text into the box and sends it; resolves when the transcript shows the message. */
  send(text: string): Promise<void>;
  /** Sends the text and waits until nothing runs any more; returns the answer. */
  ask(text: string): Promise<Locator>;
  untilIdle(): Promise<void>;
  untilRunning(): Promise<void>;
  /** Types `[[` and the query with the keyboard and waits for the list. */
  openNoteList(query: string): Promise<void>;
  /** Attaches the note that is first in the list for this query. */
  mention(query: string): Promise<void>;
}

export async function openChatView(workbench: OpenedWorkbench): Promise<OpenedChatView> {
  await workbench.command('open-chat');
  return findChatView(workbench);
}

/** Finds a chat view that is already open, as after a reload. */
export async function findChatView({ page }: OpenedWorkbench): Promise<OpenedChatView> {
  page.setDefaultTimeout(15_000);
  const root = page.locator('.docent-pane').first();
  const input = root.locator('.docent-composer-input');
  const questions = root.locator('.docent-user');
  const answers = root.locator('.docent-answer');
  const suggestions = root.locator('.docent-popup-item');
  const stop = root.locator('.docent-send.is-stop');
  await untilLoaded(page);
  const chatView: OpenedChatView = {
    root,
    input,
    questions,
    answers,
    failures: root.locator('.docent-failure'),
    chips: root.locator('.docent-composer .docent-chip'),
    chipNames: () => root.locator('.docent-composer .docent-chip-name').allInnerTexts(),
    suggestions,
    async send(text) {
      const before = await write(chatView, text);
      await page.keyboard.press('Enter');
      await untilShown(page, before);
    },
    async ask(text) {
      await chatView.send(text);
      await chatView.untilIdle();
      return answers.nth((await answers.count()) - 1);
    },
    untilIdle: () => untilIdle(page),
    untilRunning: () => stop.waitFor(),
    async openNoteList(query) {
      await input.focus();
      await page.keyboard.type(`[[${query}`);
      await root.locator('.docent-popup').waitFor();
    },
    async mention(query) {
      const before = await chatView.chips.count();
      await chatView.openNoteList(query);
      await page.keyboard.press('Enter');
      await chatView.chips.nth(before).waitFor();
    },
  };
  return chatView;
}

/** Milliseconds in which what is drawn with a change, or written after it, is there too. */
const settlingMs = 50;

async function untilLoaded(page: Page): Promise<void> {
  lookAtPage();
  const isLoaded = (): boolean => {
    const chatView = document.querySelector('.docent-pane');
    const box = chatView?.querySelector('.docent-composer-input');
    if (!chatView || !box || chatView.querySelector('.docent-loading') !== null) return false;
    return box.checkVisibility({ visibilityProperty: true });
  };
  await untilInPage(page, isLoaded, null, 15_000).catch(() => Promise.reject(new Error('The chat view is not shown.')));
}

/** Writes the text into the box, in place of what it has; returns the place of the last question before. */
async function write({ input, questions }: OpenedChatView, text: string): Promise<number> {
  const page = input.page();
  const before = await page.evaluate(() => {
    const chatView = document.querySelector('.docent-pane');
    const box = chatView?.querySelector<HTMLTextAreaElement>('.docent-composer-input');
    if (!chatView || !box?.checkVisibility({ visibilityProperty: true }) || box.disabled || box.readOnly) return null;
    box.select();
    box.focus();
    const last = [...chatView.querySelectorAll('.docent-user')].at(-1);
    return Number(last?.closest<HTMLElement>('.docent-item')?.dataset['place'] ?? -1);
  });
  if (before === null || text === '') {
    // The driver waits until there is a box that can be written in.
    await input.fill(text);
    return before ?? placeOfLast(questions);
  }
  await page.keyboard.insertText(text);
  return before;
}

async function untilShown(page: Page, before: number): Promise<void> {
  lookAtPage();
  const isShown = (place: number): boolean => {
    const last = [...(document.querySelector('.docent-pane')?.querySelectorAll('.docent-user') ?? [])].at(-1);
    return Number(last?.closest<HTMLElement>('.docent-item')?.dataset['place'] ?? -1) > place;
  };
  await untilInPage(page, isShown, before, 30_000).catch((thrown: unknown) => {
    throw new Error('The question is not shown.', { cause: thrown });
  });
  await sleep(settlingMs);
}

/** Waits until the chat in view has no question. */
export async function untilNew(page: Page): Promise<void> {
  lookAtPage();
  const isNew = (): boolean => document.querySelector('.docent-pane')?.querySelector('.docent-user') == null;
  await untilInPage(page, isNew, null, 15_000).catch((thrown: unknown) => {
    throw new Error('There is no new chat.', { cause: thrown });
  });
}

async function untilIdle(page: Page): Promise<void> {
  lookAtPage();
  const isIdle = (): boolean => document.querySelector('.docent-pane')?.querySelector('.docent-send.is-stop') == null;
  await untilInPage(page, isIdle, null, 30_000).catch((thrown: unknown) => {
    throw new Error('The answer does not end.', { cause: thrown });
  });
  await sleep(settlingMs);
}

/** The place of the last of these in the chat, of which older messages may not be in the page; -1 without one. */
export function placeOfLast(shown: Locator): Promise<number> {
  return shown.evaluateAll((all) => Number(all.at(-1)?.closest<HTMLElement>('.docent-item')?.dataset['place'] ?? -1));
}

/** One line of a conversation's log. */
export interface LogRecord {
  readonly conv: string;
  readonly k: string;
  readonly lam: number;
  readonly b: Record<string, unknown>;
}

/** The files of all conversations, by vault path. */
export async function readLogs({ vaultFolder }: OpenedWorkbench, agentFolder = 'Docent'): Promise<Map<string, string>> {
  const folder = path.join(vaultFolder, agentFolder, 'chats');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const logs = names.filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(logs.map((name) => readFile(path.join(folder, name), 'utf8')));
  return new Map(logs.map((name, index) => [`${agentFolder}/chats/${name}`, texts[index] ?? '']));
}

/** All entries on disk in their logical order. */
export async function readLog(workbench: OpenedWorkbench, agentFolder?: string): Promise<LogRecord[]> {
  const logs = await readLogs(workbench, agentFolder);
  return [...logs.values()]
    .flatMap((text) => text.split('\n').filter((line) => line !== ''))
    .map((line) => JSON.parse(line) as LogRecord)
    .sort((a, b) => a.lam - b.lam);
}

/** The id of the chat that the first chat view shows. */
export function chatInView({ page }: OpenedWorkbench): Promise<string> {
  return page.evaluate(() => String(window.app.workspace.getLeavesOfType('docent-chat')[0]?.view.getState()['chat']));
}

/** The entries of the chat in view on disk in their logical order, for a vault with other chats in it. */
export async function readLogInView(workbench: OpenedWorkbench): Promise<LogRecord[]> {
  const chat = await chatInView(workbench);
  return (await readLog(workbench)).filter(({ conv }) => conv === chat);
}

/** The first file of the chat in view, by its vault path, and what it holds. */
export async function readFileInView(workbench: OpenedWorkbench): Promise<readonly [file: string, text: string]> {
  const chat = await chatInView(workbench);
  return [...(await readLogs(workbench))].find(([file]) => file.includes(chat)) ?? ['', ''];
}

/** Opens a note in the active tab and waits until it is the active note. */
export async function bringToFront(page: Page, notePath: string): Promise<void> {
  await page.evaluate((link) => window.app.workspace.openLinkText(link, '', false), notePath);
  await until(
    () => page.evaluate((link) => window.app.workspace.getActiveFile()?.path === link, notePath),
    `${notePath} is open`,
  );
}

/** Selects the first place of this text in the note in front. */
export async function selectText(page: Page, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    const editor = window.app.workspace.activeEditor?.editor;
    if (!editor) throw new Error('No editor is in front.');
    const at = editor.getValue().indexOf(wanted);
    if (at < 0) throw new Error(`The note in front does not contain “${wanted}”.`);
    editor.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + wanted.length));
  }, text);
}

/** Returns what the plugin's database of unsaved texts holds. */
export async function readUnsaved(page: Page): Promise<readonly { readonly text: string }[]> {
  return page.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((each) => each.name?.endsWith('-search') === false) ?? {};
    if (name === undefined) return [];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('not opened'));
    });
    const texts = database.transaction('unsaved').objectStore('unsaved').getAll() as IDBRequest<{ text: string }[]>;
    const all = await new Promise<{ text: string }[]>((resolve) => (texts.onsuccess = () => resolve(texts.result)));
    database.close();
    return all;
  });
}

/** Waits until a draft that contains this is in the database of unsaved texts. */
export function untilUnsaved(page: Page, part: string): Promise<void> {
  const isStored = async (): Promise<boolean> => (await readUnsaved(page)).some(({ text }) => text.includes(part));
  return until(isStored, `${part} is stored in a draft`);
}

/** Waits until the condition holds, asking again every 50 ms. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 30_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Chooses a line of the menu that opens, with the keyboard alone. */
export async function chooseInMenu(page: Page, line: string | RegExp): Promise<void> {
  // A pointer that rests below the menu would select the line there at any moment.
  await page.mouse.move(0, 0);
  const items = page.locator('.menu .menu-item');
  await items.first().waitFor();
  for (let step = await items.count(); step > 0; step -= 1) {
    await page.keyboard.press('ArrowDown');
    const [selected = ''] = await page.locator('.menu .menu-item.selected').allInnerTexts();
    const [name = ''] = selected.split('\n');
    if (typeof line === 'string' ? name === line : line.test(selected)) return page.keyboard.press('Enter');
  }
  throw new Error(`The menu has no ${String(line)}.`);
}

/** A JSON file of the folder, read again while it is half written. */
export async function readStoredJson(workbench: OpenedWorkbench, file: string): Promise<Record<string, unknown>> {
  let read: Record<string, unknown> | null = null;
  await until(async () => {
    const text = await workbench.readNote(file).catch(() => '');
    try {
      read = JSON.parse(text) as Record<string, unknown>;
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError)) throw thrown;
    }
    return read !== null;
  }, `${file} is whole`);
  return read ?? {};
}

/** The path of the note that the main area shows. */
export function activeFile({ page }: OpenedWorkbench): Promise<string | null> {
  return page.evaluate(() => window.app.workspace.getActiveFile()?.path ?? null);
}

const pickerNames: Readonly<Record<string, string>> = {
  mode: words.prompts.pickMode,
  tier: words.prompts.pickTier,
  prompt: words.prompts.pickPrompt,
  workspace: words.prompts.pickWorkspace,
  notes: words.prompts.pickNotes,
};

/** Opens the menu of a picker, which is in view or in the menu of the rest. */
export async function openPicker({ root }: Pick<OpenedChatView, 'root'>, id: string): Promise<void> {
  await root.locator('.docent-picker.is-more').waitFor();
  const picker = root.locator(`.docent-picker.is-${id}`);
  if ((await picker.count()) > 0) return picker.click();
  await root.locator('.docent-picker.is-more').click();
  await root
    .page()
    .locator('.menu .menu-item', { hasText: pickerNames[id] ?? id })
    .first()
    .click();
}
