/** SecretComponent: a button that holds the name of a secret, never the secret. */
import { BaseComponent } from '../controls/base-components';
import type { WidgetApp } from '../windows/host';
import { setIcon } from '../controls/icons';
import { SecretModal } from './secret-modal';

export class SecretComponent extends BaseComponent {
  private readonly buttonEl: HTMLButtonElement;
  private value = '';
  private changed: ((value: string) => unknown) | null = null;

  constructor(app: WidgetApp, containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl('button', 'secret-component');
    this.buttonEl.addEventListener('click', () => {
      new SecretModal(app, this.value, (id) => {
        this.setValue(id);
        this.changed?.(id);
      }).open();
    });
    this.setValue('');
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setValue(value: string): this {
    this.value = value;
    this.buttonEl.toggleClass('mod-linked', value !== '');
    setIcon(this.buttonEl, value ? 'lucide-key-round' : 'lucide-link');
    this.buttonEl.createSpan({ text: value || 'Link...' });
    return this;
  }

  onChange(cb: (value: string) => unknown): this {
    this.changed = cb;
    return this;
  }
}
