/** The workbench and the chat view that a test works with, for files whose tests each open their own. */
import { openChatView, type OpenedChatView } from './chat-view';
import { startChat } from './reach-walk';
import { closeQuiet, type looks, openWorkbench, showTheme, type OpenedWorkbench, type OpenOptions } from './workbench';

/** What was opened last. A test that opened it closes it as well. */
export let workbench: OpenedWorkbench;
export let chatView: OpenedChatView;

/** Opens the workbench alone. The model answers the same to everything, unless the options say otherwise. */
export async function openApp(options: OpenOptions): Promise<void> {
  workbench = await openWorkbench({ scripted: () => ({ text: 'Understood.' }), ...options });
}

/** Shows the chat view in the workbench that is open, also after the page or the plugin was started again. */
export async function showChat(): Promise<void> {
  chatView = await openChatView(workbench);
}

/** Opens the workbench and shows its chat view. */
export async function openChat(options: OpenOptions): Promise<void> {
  await openApp(options);
  await showChat();
}

/** Loads the page again and shows its chat view. */
export async function reloadChat(): Promise<void> {
  await workbench.reload();
  await showChat();
}

let isPhone: boolean | null = null;

/**
 * Shows a new chat in this look: by another theme of the app that is open, if it is on the same device, else in an app
 * that is opened with these options once the other one is closed.
 */
export async function openLook(look: (typeof looks)[number][1], options: OpenOptions): Promise<void> {
  const before = isPhone;
  isPhone = 'phone' in look;
  if (isPhone === before) {
    await showTheme(workbench, 'theme' in look ? look.theme : 'dark');
    await showChat();
    return startChat({ workbench, chatView });
  }
  if (before !== null) await closeQuiet(workbench);
  await openChat({ ...look, ...options });
}
