/** Dialogs that ask for one thing: a choice or a confirmation. */
import { type App, ConfirmationModal, type FuzzyMatch, FuzzySuggestModal, renderResults, setIcon } from 'obsidian';
import type { Vault } from '../../core/ports/vault';
import { type ActiveItem, newActiveContent } from '../../core/writing/guard/active-content';
import { formatTokens, words } from '../../text';
import type { ConfirmDecision } from '../render/link-gate';
import { showInSentence } from './changed-text';
import { fullNameOf, type ModelChoice, usesBuiltInReader } from '../state/model-choices';
import type { ChatViewPorts, Question } from '../state/ports';

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

class ItemChooser<T extends Item = Item> extends FuzzySuggestModal<T> {
  private chosen: string | null = null;

  constructor(
    app: App,
    private readonly items: readonly T[],
    private readonly done: (id: string | null) => void,
  ) {
    super(app);
  }

  getItems(): T[] {
    return [...this.items];
  }

  getItemText({ text }: T): string {
    return text;
  }

  override selectSuggestion(match: FuzzyMatch<T>, event: MouseEvent | KeyboardEvent): void {
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

const favouritesKey = 'favourite-models';

/** What the choice of a model asks of the rest of Docent. */
export type ModelFacts = Pick<ChatViewPorts, 'device' | 'models'>;

/** Returns the ids of the models that the user keeps at the top, on this device. */
function favouritesOf({ device }: Pick<ModelFacts, 'device'>): ReadonlySet<string> {
  return new Set((device.get(favouritesKey) ?? '').split('\n').filter((id) => id !== ''));
}

/**
 * Lets the user choose one of many models by a few letters: favourites first, then by provider, each with its context
 * window and prices where they are known.
 * @param models in the order of their providers
 */
export function chooseModel(app: App, models: readonly ModelChoice[], facts: ModelFacts): Promise<string | null> {
  const items = models.map((model) => ({ ...model, text: fullNameOf(model) }));
  return new Promise((resolve) => {
    const chooser = new ModelChooser(app, items, resolve);
    chooser.facts = facts;
    chooser.setPlaceholder(words.prompts.searchModels);
    chooser.setInstructions([{ command: words.prompts.favouriteKeys, purpose: words.prompts.favourite }]);
    chooser.open();
  });
}

type ModelItem = Item & ModelChoice;

class ModelChooser extends ItemChooser<ModelItem> {
  facts: ModelFacts | null = null;
  private shown: readonly FuzzyMatch<ModelItem>[] = [];
  /** Whether the models are listed by provider, as long as nothing is searched. */
  private isGrouped = true;

  override onOpen(): void {
    void super.onOpen();
    this.modalEl.addClass('docent-modal', 'docent-models');
    this.scope.register(['Alt'], 'Enter', () => {
      const selected = this.resultContainerEl.querySelectorAll('.suggestion-item');
      const match = this.shown[[...selected].findIndex((item) => item.hasClass('is-selected'))];
      if (match !== undefined) this.toggle(match.item.id);
      return false;
    });
  }

  override getSuggestions(query: string): FuzzyMatch<ModelItem>[] {
    const favourites = this.favourites;
    const rank = ({ item }: FuzzyMatch<ModelItem>): number => Number(!favourites.has(item.id));
    const found = super.getSuggestions(query).sort((one, other) => rank(one) - rank(other));
    this.shown = found;
    // What was found is in the order of how well it matches.
    this.isGrouped = query.trim() === '';
    return found;
  }

  override renderSuggestion(match: FuzzyMatch<ModelItem>, element: HTMLElement): void {
    const { id, text, name } = match.item;
    const isFavourite = this.favourites.has(id);
    const group = this.groupOf(match.item);
    const before = this.shown[this.shown.indexOf(match) - 1];
    if (group !== '' && (before === undefined || this.groupOf(before.item) !== group)) {
      element.before(createDiv({ cls: 'docent-models-group', text: group }));
    }
    element.addClass('mod-complex');
    const content = element.createDiv('suggestion-content');
    const title = content.createDiv('suggestion-title');
    if (this.isGrouped && !isFavourite) title.setText(name);
    else renderResults(title, text, match.match);
    const detail = this.detailOf(id);
    if (detail !== '') content.createDiv({ cls: 'suggestion-note', text: detail });
    const star = element.createDiv('suggestion-aux').createEl('button', {
      cls: `clickable-icon docent-favourite ${isFavourite ? 'is-favourite' : ''}`,
      // By key it is Alt+Enter: Enter chooses the model, wherever the focus is.
      attr: {
        'aria-label': words.prompts.favourite,
        'aria-pressed': String(isFavourite),
        type: 'button',
        tabindex: -1,
      },
    });
    setIcon(star, 'star');
    star.addEventListener('click', (event) => {
      event.stopPropagation();
      this.toggle(id);
    });
  }

  /** Returns the heading of a model: its provider, unless it is a favorite; empty for none. */
  private groupOf({ id, provider }: ModelItem): string {
    if (!this.isGrouped) return '';
    if (this.favourites.has(id)) return words.prompts.favourites;
    // The built-in reader comes first, and needs no provider.
    return provider !== '' || usesBuiltInReader({ model: id }) ? provider : words.prompts.otherModels;
  }

  private get favourites(): ReadonlySet<string> {
    return this.facts === null ? new Set() : favouritesOf(this.facts);
  }

  private detailOf(id: string): string {
    const described = this.facts?.models.described(id) ?? null;
    if (described === null) return '';
    const { contextWindow, prices } = described;
    const window = words.status.tokensOf(formatTokens(contextWindow, true));
    return prices === undefined ? window : `${window} · ${words.prompts.pricesOf(prices.input, prices.output)}`;
  }

  private toggle(id: string): void {
    if (this.facts === null) return;
    const kept = new Set(favouritesOf(this.facts));
    if (!kept.delete(id)) kept.add(id);
    this.facts.device.set(favouritesKey, kept.size === 0 ? null : [...kept].join('\n'));
    // Obsidian lists the suggestions again when something was typed.
    this.inputEl.dispatchEvent(new Event('input'));
  }
}

/** Asks the user to confirm an action; the button warns unless the action is harmless. */
export function confirmAction(app: App, { title, text, action, isHarmless }: Question): Promise<boolean> {
  const isDestructive = isHarmless !== true;
  return ask(app, { title, text, confirm: action, cancel: words.prompts.cancel, isDestructive });
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

/** Asks before a file is handed to another program, which may run it. */
export function confirmOtherApp(app: App, path: string): Promise<boolean> {
  const { otherApp, otherAppText, open, cancel } = words.render;
  return ask(app, { title: otherApp, text: otherAppText(path), confirm: open, cancel });
}

interface Asked {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly cancel?: string;
  readonly isDestructive?: boolean;
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

/** The names in a question come from the vault, and from settings and chats that sync. */
function ask(app: App, asked: Asked): Promise<boolean> {
  const { title, text, confirm, cancel = say.cancel, isDestructive = false } = asked;
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    modal.setTitle(showInSentence(title));
    modal.contentEl.createEl('p', { text: showInSentence(text), cls: 'docent-asked' });
    modal.addButton((button) => {
      button.setButtonText(confirm).onClick(() => resolve(true));
      if (isDestructive) button.setDestructive();
    });
    modal.addCancelButton(cancel);
    modal.setCloseCallback(() => resolve(false));
    modal.open();
  });
}
