/** One page per provider: its address, its API key, a connection test, its models, and which of them answers. */
import { SecretComponent, type Setting, type SettingDefinitionItem, type SettingDefinitionPage } from 'obsidian';
import { hasQueryOrFragment, originOf, readWebAddress } from '../../core/gate/address';
import { describeFailure, fail, type Failure, type Outcome, succeed } from '../../core/ports/failure';
import type { ProviderSettings } from '../../core/settings/settings';
import { words } from '../../text';
import { showUnseenCharacters } from '../render/visible-text';
import { modelChoices } from '../state/model-choices';
import type { ProviderChoice, SettingsPorts } from '../state/ports';
import { linesOf, type SettingRow } from './setting-row';

const prefix = 'provider.';

export const providersRow: SettingRow = {
  group: 'providers',
  keys: [prefix],
  define: (ports) => ({
    type: 'group',
    items: ports.providers.map((provider) => pageOf(provider, ports)),
  }),
  read: (key, ports) => {
    const { provider, field } = split(key, ports);
    const value = provider && configOf(provider, ports)[field];
    return Array.isArray(value) ? value.join('\n') : (value ?? '');
  },
  write: (key, value, ports) => {
    const { provider, field } = split(key, ports);
    if (provider === undefined) return {};
    const text = String(value).trim();
    const changed = field === 'models' ? linesOf(text) : text.replace(/\/+$/, '');
    if (field === 'baseUrl') ports.sending.enterAddress(provider.id, text);
    return changeOf(provider, { [field]: changed }, ports);
  },
  countsWhenLeft: (key) => key.endsWith('.baseUrl'),
  changed: () => followers.forEach((redraw) => redraw()),
};

/** What draws the rows of the open page again that show what is typed into others. */
const followers = new Map<string, () => void>();

function following(name: string, draw: (setting: Setting) => void): (setting: Setting) => void {
  return (setting) => {
    const redraw = (): void => draw(setting.clear());
    followers.set(name, redraw);
    redraw();
  };
}

function pageOf(provider: ProviderChoice, ports: SettingsPorts): SettingDefinitionPage {
  const items: SettingDefinitionItem[] = [
    {
      name: words.settings.baseUrl,
      desc: provider.baseUrl === '' ? words.settings.ownUrlDesc : words.settings.baseUrlDesc,
      control: {
        type: 'text',
        key: `${prefix}${provider.id}.baseUrl`,
        placeholder: provider.baseUrl,
        validate: (value: string) => findAddressProblem(value.trim(), provider),
      },
    },
    {
      name: words.settings.key,
      desc: keyDescOf(provider),
      render: (setting) => drawKey(setting, provider, ports),
    },
    {
      name: words.settings.linkKey,
      desc: words.settings.linkKeyDesc,
      render: (setting) => drawLinkedKey(setting, provider, ports),
    },
    {
      name: words.gate.row,
      desc: words.gate.rowDesc,
      render: following('allowance', (setting) => drawAllowance(setting, provider, ports)),
    },
    {
      name: words.settings.testConnection,
      desc: words.settings.testConnectionDesc,
      render: (setting) => drawTest(setting, provider, ports),
    },
    {
      name: words.settings.models,
      desc: words.settings.modelsDesc,
      control: { type: 'textarea', key: `${prefix}${provider.id}.models`, rows: 4 },
    },
    {
      name: words.settings.useModel,
      desc: words.settings.useModelDesc,
      visible: () => Object.keys(ownModels(provider, ports)).length > 0,
      render: following('use', (setting) => drawUse(setting, provider, ports)),
    },
  ];
  return {
    type: 'page',
    name: provider.label,
    displayValue: () => stateOf(provider, ports),
    items,
  };
}

function stateOf({ id, local, baseUrl }: ProviderChoice, ports: SettingsPorts): string {
  const { model, providers } = ports.settings();
  const { inUse, setUp, providerKinds } = words.settings;
  if (model.startsWith(`${id}/`)) return inUse;
  if (id in providers) return setUp;
  return providerKinds[baseUrl === '' ? 'own' : local ? 'local' : 'hosted'];
}

function keyDescOf({ label, keyNeeded }: ProviderChoice): string {
  const { keyDesc, keyOptional } = words.settings;
  return keyNeeded ? keyDesc(label) : keyOptional;
}

/** Returns the models of this provider that can be chosen, by id. */
function ownModels({ id, label }: ProviderChoice, ports: SettingsPorts): Record<string, string> {
  const { model } = ports.settings();
  const own = Object.entries(modelChoices(ports.providers, ports.settings(), model)).filter(([key]) =>
    key.startsWith(`${id}/`),
  );
  return Object.fromEntries(own.map(([key, name]) => [key, name.replace(`${label}: `, '')]));
}

function drawUse(setting: Setting, provider: ProviderChoice, ports: SettingsPorts): void {
  const models = ownModels(provider, ports);
  const { model } = ports.settings();
  setting.addDropdown((dropdown) => {
    // A model of another provider cannot be chosen here.
    if (!(model in models)) dropdown.addOption('', words.settings.notUsed);
    dropdown.addOptions(models).setValue(model in models ? model : '');
    dropdown.onChange(async (chosen) => {
      if (chosen === '') return;
      await ports.change({ model: chosen });
      ports.refresh();
    });
  });
}

