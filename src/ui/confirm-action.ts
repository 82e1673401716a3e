/** Asks the user before something is done that a click does not take back. */
import { type App, ConfirmationModal } from 'obsidian';
import { words } from '../text';
import type { Question } from './prompts/prompts-ports';

export function confirmAction(app: App, { title, text, action }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    modal.setTitle(title);
    modal.contentEl.createEl('p', { text });
    modal.addButton((button) =>
      button
        .setButtonText(action)
        .setDestructive()
        .onClick(() => resolve(true)),
    );
    modal.addCancelButton(words.prompts.cancel);
    modal.setCloseCallback(() => resolve(false));
    modal.open();
  });
}
