/** Dialogs that ask for one thing: a choice or a confirmation. */
import { type App, ConfirmationModal, type FuzzyMatch, FuzzySuggestModal } from 'obsidian';
import type { Vault } from '../../core/ports/vault';
import { type ActiveItem, newActiveContent } from '../../core/writing/guard/active-content';
import { words } from '../../text';
import type { ConfirmDecision } from '../render/link-gate';
import type { Question } from '../state/ports';

/** Lets the user choose a note of the vault by a few letters of its path; resolves to null if none was chosen. */
export function chooseNote(app: App, vault: Vault): Promise<string | null> {
  const paths = vault.files().flatMap(({ kind, path }) => (kind === 'note' ? [path] : []));
  return chooseItem(
    app,
    paths.map((path) => ({ id: path, text: path })),
    words.prompts.chooseNote,
  );
}

interface Item {
  readonly id: string;
  readonly text: string;
}

/** Lets the user choose one of some items; resolves to its id, or to null if none was chosen. */
export function chooseItem(app: App, items: readonly Item[], placeholder: string): Promise<string | null> {
  return new Promise((resolve) => {
    const chooser = new ItemChooser(app, items, resolve);
    chooser.setPlaceholder(placeholder);
    chooser.open();
  });
}

class ItemChooser extends FuzzySuggestModal<Item> {
  private chosen: string | null = null;

  constructor(
    app: App,
    private readonly items: readonly Item[],
    private readonly done: (id: string | null) => void,
  ) {
    super(app);
  }

  getItems(): Item[] {
    return [...this.items];
  }

  getItemText({ text }: Item): string {
    return text;
  }

  override selectSuggestion(match: FuzzyMatch<Item>, event: MouseEvent | KeyboardEvent): void {
    // Obsidian closes the modal before it reports the choice.
    this.chosen = match.item.id;
    super.selectSuggestion(match, event);
  }

  onChooseItem(): void {}

  override onClose(): void {
    super.onClose();
    this.done(this.chosen);
  }
}

/** Asks the user to confirm an action; the button warns unless the action is harmless. */
export function confirmAction(app: App, { title, text, action, isHarmless }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    modal.setTitle(title);
    modal.contentEl.createEl('p', { text });
    modal.addButton((button) => {
      button.setButtonText(action).onClick(() => resolve(true));
      if (isHarmless !== true) button.setDestructive();
    });
    modal.addCancelButton(words.prompts.cancel);
    modal.setCloseCallback(() => resolve(false));
    modal.open();
  });
}

/** Asks the reader to confirm opening an address that the link gate does not trust. */
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

interface OutsideQuestion {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

const say = words.ownPrompt;

export function confirmOutsideFile(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.confirmOutsideFile, text: say.askOutsideText(path), confirm: say.allow });
}

export function askWriteOutside(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.confirmOutsideFile, text: say.askWriteOutsideText(path), confirm: say.allow });
}

/** Describes what a text would run or load; a text that could not be checked alone. */
export function describeActive(items: readonly ActiveItem[]): string[] {
  const { badges, unknownRunner } = words.review;
  const runnersOf = (kinds: (kind: string) => boolean): string[] => [
    ...new Set(items.filter(({ kind }) => kinds(kind)).map(({ runner }) => runner || unknownRunner)),
  ];
  const images = runnersOf((kind) => kind === 'remote-image');
  const others = runnersOf((kind) => kind !== 'remote-image' && kind !== 'unchecked');
  return [
    ...(items.some(({ kind }) => kind === 'unchecked') ? [badges.unchecked] : []),
    ...(images.length > 0 ? [badges.remoteImage(images)] : []),
    ...(others.length > 0 ? [badges.activeContent(others)] : []),
  ];
}

/** A tag of prompts with attributes that HTML does not have: nothing runs or loads by it. */
const promptTag =
  /^<(?:note|folder|untrusted|hook_context|prompt|mcp_server)(?: (?:path|heading|block|source|name)="[^"<]*")+>/;

/** Returns what a note with the text of a prompt would run or load, and did not before. */
export function activeInPrompt(path: string, before: string, after: string): ActiveItem[] {
  return newActiveContent(path, before, after).filter(
    ({ kind, passage }) => kind !== 'html' || !promptTag.test(passage),
  );
}

export function askToWriteActive(app: App, path: string, items: readonly ActiveItem[]): Promise<boolean> {
  const text = [say.writeActiveText(path), ...describeActive(items)].join(' · ');
  return ask(app, { title: say.writeActive, text, confirm: say.writeAnyway });
}

export function askToOverwrite(app: App, path: string): Promise<boolean> {
  return ask(app, { title: say.overwrite, text: say.overwriteText(path), confirm: say.replace });
}

function ask(app: App, { title, text, confirm }: OutsideQuestion): Promise<boolean> {
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
