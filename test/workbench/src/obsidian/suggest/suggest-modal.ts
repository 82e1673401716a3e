/** SuggestModal and FuzzySuggestModal: a prompt with a list of choices. */
import type { FuzzyMatch, Instruction, SearchResultContainer } from 'obsidian';
import { prepareFuzzySearch, renderResults, sortSearchResults } from '../index/search';
import { Chooser } from './chooser';
import type { WidgetApp } from '../windows/host';
import { drawInstructions } from './instructions';
import { Modal } from '../windows/modal';

export abstract class SuggestModal<T> extends Modal {
  limit = 100;
  emptyStateText = 'No results found.';
  inputEl: HTMLInputElement;
  resultContainerEl: HTMLElement;
  private readonly instructionsEl: HTMLElement;
  private readonly chooser: Chooser<T>;
  private asked = 0;

  constructor(app: WidgetApp) {
    super(app);
    this.modalEl.empty();
    this.modalEl.className = 'prompt';
    const inputBoxEl = this.modalEl.createDiv('prompt-input-container');
    this.inputEl = inputBoxEl.createEl('input', {
      cls: 'prompt-input',
      type: 'text',
      attr: { autocapitalize: 'off', enterkeyhint: 'done', spellcheck: 'false' },
    });
    const clearEl = inputBoxEl.createDiv('search-input-clear-button');
    clearEl.addEventListener('click', () => {
      this.inputEl.value = '';
      this.inputEl.focus();
      void this.updateSuggestions();
    });
    this.resultContainerEl = this.modalEl.createDiv('prompt-results');
    this.instructionsEl = this.modalEl.createDiv('prompt-instructions');
    this.instructionsEl.hide();
    this.chooser = new Chooser<T>(this, this.resultContainerEl, this.scope, { tab: false });
    this.inputEl.addEventListener('input', () => void this.updateSuggestions());
  }

  override open(): void {
    super.open();
    this.inputEl.focus();
    void this.updateSuggestions();
  }

  setPlaceholder(placeholder: string): void {
    this.inputEl.placeholder = placeholder;
  }

  setInstructions(instructions: Instruction[]): void {
    drawInstructions(this.instructionsEl, instructions);
  }

  onNoSuggestion(): void {
    this.chooser.setSuggestions([]);
    this.resultContainerEl.createDiv({ cls: 'suggestion-empty', text: this.emptyStateText });
  }

  selectSuggestion(value: T, evt: MouseEvent | KeyboardEvent): void {
    this.close();
    this.onChooseSuggestion(value, evt);
  }

  selectActiveSuggestion(evt: MouseEvent | KeyboardEvent): void {
    this.chooser.useSelectedItem(evt);
  }

  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(item: T, evt: MouseEvent | KeyboardEvent): void;

  /** Answers that arrive after a newer question are dropped. */
  private async updateSuggestions(): Promise<void> {
    const question = ++this.asked;
    const answer = this.getSuggestions(this.inputEl.value);
    const values = Array.isArray(answer) ? answer : await answer;
    if (question !== this.asked) return;
    if (values.length === 0) this.onNoSuggestion();
    else this.chooser.setSuggestions(this.limit > 0 ? values.slice(0, this.limit) : values);
  }
}

export abstract class FuzzySuggestModal<T> extends SuggestModal<FuzzyMatch<T>> {
  getSuggestions(query: string): FuzzyMatch<T>[] {
    const search = prepareFuzzySearch(query.trim());
    const matches: FuzzyMatch<T>[] = [];
    for (const item of this.getItems()) {
      const match = search(this.getItemText(item));
      if (match) matches.push({ item, match });
    }
    if (query.trim()) sortSearchResults(matches as SearchResultContainer[]);
    return matches;
  }

  renderSuggestion(item: FuzzyMatch<T>, el: HTMLElement): void {
    renderResults(el, this.getItemText(item.item), item.match);
  }

  onChooseSuggestion(item: FuzzyMatch<T>, evt: MouseEvent | KeyboardEvent): void {
    this.onChooseItem(item.item, evt);
  }

  abstract getItems(): T[];
  abstract getItemText(item: T): string;
  abstract onChooseItem(item: T, evt: MouseEvent | KeyboardEvent): void;
}
