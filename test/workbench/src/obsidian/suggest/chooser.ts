/** The list of suggestions under an input: drawing, selecting, scrolling, and its keys. */
import type { Scope } from '../base/scope';

export interface ChooserOwner<T> {
  renderSuggestion(value: T, el: HTMLElement): void;
  selectSuggestion(value: T, evt: MouseEvent | KeyboardEvent): void;
}

export interface ChooserKeys {
  /** Popovers take Tab as Enter; dialogs leave it to the focus. */
  tab: boolean;
}

const pageSize = 8;

export class Chooser<T> {
  values: T[] = [];
  selectedItem = 0;
  suggestions: HTMLElement[] = [];

  constructor(
    private readonly owner: ChooserOwner<T>,
    readonly containerEl: HTMLElement,
    scope: Scope,
    keys: ChooserKeys,
  ) {
    const move = (key: string, step: (index: number) => number) =>
      scope.register([], key, () => {
        if (this.values.length > 0) this.setSelectedItem(step(this.selectedItem));
        return false;
      });
    move('ArrowDown', (index) => this.wrap(index + 1));
    move('ArrowUp', (index) => this.wrap(index - 1));
    move('PageDown', (index) => Math.min(index + pageSize, this.values.length - 1));
    move('PageUp', (index) => Math.max(index - pageSize, 0));
    const use = (event: KeyboardEvent): false | undefined => {
      if (event.isComposing) return undefined;
      return this.useSelectedItem(event) ? false : undefined;
    };
    scope.register([], 'Enter', use);
    if (keys.tab) scope.register([], 'Tab', use);
  }

  setSuggestions(values: T[]): void {
    this.values = values;
    this.containerEl.empty();
    this.suggestions = values.map((value, index) => this.draw(value, index));
    this.selectedItem = 0;
    this.mark();
  }

  setSelectedItem(index: number): void {
    this.selectedItem = index;
    this.mark();
    this.suggestions[index]?.scrollIntoView?.({ block: 'nearest' });
  }

  /** False when there is nothing to choose. */
  useSelectedItem(event: MouseEvent | KeyboardEvent): boolean {
    if (this.selectedItem >= this.values.length) return false;
    this.owner.selectSuggestion(this.values[this.selectedItem] as T, event);
    return true;
  }

  private wrap(index: number): number {
    return (index + this.values.length) % this.values.length;
  }

  private mark(): void {
    this.suggestions.forEach((el, index) => el.toggleClass('is-selected', index === this.selectedItem));
  }

  private draw(value: T, index: number): HTMLElement {
    const el = this.containerEl.createDiv('suggestion-item');
    this.owner.renderSuggestion(value, el);
    el.addEventListener('mousemove', () => {
      if (this.selectedItem !== index) {
        this.selectedItem = index;
        this.mark();
      }
    });
    // The input keeps the focus, so that its blur does not close the list before the click arrives.
    el.addEventListener('mousedown', (event) => event.preventDefault());
    el.addEventListener('click', (event) => {
      this.selectedItem = index;
      this.useSelectedItem(event);
    });
    return el;
  }
}