/** The provider that was chosen on the first screen; the model's own until one is. */
let keyProvider: string | null = null;

/** The API key of the provider in use, or of one that the user chooses. */
export const apiKeyRow: SettingRow = {
  group: 'first',
  keys: [],
  define: (ports) => ({
    name: words.settings.key,
    desc: words.settings.keyOfAny,
    aliases: ports.providers.filter(({ keyNeeded }) => keyNeeded).map(({ label }) => label),
    render: (setting) => drawKeyOfChosen(setting, ports),
  }),
  read: () => undefined,
  write: () => ({}),
};

function drawKeyOfChosen(setting: Setting, ports: SettingsPorts): void {
  const hosted = ports.providers.filter(({ keyNeeded }) => keyNeeded);
  const { model } = ports.settings();
  const shown = hosted.find(({ id }) => (keyProvider === null ? model.startsWith(`${id}/`) : id === keyProvider));
  setting.setClass('docent-key').setDesc(words.settings.keyOfAny);
  setting.addDropdown((dropdown) => {
    dropdown.selectEl.setAttribute('aria-label', words.settings.chooseProvider);
    if (shown === undefined) dropdown.addOption('', words.settings.chooseProvider);
    dropdown.addOptions(Object.fromEntries(hosted.map(({ id, label }) => [id, label]))).setValue(shown?.id ?? '');
    dropdown.onChange((id) => {
      keyProvider = id === '' ? null : id;
      ports.refresh();
    });
  });
  if (shown !== undefined) drawKey(setting, shown, ports);
}

/** Keys are longer than any real one only by mistake. */
const maxKeyLength = 4_096;

/** A field for the key, which is stored, tested, and never shown again. */
function drawKey(setting: Setting, provider: ProviderChoice, ports: SettingsPorts): void {
  const { id, keyPage } = provider;
  const { keySaved, pasteKey, getKey, testing } = words.settings;
  setting.setClass('docent-key').setDesc(keyDescOf(provider));
  if (keyPage !== undefined) {
    setting.descEl.appendText(' ');
    setting.descEl.createEl('a', { text: getKey, href: keyPage, attr: { target: '_blank', rel: 'noopener' } });
  }
  const resultEl = setting.descEl.createDiv({ attr: { role: 'status' }, text: foundByKey.get(id) ?? '' });
  foundByKey.delete(id);
  const hasKey = ports.sending.allowanceOf(id).key !== 'none';
  setting.addText((text) => {
    const { inputEl } = text.setPlaceholder(hasKey ? keySaved : pasteKey);
    inputEl.type = 'password';
    inputEl.autocomplete = 'off';
    inputEl.maxLength = maxKeyLength;
    inputEl.setAttribute('aria-label', `${provider.label}: ${words.settings.key}`);
    const save = async (): Promise<void> => {
      const key = inputEl.value;
      if (key.trim() === '') return;
      resultEl.setText(testing);
      const saved = await ports.saveKey(id, key);
      inputEl.value = '';
      const tested = saved.ok ? await testAndList(provider, ports) : saved;
      foundByKey.set(id, tested.ok ? words.settings.connected(tested.value) : describeFailure(tested.failure));
      ports.refresh();
    };
    inputEl.addEventListener('change', () => void save());
  });
}

function drawLinkedKey(setting: Setting, provider: ProviderChoice, ports: SettingsPorts): void {
  setting.addComponent((element) =>
    new SecretComponent(ports.app, element).setValue(configOf(provider, ports).keyName).onChange((keyName) => {
      ports.sending.chooseKey(provider.id, keyName);
      void ports.change(changeOf(provider, { keyName }, ports)).then(() => ports.refresh());
    }),
  );
}

/** Returns what is wrong with an address in words. */
function findAddressProblem(address: string, { label }: ProviderChoice): string | undefined {
  if (address === '') return undefined;
  if (hasQueryOrFragment(address)) return words.models.addressTail(label);
  const read = /^https?:\/\/\S+$/.test(address) ? readWebAddress(address) : 'invalid';
  if (typeof read !== 'string') return undefined;
  if (read === 'plain') return words.gate.plain(label, new URL(address).host);
  return read === 'invalid' ? words.settings.baseUrlBad : words.gate.login(label);
}

