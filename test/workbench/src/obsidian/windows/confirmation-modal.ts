/** ConfirmationModal: a question with a row of buttons, each closing the dialog unless its handler says no. */
import type { WidgetApp } from './host';
import { Modal } from './modal';
import { ButtonComponent } from '../controls/button-components';

export class ConfirmationButton extends ButtonComponent {
  /** Contract with the modal: the element that takes the focus on opening. */
  static readonly initialFocus = new WeakMap<ConfirmationModal, HTMLElement>();

  constructor(private readonly modal: ConfirmationModal) {
    super(modal.buttonContainerEl);
    this.onClick(() => undefined);
  }

  override onClick(handler: (evt: MouseEvent) => unknown): this {
    return super.onClick(async (event) => {
      if (!(await handler(event))) this.modal.close();
    });
  }

  setInitialFocus(): this {
    ConfirmationButton.initialFocus.set(this.modal, this.buttonEl);
    return this;
  }

  setSecondary(): this {
    return this.setClass('mod-secondary');
  }

  setCancel(): this {
    return this.setClass('mod-cancel');
  }
}

export class ConfirmationModal extends Modal {
  buttonContainerEl: HTMLElement;

  constructor(app: WidgetApp) {
    super(app);
    this.containerEl.addClass('mod-confirmation');
    this.buttonContainerEl = this.modalEl.createDiv('modal-button-container');
  }

  override open(): void {
    super.open();
    ConfirmationButton.initialFocus.get(this)?.focus();
  }

  addClass(cls: string): this {
    this.modalEl.addClasses(cls.split(/\s+/).filter(Boolean));
    return this;
  }

  addCheckbox(label: string, cb: (value: boolean) => unknown): this {
    const labelEl = this.buttonContainerEl.createEl('label', 'mod-checkbox');
    const checkboxEl = labelEl.createEl('input', { type: 'checkbox', attr: { tabindex: 0 } });
    labelEl.appendText(label);
    checkboxEl.addEventListener('change', () => void cb(checkboxEl.checked));
    return this;
  }

  addButton(cb: (btn: ConfirmationButton) => unknown): this {
    cb(new ConfirmationButton(this));
    return this;
  }

  addCancelButton(text = 'Cancel'): this {
    return this.addButton((button) => button.setButtonText(text).setCancel());
  }
}
