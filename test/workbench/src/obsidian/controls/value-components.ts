/** Controls with a value that is picked rather than typed: toggle, dropdown, slider, progress bar, display value. */
import type { TooltipOptions } from 'obsidian';
import { ChangeableComponent, FieldComponent, ValueComponent } from './base-components';
import { setIcon } from './icons';
import { setTooltip } from '../windows/tooltip';

export class ToggleComponent extends ChangeableComponent<boolean> {
  toggleEl: HTMLElement;
  private readonly inputEl: HTMLInputElement;
  private on = false;

  constructor(containerEl: HTMLElement) {
    super();
    this.toggleEl = containerEl.createDiv('checkbox-container');
    this.inputEl = this.toggleEl.createEl('input', { type: 'checkbox', attr: { tabindex: 0 } });
    // The input only carries focus and keys; the state is the class on the container.
    this.toggleEl.addEventListener('click', () => {
      if (!this.disabled) this.onClick();
    });
    this.inputEl.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      if (!this.disabled) this.onClick();
    });
  }

  override setDisabled(disabled: boolean): this {
    this.toggleEl.toggleClass('is-disabled', disabled);
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.on;
  }

  setValue(on: boolean): this {
    this.on = on;
    this.toggleEl.toggleClass('is-enabled', on);
    this.inputEl.checked = on;
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.toggleEl, tooltip, options);
    return this;
  }

  onClick(): void {
    this.setValue(!this.on);
    this.reportChange();
  }
}

export class DropdownComponent extends FieldComponent<HTMLSelectElement> {
  selectEl: HTMLSelectElement;

  constructor(containerEl: HTMLElement) {
    const selectEl = containerEl.createEl('select', 'dropdown');
    super(selectEl);
    this.selectEl = selectEl;
    selectEl.addEventListener('change', () => this.reportChange());
  }

  addOption(value: string, display: string): this {
    this.selectEl.createEl('option', { value, text: display });
    return this;
  }

  addOptions(options: Record<string, string>): this {
    for (const [value, display] of Object.entries(options)) this.addOption(value, display);
    return this;
  }
}

export class SliderComponent extends ChangeableComponent<number> {
  sliderEl: HTMLInputElement;
  private readonly valueEl: HTMLElement;
  private instant = false;
  private format: (value: number) => string = String;

  constructor(containerEl: HTMLElement) {
    super();
    this.valueEl = containerEl.createDiv('slider-value');
    this.sliderEl = containerEl.createEl('input', { cls: 'slider', type: 'range' });
    this.sliderEl.addEventListener('input', () => {
      this.showValue();
      if (this.instant) this.reportChange();
    });
    this.sliderEl.addEventListener('change', () => {
      this.showValue();
      if (!this.instant) this.reportChange();
    });
    this.showValue();
  }

  override setDisabled(disabled: boolean): this {
    this.sliderEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setInstant(instant: boolean): this {
    this.instant = instant;
    return this;
  }

  setLimits(min: number | null, max: number | null, step: number | 'any'): this {
    const { sliderEl } = this;
    sliderEl.min = min === null ? '' : String(min);
    sliderEl.max = max === null ? '' : String(max);
    sliderEl.step = String(step);
    this.showValue();
    return this;
  }

  getValue(): number {
    return this.sliderEl.valueAsNumber;
  }

  setValue(value: number): this {
    this.sliderEl.value = String(value);
    this.showValue();
    return this;
  }

  getValuePretty(): string {
    return this.format(this.getValue());
  }

  setDisplayFormat(format: (value: number) => string): this {
    this.format = format;
    this.showValue();
    return this;
  }

  setDynamicTooltip(): this {
    return this;
  }

  private showValue(): void {
    const { min, max, value } = this.sliderEl;
    const low = Number(min || 0);
    const span = Number(max || 100) - low;
    const share = span > 0 ? ((Number(value) - low) / span) * 100 : 0;
    this.sliderEl.setCssProps({ '--slider-filled': `${share}%` });
    const text = this.getValuePretty();
    this.valueEl.setText(text);
    this.valueEl.toggle(text !== '');
  }
}

export class ProgressBarComponent extends ValueComponent<number> {
  private readonly barEl: HTMLElement;
  private value = 0;

  constructor(containerEl: HTMLElement) {
    super();
    this.barEl = containerEl.createDiv('setting-progress-bar').createDiv('setting-progress-bar-inner');
    this.setValue(0);
  }

  getValue(): number {
    return this.value;
  }

  setValue(value: number): this {
    this.value = Math.max(0, Math.min(100, value));
    this.barEl.setCssStyles({ width: `${this.value}%` });
    return this;
  }
}

/** A read-only label on a row, with an optional warning sign. */
export class DisplayValueComponent {
  valueEl: HTMLElement;
  private readonly statusEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.statusEl = containerEl.createDiv('setting-display-status');
    this.statusEl.hide();
    this.valueEl = containerEl.createDiv('setting-display-value');
  }

  setValue(value: string | null): this {
    this.valueEl.setText(value ?? '');
    return this;
  }

  setStatus(status: 'warning' | null): this {
    if (status === 'warning') setIcon(this.statusEl, 'lucide-alert-triangle');
    else this.statusEl.empty();
    this.statusEl.toggleClass('mod-warning', status === 'warning');
    this.statusEl.toggle(status !== null);
    return this;
  }
}
