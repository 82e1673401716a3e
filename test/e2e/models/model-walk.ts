/** What walks with several models share: one workbench, in which each test asks its model in a chat of its own. */
import { words } from '../../../src/text';
import type { Script } from '../../support/model-server';
import { type LogRecord, readLogInView } from '../driver/chat-view';
import { chatView, openChat, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import type { OpenOptions } from '../driver/workbench';

const { labels } = words.models;
const labelsById: Readonly<Record<string, string>> = { ...labels, 'openai-compatible': labels.openaiCompatible };

let judged = 0;

/** Opens a workbench for the tests of the enclosing block; its model answers nothing yet. */
export function shareModels(options: OpenOptions): void {
  beforeAll(async () => {
    await openChat({ scripted: [], ...options });
    judged = 0;
    await waitAsLittleAsPossible();
  }, 120_000);
  afterAll(() => workbench.close());
}

/** Makes the waits between tries as short as they get. */
async function waitAsLittleAsPossible(): Promise<void> {
  await workbench.page.evaluate(() => void (Math.random = () => 0));
}

/**
 * Begins a chat with a model, which the settings have for new chats and which answers by this script. No window of the
 * test before is in its way, and the device has learned nothing of connections.
 */
export async function beginChat(id: string, script: Script): Promise<void> {
  workbench.model?.setScript(script);
  await workbench.page.evaluate(
    async ({ model, origin }) => {
      activeDocument.querySelectorAll<HTMLElement>('.modal-close-button').forEach((button) => button.click());
      for (const name of ['connection:', 'buffered-origin-'])
        window.app.saveLocalStorage(`docent-${name}${origin}`, null);
      const docent = window.app.plugins.getPlugin('docent');
      const stored = (await docent?.loadData()) as { model?: string } | null;
      if (stored?.model === model) return;
      await docent?.saveData({ ...stored, model });
      await docent?.onExternalSettingsChange?.();
    },
    { model: id, origin: workbench.model?.url },
  );
  await startChat({ workbench, chatView });
  judged = workbench.errors.length;
}

/** Chooses a model for the chat, as a person does by its menu. */
export async function pickModel(id: string): Promise<void> {
  const at = id.indexOf('/');
  const title = `${labelsById[id.slice(0, at)]}: ${id.slice(at + 1)}`;
  await chatView.root.locator('.docent-picker.is-model').click();
  await workbench.page.locator('.menu .menu-item-title').getByText(title, { exact: true }).click();
}

/** The log of the chat that was begun last. */
export const readOwnLog = (): Promise<LogRecord[]> => readLogInView(workbench);

/** What the page has reported since the chat was begun. */
export const ownErrors = (): readonly string[] => workbench.errors.slice(judged);
