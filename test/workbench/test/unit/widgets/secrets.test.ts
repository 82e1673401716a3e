/** @jest-environment jsdom */
import { KeychainTab } from '../../../src/obsidian/settings/keychain-tab';
import { SecretComponent } from '../../../src/obsidian/settings/secret-component';
import {
  createMemorySecretStore,
  createWebSecretStore,
  SecretStorage,
} from '../../../src/obsidian/settings/secret-storage';
import { getScreen } from '../../../src/obsidian/settings/setting-tab';
import { createStage, find, texts, type } from './stage';

describe('SecretStorage', () => {
  test('sets, gets and lists by name; an unknown name is null, an emptied one is empty', () => {
    const storage = new SecretStorage(createMemorySecretStore());
    storage.setSecret('open-ai-2', 'sk');
    expect(storage.getSecret('open-ai-2')).toBe('sk');
    expect(storage.getSecret('other')).toBeNull();
    expect(storage.getSecret('constructor')).toBeNull();
    storage.setSecret('open-ai-2', '');
    expect(storage.getSecret('open-ai-2')).toBe('');
    expect(storage.listSecrets()).toEqual(['open-ai-2']);
  });

  test.each(['', 'Key', 'my_key', 'my key', 'ключ', 'a.b'])('refuses the name %j', (name) => {
    const storage = new SecretStorage(createMemorySecretStore());
    expect(() => storage.setSecret(name, 'x')).toThrow('Invalid secret ID');
    expect(storage.listSecrets()).toEqual([]);
  });

  test('a web store outlives the storage object', () => {
    const store = () => createWebSecretStore(window.localStorage, 'secrets-of-test');
    new SecretStorage(store()).setSecret('kept', 'value');
    expect(new SecretStorage(store()).getSecret('kept')).toBe('value');
  });
});

describe('SecretComponent', () => {
  function addComponent(changes: string[]) {
    const app = createStage({ first: 'one', second: 'two' });
    const component = new SecretComponent(app, document.body).setValue('first').onChange((name) => changes.push(name));
    return { app, component };
  }

  test('shows the name and never the secret, and picking another reports its name', () => {
    const changes: string[] = [];
    addComponent(changes);
    const buttonEl = find('button');
    expect(buttonEl.textContent).toBe('first');
    buttonEl.click();
    expect(document.body.textContent).not.toContain('two');
    find('[data-secret=second]').click();
    expect(changes).toEqual(['second']);
    expect(buttonEl.textContent).toBe('second');
    expect(document.querySelector('.modal')).toBeNull();
  });

  test('a new secret is stored under a valid name only, then linked', () => {
    const changes: string[] = [];
    const { app } = addComponent(changes);
    find('button').click();
    type(find('.secret-id-input'), 'Bad Name');
    type(find('.secret-value-input'), 'three');
    find('.modal .mod-cta').click();
    expect(texts('.setting-item-error')).toHaveLength(1);
    expect(app.secretStorage.listSecrets()).toEqual(['first', 'second']);
    type(find('.secret-id-input'), 'third');
    find('.modal .mod-cta').click();
    expect(app.secretStorage.getSecret('third')).toBe('three');
    expect(changes).toEqual(['third']);
  });

  test('cancelling changes nothing; unlinking reports an empty name; disabling stops the dialog', () => {
    const changes: string[] = [];
    const { component } = addComponent(changes);
    const buttonEl = find<HTMLButtonElement>('button');
    buttonEl.click();
    find('.modal .mod-cancel').click();
    expect(changes).toEqual([]);
    buttonEl.click();
    find('.modal .modal-button-container button').click();
    expect(changes).toEqual(['']);
    expect(buttonEl.textContent).toBe('Link...');
    component.setDisabled(true);
    buttonEl.click();
    expect(document.querySelector('.modal')).toBeNull();
  });
});

test('the keychain page lists names and empties a deleted secret', () => {
  const app = createStage({ one: '1', deleted: '' });
  const tab = new KeychainTab(app);
  document.body.appendChild(tab.containerEl);
  getScreen(tab).show();
  expect(texts('.setting-items .setting-item-name')).toEqual(['one']);
  find('.setting-items .extra-setting-button').click();
  expect(app.secretStorage.getSecret('one')).toBe('');
  expect(texts('.setting-empty-state')).toEqual(['No secrets stored yet.']);
});