/** Shows where requests and the key go from this device, and the step that allows or revokes it. */
function drawAllowance(setting: Setting, provider: ProviderChoice, ports: SettingsPorts): void {
  const { id, label } = provider;
  const allowance = ports.sending.allowanceOf(id);
  setting.setClass('docent-allowance').setDesc('');
  for (const line of allowanceLines(allowance, configOf(provider, ports).baseUrl)) {
    setting.descEl.createDiv({ text: showUnseenCharacters(line) });
  }
  const { origin, isAddressAllowed, key, isBuffered } = allowance;
  if (origin === null) return;
  const isOwn = isAddressAllowed && origin === originOf(provider.baseUrl);
  const addStep = (name: string, description: string, act: () => void): void => {
    setting.addButton((button) =>
      button
        .setButtonText(name)
        .setTooltip(description)
        .onClick(() => {
          act();
          ports.refresh();
        }),
    );
  };
  if (!isAddressAllowed || key === 'unbound')
    addStep(words.gate.allow, words.gate.allow, () => ports.sending.allow(id));
  if ((isAddressAllowed && !isOwn) || key === 'bound' || isBuffered) {
    addStep(words.gate.revoke, words.gate.revokeLabel(label), () => ports.sending.revoke(id));
  }
}

type ShownAllowance = ReturnType<SettingsPorts['sending']['allowanceOf']>;

function allowanceLines({ origin, isAddressAllowed, isBuffered, ...about }: ShownAllowance, entered: string): string[] {
  const say = words.gate;
  if (origin === null) return [entered === '' ? say.noAddress : say.refusedAddress];
  const { keyName, keyOrigin } = about;
  const keyLines: Readonly<Record<ShownAllowance['key'], string>> = {
    none: say.noKey,
    bound: say.keyBound(keyName, origin),
    unbound: say.keyUnbound(keyName, origin),
    elsewhere: say.keyElsewhere(keyName, keyOrigin ?? ''),
  };
  const address = isAddressAllowed ? say.goesTo(origin) : say.asksFirst(origin);
  return [address, keyLines[about.key], ...(isBuffered ? [say.buffered] : [])];
}

/** Results of connection tests, by provider; the row is redrawn with the new models and shows its result once. */
const found = new Map<string, string>();
/** The same, of tests that entering a key began. */
const foundByKey = new Map<string, string>();

/** Requests the models of a provider and stores them; returns how many it lists. */
async function testAndList(provider: ProviderChoice, ports: SettingsPorts): Promise<Outcome<number>> {
  const { baseUrl } = configOf(provider, ports);
  const tested = await ports.testConnection(provider.id);
  // What another address answered says nothing about the one that is there now.
  if (configOf(provider, ports).baseUrl !== baseUrl) {
    const { addressEdited, addressEditedRemedy } = words.settings;
    return fail({ kind: 'interrupted', words: addressEdited, remedy: addressEditedRemedy });
  }
  if (!tested.ok) return tested;
  if (tested.value.length === 0) return succeed(0);
  const { models } = configOf(provider, ports);
  const names = models.length > 0 ? models : tested.value.map(({ name }) => name);
  // Facts about models that cannot be chosen here are not stored.
  const selectable = tested.value.filter(({ name }) => names.includes(name));
  const reported = Object.fromEntries(selectable.map(({ name, ...facts }) => [name, facts]));
  await ports.change(changeOf(provider, { models: names, reported }, ports));
  return succeed(tested.value.length);
}

function drawTest(setting: Setting, provider: ProviderChoice, ports: SettingsPorts): void {
  setting.setDesc(found.get(provider.id) ?? words.settings.testConnectionDesc);
  found.delete(provider.id);
  setting.addButton((button) =>
    button.setButtonText(words.settings.testConnection).onClick(async () => {
      const { buttonEl } = button.setDisabled(true);
      setting.setDesc(words.settings.testing);
      const tested = await testAndList(provider, ports);
      button.setDisabled(false);
      // A button that is disabled loses the focus.
      if (buttonEl.doc.activeElement === buttonEl.doc.body) buttonEl.focus();
      const result = tested.ok ? words.settings.connected(tested.value) : describeFailure(tested.failure);
      setting.setDesc(result);
      if (!tested.ok && tested.failure.action === 'allow-sending') offerToAllow(setting, tested.failure, ports);
      if (!tested.ok || tested.value === 0) return;
      found.set(provider.id, result);
      ports.refresh();
    }),
  );
}

/** Adds a button that allows what the connection test asks; the row is drawn again without it. */
function offerToAllow(setting: Setting, failure: Failure, ports: SettingsPorts): void {
  setting.addButton((button) =>
    button
      .setButtonText(words.gate.allow)
      .setCta()
      .onClick(() => {
        ports.models.allowAsked(failure);
        ports.refresh();
      }),
  );
}

function configOf(provider: ProviderChoice, ports: SettingsPorts): ProviderSettings {
  return ports.settings().providers[provider.id] ?? { baseUrl: '', keyName: '', models: [] };
}

function changeOf(provider: ProviderChoice, part: Partial<ProviderSettings>, ports: SettingsPorts) {
  const { providers } = ports.settings();
  return { providers: { ...providers, [provider.id]: { ...configOf(provider, ports), ...part } } };
}

function split(key: string, { providers }: SettingsPorts) {
  const at = key.lastIndexOf('.');
  const id = key.slice(prefix.length, at);
  const field = fields.find((name) => name === key.slice(at + 1)) ?? 'baseUrl';
  return { provider: providers.find((provider) => provider.id === id), field };
}

/** Those that a row writes; the key has a field of its own. */
const fields = ['baseUrl', 'models'] as const;
