/** Asks before a file outside the vault is used, and before one is replaced. */
import { type App, ConfirmationModal } from 'obsidian';
import { words } from '../../text';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

const say = words.ownPrompt;

export function askOutside(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.askOutside, text: say.askOutsideText(path), confirm: say.allow });
}

export function askWriteOutside(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.askOutside, text: say.askWriteOutsideText(path), confirm: say.allow });
}

export function askOverwrite(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.overwrite, text: say.overwriteText(path), confirm: say.replace });
}

function ask(app: App, { title, text, confirm }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    modal.setTitle(title);
    modal.contentEl.createEl('p', { text });
    modal.addButton((button) => button.setButtonText(confirm).onClick(() => resolve(true)));
    modal.addCancelButton(say.cancel);
    modal.setCloseCallback(() => resolve(false));
    modal.open();
  });
}
