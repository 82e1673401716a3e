/** The app's own page of stored secrets, by name; their values are never shown. */
import type { SettingDefinitionItem } from 'obsidian';
import type { WidgetApp } from '../windows/host';
import { SecretModal } from './secret-modal';
import { SettingTab } from './setting-tab';

export class KeychainTab extends SettingTab {
  override id = 'keychain';
  override name = 'Keychain';
  override icon = 'lucide-key-round';

  constructor(app: WidgetApp) {
    super();
    this.app = app;
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const storage = this.app.secretStorage;
    const names = storage.listSecrets().filter((name) => storage.getSecret(name) !== '');
    const add = (): void => new SecretModal(this.app, '', () => this.update()).open();
    return [
      {
        type: 'list',
        heading: 'Secrets',
        emptyState: 'No secrets stored yet.',
        addItem: { name: 'Add secret', action: add },
        onDelete: (index) => {
          storage.setSecret(names[index] as string, '');
          this.update();
        },
        items: names.map((name) => ({ name, desc: 'Stored on this device only.' })),
      },
    ];
  }
}
