/** Buttons of setting rows and dialogs. */
import type { TooltipOptions } from 'obsidian';
import { BaseComponent } from './base-components';
import { setIcon } from './icons';
import { setTooltip } from '../windows/tooltip';

export class ButtonComponent extends BaseComponent {
  buttonEl: HTMLButtonElement;
  private listener: ((event: MouseEvent) => void) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl('button');
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setCta(): this {
    return this.setClass('mod-cta');
  }

  removeCta(): this {
    this.buttonEl.removeClass('mod-cta');
    return this;
  }

  setWarning(): this {
    return this.setClass('mod-warning');
  }

  setDestructive(): this {
    return this.setClass('mod-destructive');
  }

  removeDestructive(): this {
    this.buttonEl.removeClass('mod-destructive');
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.buttonEl, tooltip, options);
    return this;
  }

  setButtonText(name: string): this {
    this.buttonEl.setText(name);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.buttonEl, icon);
    this.buttonEl.addClass('mod-icon');
    return this;
  }

  setClass(cls: string): this {
    this.buttonEl.addClasses(cls.split(/\s+/).filter(Boolean));
    return this;
  }

  /** One handler at a time: setting another replaces it. */
  onClick(callback: (evt: MouseEvent) => unknown): this {
    if (this.listener) this.buttonEl.removeEventListener('click', this.listener);
    this.listener = (event) => void callback(event);
    this.buttonEl.addEventListener('click', this.listener);
    return this;
  }
}

const pressKeys = ['Enter', ' '];

/** Lets Enter and Space do what a click does, but not from a control inside the element. */
export function pressByKey(el: HTMLElement, press: () => void): void {
  el.addEventListener('keydown', (event) => {
    if (event.target !== el || !pressKeys.includes(event.key)) return;
    event.preventDefault();
    press();
  });
}

export class ExtraButtonComponent extends BaseComponent {
  extraSettingsEl: HTMLElement;
  private callback: (() => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.extraSettingsEl = containerEl.createDiv({ cls: 'clickable-icon extra-setting-button', attr: { tabindex: 0 } });
    this.setIcon('lucide-settings');
    this.extraSettingsEl.addEventListener('click', () => this.press());
    pressByKey(this.extraSettingsEl, () => this.press());
  }

  override setDisabled(disabled: boolean): this {
    this.extraSettingsEl.toggleClass('is-disabled', disabled);
    return super.setDisabled(disabled);
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.extraSettingsEl, tooltip, options);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.extraSettingsEl, icon);
    return this;
  }

  onClick(callback: () => unknown): this {
    this.callback = callback;
    return this;
  }

  private press(): void {
    if (!this.disabled) this.callback?.();
  }
}
