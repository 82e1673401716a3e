/** An app that several tests share, brought to what each of them begins with: to open another one costs far more. */
import type { Page } from 'playwright-core';
import { defaultSettings } from '../../../src/core/settings/settings';
import { type Script, scriptedSettings } from '../../support/model-server';
import type { OpenedChatView } from './chat-view';
import { chatView, openChat, workbench } from './open-chat';
import { sentTo, startChat, type Walk } from './reach-walk';
import { allowInstructions, closeQuiet, type OpenOptions } from './workbench';

/** What a test begins with, as at an opening. */
export interface Beginning {
  /** The plugin's data.json, over the settings of the scripted model; nothing of what was set before stays. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The model answers the same to everything unless it is given. */
  readonly scripted?: Script;
  /** All files but hidden ones, allowed by the user where they instruct the agent; without it, files stay as they are. */
  readonly vault?: Readonly<Record<string, string>>;
}

/** Opens one app for the tests of the enclosing block, each of which begins in it with `begin`. */
export function shareChat(options: OpenOptions): void {
  beforeAll(() => openChat(options));
  afterAll(() => closeQuiet(workbench));
}

/** Begins in the app that is open as `beginAgain` does. */
export const begin = (beginning?: Beginning): Promise<void> => beginAgain({ workbench, chatView }, beginning);

/** A walk in the app that the file shares: it begins before the tests of the enclosing block. */
export function sharedWalk(beginning: Beginning, drive: (walk: Walk) => Promise<void>): Walk {
  const result: Walk = {
    get workbench() {
      return workbench;
    },
    get chatView() {
      return chatView;
    },
    sent: (index) => sentTo(workbench, index),
  };
  beforeAll(async () => {
    await begin(beginning);
    await drive(result);
  }, 120_000);
  return result;
}

/**
 * Begins a new chat with an empty box, in which the model got nothing yet and nothing lies over the app. Older chats stay,
 * and so does what Obsidian itself is set to.
 */
export async function beginAgain(
  { workbench, chatView }: Pick<Walk, 'workbench' | 'chatView'>,
  { settings, scripted = () => ({ text: 'Understood.' }), vault }: Beginning = {},
): Promise<void> {
  const { page, model } = workbench;
  while (await hasDialog(page)) await page.keyboard.press('Escape');
  model?.setScript(scripted);
  await storeSettings(workbench, settings);
  if (vault !== undefined) await replaceNotes(workbench, vault, settings);
  await startChat({ workbench, chatView });
  await emptyBox(chatView);
}

/** Whether a dialog or menu lies over the app, which is rid of its notices if there is none. */
function hasDialog(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    if (document.querySelector('.modal-container, .menu') !== null) return true;
    document.querySelectorAll('.notice').forEach((each) => each.remove());
    return false;
  });
}

async function emptyBox({ input }: OpenedChatView): Promise<void> {
  const isEmpty = await input.page().evaluate(() => {
    const box = document.querySelector<HTMLTextAreaElement>('.docent-pane .docent-composer-input');
    box?.focus();
    return box?.value === '' && document.activeElement === box;
  });
  if (!isEmpty) await input.fill('');
}

/** Stores settings as another program would, and lets the plugin know as the app does; resolves when they hold. */
export async function storeSettings(
  { page, model }: Walk['workbench'],
  settings: Beginning['settings'] = {},
): Promise<void> {
  await allowInstructions(page, {}, settings);
  await page.evaluate(
    async (stored) => {
      const docent = window.app.plugins.getPlugin('docent');
      // After what the plugin is still saving, which would take this for another program's write and save again.
      await docent?.onExternalSettingsChange?.();
      await docent?.saveData(stored);
      await docent?.onExternalSettingsChange?.();
    },
    // What is missing stays as it was.
    { ...defaultSettings, ...(model && scriptedSettings(model.url)), ...settings },
  );
}

async function replaceNotes(
  { page }: Walk['workbench'],
  notes: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await allowInstructions(page, notes, settings);
  await page.evaluate(async (wanted) => {
    const { vault, metadataCache } = window.app;
    const isNeeded = (path: string): boolean =>
      // The plugin would miss its chats.
      path.startsWith('Docent/chats/') ||
      [...Object.keys(wanted), 'Docent/chats/'].some((each) => each.startsWith(path));
    for (const file of vault.getFiles()) if (!isNeeded(file.path)) await vault.delete(file);
    const unread = new Set<string>();
    const reading = metadataCache.on('changed', ({ path }) => void unread.delete(path));
    for (const [path, text] of Object.entries(wanted)) {
      const file = vault.getFileByPath(path);
      if (file !== null && (await vault.read(file)) === text) continue;
      unread.add(path);
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (file !== null) await vault.modify(file, text);
      else if (folder !== '' && vault.getFolderByPath(folder) === null) await vault.createFolder(folder);
      if (file === null) await vault.create(path, text);
    }
    for (const folder of vault.getAllFolders().reverse()) {
      if (!isNeeded(`${folder.path}/`)) await vault.delete(folder, true);
    }
    const isRead = (): boolean => ![...unread].some((path) => path.endsWith('.md'));
    while (!isRead()) await new Promise((resolve) => window.setTimeout(resolve, 10));
    metadataCache.offref(reading);
  }, notes);
}

/** Waits until the plugin knows the prompt of this file: a list that is opened before that does not have it. */
export async function untilPrompt({ page }: Walk['workbench'], name: string): Promise<void> {
  await page.waitForFunction((id) => id in window.app.commands.commands, `docent:prompt-${name}`);
}

/** Turns another plugin of the app that is open on or off. */
export async function turnPlugin(id: string, isOn: boolean): Promise<void> {
  await workbench.page.evaluate(
    async (turn) => {
      const { plugins } = window.app;
      if (turn.isOn) await plugins.enablePlugin(turn.id);
      else await plugins.disablePlugin(turn.id);
    },
    { id, isOn },
  );
}

/**
 * Has the page's own clock stop at this time, or go on with null, until it is loaded again: the driver's clock
 * would cost the window, which no other walk may use after it.
 */
export async function holdTime({ page }: Walk['workbench'], at: Date | null): Promise<void> {
  await page.evaluate((time) => {
    const own = window as unknown as { runningDate?: DateConstructor; Date: DateConstructor };
    const running = (own.runningDate ??= own.Date);
    if (time === null) return void (own.Date = running);
    own.Date = new Proxy(running, {
      construct: (Running, given: [number]) => Reflect.construct(Running, given.length > 0 ? given : [time]),
      apply: (Running) => String(new Running(time)),
      get: (Running, name) => (name === 'now' ? () => time : Reflect.get(Running, name)),
    });
  }, at?.getTime() ?? null);
}

/** Deletes a note of the app that is open if it is there. */
export async function removeNote(notePath: string): Promise<void> {
  await workbench.page.evaluate(async (path) => {
    const file = window.app.vault.getFileByPath(path);
    if (file !== null) await window.app.vault.delete(file);
  }, notePath);
}
