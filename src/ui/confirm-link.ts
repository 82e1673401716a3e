/** Asks the reader whether an address that the gate does not trust should be opened. */
import { type App, ConfirmationModal } from 'obsidian';
import { words } from '../text';
import type { ConfirmDecision } from './render/link-gate';

export function confirmLink(app: App, decision: ConfirmDecision): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    modal.setTitle(words.render.openAddress);
    modal.contentEl.createEl('p', { text: words.render.confirm[decision.reason] });
    modal.contentEl.createEl('p', { text: decision.shown, cls: 'docent-address' });
    modal.addButton((button) => button.setButtonText(words.render.open).onClick(() => resolve(true)));
    modal.addCancelButton(words.render.cancel);
    modal.setCloseCallback(() => resolve(false));
    modal.open();
  });
}
