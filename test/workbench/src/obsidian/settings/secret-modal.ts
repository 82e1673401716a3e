/** The dialog behind a secret setting: pick the name of a stored secret, or store a new one. */
import { ButtonComponent } from '../controls/button-components';
import type { WidgetApp } from '../windows/host';
import { setIcon } from '../controls/icons';
import { Modal } from '../windows/modal';
import { isSecretId } from './secret-storage';
import { Setting } from './setting';
import { makePressable } from './setting-elements';

export class SecretModal extends Modal {
  constructor(
    app: WidgetApp,
    private readonly current: string,
    private readonly choose: (id: string) => void,
  ) {
    super(app);
    this.modalEl.addClass('mod-secrets');
    this.setTitle('Link secret');
  }

  override onOpen(): void {
    const { contentEl } = this;
    contentEl.empty();
    const listEl = contentEl.createDiv('secret-list');
    const names = this.app.secretStorage.listSecrets();
    for (const name of names) this.drawSecret(listEl, name);
    if (names.length === 0) listEl.createDiv({ cls: 'setting-empty-state', text: 'No secrets stored yet.' });
    this.drawForm(contentEl);
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private finish(id: string): void {
    this.close();
    this.choose(id);
  }

  private drawSecret(listEl: HTMLElement, name: string): void {
    const rowEl = listEl.createDiv({ cls: 'secret-item', attr: { 'data-secret': name } });
    setIcon(rowEl.createDiv('secret-item-icon'), 'lucide-key-round');
    rowEl.createDiv({ cls: 'secret-item-name', text: name });
    if (name === this.current) {
      rowEl.addClass('is-selected');
      setIcon(rowEl.createDiv('secret-item-check'), 'lucide-check');
    }
    makePressable(rowEl, () => this.finish(name));
  }

  private drawForm(contentEl: HTMLElement): void {
    let id = '';
    let secret = '';
    const idRow = new Setting(contentEl).setName('New secret').setDesc('Lowercase letters, digits and dashes.');
    idRow.addText((text) => {
      text.setPlaceholder('my-key').onChange((value) => (id = value));
      text.inputEl.addClass('secret-id-input');
    });
    const valueRow = new Setting(contentEl).setName('Value').addText((text) => {
      text.inputEl.type = 'password';
      text.inputEl.addClass('secret-value-input');
      text.onChange((value) => (secret = value));
    });
    const save = (): void => {
      idRow.setErrorMessage(isSecretId(id) ? null : 'Use lowercase letters, digits and dashes only.');
      valueRow.setErrorMessage(secret === '' ? 'Enter a value.' : null);
      if (!isSecretId(id) || secret === '') return;
      this.app.secretStorage.setSecret(id, secret);
      this.finish(id);
    };
    const buttonsEl = contentEl.createDiv('modal-button-container');
    if (this.current) new ButtonComponent(buttonsEl).setButtonText('Unlink').onClick(() => this.finish(''));
    new ButtonComponent(buttonsEl)
      .setButtonText('Cancel')
      .setClass('mod-cancel')
      .onClick(() => this.close());
    new ButtonComponent(buttonsEl).setButtonText('Save').setCta().onClick(save);
  }
}
