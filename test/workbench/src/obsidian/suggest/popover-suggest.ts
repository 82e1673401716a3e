/** PopoverSuggest and AbstractInputSuggest: type-ahead lists that float next to the text being typed. */
import { closeOnEscape, Scope } from '../base/scope';
import { Chooser } from './chooser';
import type { WidgetApp } from '../windows/host';
import { placeNextTo, type Anchor } from '../windows/place';

export abstract class PopoverSuggest<T> {
  app: WidgetApp;
  scope: Scope;
  isOpen = false;
  readonly suggestEl: HTMLElement;
  readonly suggestions: Chooser<T>;

  constructor(app: WidgetApp, scope?: Scope) {
    this.app = app;
    this.scope = scope ?? new Scope(app.scope);
    this.suggestEl = createDiv('suggestion-container');
    this.suggestions = new Chooser<T>(this, this.suggestEl.createDiv('suggestion'), this.scope, { tab: true });
    closeOnEscape(this.scope, () => this.close());
  }

  open(): void {
    this.openIn(activeDocument);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.app.keymap.popScope(this.scope);
    this.suggestEl.detach();
    this.suggestions.setSuggestions([]);
  }

  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract selectSuggestion(value: T, evt: MouseEvent | KeyboardEvent): void;

  onHistoryBack(): void {
    this.close();
  }

  protected openIn(doc: Document): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.app.keymap.pushScope(this.scope);
    doc.body.appendChild(this.suggestEl);
  }

  /** Shows values next to an anchor, or closes if there are none. */
  protected showSuggestions(values: T[], doc: Document, findAnchor: () => Anchor): void {
    if (values.length === 0) {
      this.close();
      return;
    }
    this.openIn(doc);
    this.suggestions.setSuggestions(values);
    placeNextTo(this.suggestEl, findAnchor(), 4);
  }
}

export abstract class AbstractInputSuggest<T> extends PopoverSuggest<T> {
  limit = 100;
  protected textInputEl: HTMLInputElement | HTMLDivElement;
  private selected: ((value: T, evt: MouseEvent | KeyboardEvent) => unknown) | null = null;
  private asked = 0;

  constructor(app: WidgetApp, textInputEl: HTMLInputElement | HTMLDivElement) {
    super(app);
    this.textInputEl = textInputEl;
    const update = () => void this.updateSuggestions();
    textInputEl.addEventListener('input', update);
    textInputEl.addEventListener('focus', update);
    textInputEl.addEventListener('blur', () => this.close());
  }

  setValue(value: string): void {
    if (isInput(this.textInputEl)) this.textInputEl.value = value;
    else this.textInputEl.setText(value);
  }

  getValue(): string {
    return isInput(this.textInputEl) ? this.textInputEl.value : this.textInputEl.getText();
  }

  override close(): void {
    this.asked++;
    super.close();
  }

  selectSuggestion(value: T, evt: MouseEvent | KeyboardEvent): void {
    this.selected?.(value, evt);
  }

  onSelect(callback: (value: T, evt: MouseEvent | KeyboardEvent) => unknown): this {
    this.selected = callback;
    return this;
  }

  protected abstract getSuggestions(query: string): T[] | Promise<T[]>;

  private async updateSuggestions(): Promise<void> {
    const question = ++this.asked;
    const answer = this.getSuggestions(this.getValue());
    const values = Array.isArray(answer) ? answer : await answer;
    if (question !== this.asked) return;
    const inputEl = this.textInputEl;
    const limited = this.limit > 0 ? values.slice(0, this.limit) : values;
    this.showSuggestions(limited, inputEl.doc, () => inputEl.getBoundingClientRect());
  }
}

function isInput(el: HTMLElement): el is HTMLInputElement {
  return el.tagName === 'INPUT';
}
