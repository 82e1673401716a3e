/** Controls in which a person types: one line, many lines, search, and date formats. */
import { moment } from '../base/moment';
import { FieldComponent } from './base-components';

export class AbstractTextComponent<T extends HTMLInputElement | HTMLTextAreaElement> extends FieldComponent<T> {
  inputEl: T;

  constructor(inputEl: T) {
    super(inputEl);
    this.inputEl = inputEl;
    inputEl.addEventListener('input', () => this.onChanged());
  }

  override setValue(value: string): this {
    return super.setValue(value ?? '');
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChanged(): void {
    this.reportChange();
  }
}

export class TextComponent extends AbstractTextComponent<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('input', { type: 'text', attr: { spellcheck: 'false' } }));
  }
}

export class TextAreaComponent extends AbstractTextComponent<HTMLTextAreaElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('textarea', { attr: { spellcheck: 'false' } }));
  }
}

export class SearchComponent extends AbstractTextComponent<HTMLInputElement> {
  clearButtonEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    const boxEl = containerEl.createDiv('search-input-container');
    super(boxEl.createEl('input', { type: 'search', attr: { enterkeyhint: 'search', spellcheck: 'false' } }));
    this.clearButtonEl = boxEl.createDiv({ cls: 'search-input-clear-button', attr: { 'aria-label': 'Clear search' } });
    this.clearButtonEl.addEventListener('mousedown', (event) => event.preventDefault());
    this.clearButtonEl.addEventListener('click', () => {
      if (this.disabled) return;
      this.setValue('');
      this.onChanged();
      this.inputEl.focus();
    });
    this.showClearButton();
  }

  override setValue(value: string): this {
    super.setValue(value);
    this.showClearButton();
    return this;
  }

  override onChanged(): void {
    this.showClearButton();
    super.onChanged();
  }

  private showClearButton(): void {
    this.clearButtonEl?.toggle(this.inputEl.value !== '');
  }
}

export class MomentFormatComponent extends TextComponent {
  sampleEl!: HTMLElement;
  private defaultFormat = '';

  setDefaultFormat(defaultFormat: string): this {
    this.defaultFormat = defaultFormat;
    this.setPlaceholder(defaultFormat);
    this.updateSample();
    return this;
  }

  setSampleEl(sampleEl: HTMLElement): this {
    this.sampleEl = sampleEl;
    this.updateSample();
    return this;
  }

  override setValue(value: string): this {
    super.setValue(value);
    this.updateSample();
    return this;
  }

  override onChanged(): void {
    super.onChanged();
    this.updateSample();
  }

  updateSample(): void {
    this.sampleEl?.setText(moment().format(this.getValue() || this.defaultFormat));
  }
}
