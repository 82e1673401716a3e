/** @jest-environment jsdom */
/** The tab as a whole: what nearly everybody needs on one screen, the rest on pages, each provider with what it needs. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { providers } from '../../../../src/models/providers';
import { words } from '../../../../src/text';
import { settingPages } from '../../../../src/ui/settings/setting-row';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';
import { groupsWith, type Item, itemsOf, settingsTab } from '../../../support/settings-groups';

afterEach(closeTestApps);

it('the first screen has what nearly everybody needs, and pages have the rest, each row once', async () => {
  const groups = await groupsWith();
  const [first, more] = groups;
  expect(groups.map(({ type, heading = '' }) => [type, heading])).toEqual([
    ['group', ''],
    ['group', words.settings.more],
  ]);
  expect(first?.items.flatMap(({ name, visible }) => (visible?.() === false ? [] : [name]))).toEqual([
    ...[words.settings.model, words.settings.key, words.settings.mode, words.settings.tier],
    ...[words.asking.permission, words.prompts.setting],
  ]);
  expect(more?.items.map(({ name }) => name)).toEqual(settingPages.map((page) => words.settings.pages[page].name));
  expect(more?.items.every(({ items = [] }) => items.length > 0)).toBe(true);
  const shown = allOf(groups.flatMap(({ items }) => items));
  const keys = shown.flatMap(({ control }) => control?.key ?? []).sort();
  expect(keys).toEqual([...new Set(keys)]);
  const controls = settingRows.flatMap((row) => row.keys).filter((key) => !key.endsWith('.'));
  expect(keys).toEqual(expect.arrayContaining(controls));
  expect(shown.filter(({ name = '' }) => name === '')).toEqual([]);
});

const allOf = (items: readonly Item[]): readonly Item[] => items.flatMap((item) => [item, ...allOf(item.items ?? [])]);

it.each([
  ['api-key', null, words.settings.key],
  ['instruction-files', 'privacy', words.instructions.title],
  ['chat-notes', 'files', words.chatNotes.mirror],
] as const)('%s is where users look for it', async (_id, page, name) => {
  const groups = await groupsWith();
  const items = page === null ? (groups[0]?.items ?? []) : itemsOf(groups, page);
  expect(allOf(items).map((item) => item.name)).toContain(name);
});

it('R105 each provider says whether it wants a key, is set up, or answers now', async () => {
  const own = { baseUrl: '', keyName: '', models: ['small'] };
  const groups = await groupsWith({ model: 'ollama/small', providers: { ollama: own, openai: own } });
  const pages = itemsOf(groups, 'providers');
  expect(pages).toHaveLength(providers.length);
  const stateOf = (id: string): string | undefined =>
    pages[providers.findIndex((row) => row.id === id)]?.displayValue?.();
  expect(['anthropic', 'openai', 'ollama', 'lmstudio', 'openai-compatible'].map(stateOf)).toEqual([
    words.settings.providerKinds.hosted,
    words.settings.setUp,
    words.settings.inUse,
    words.settings.providerKinds.local,
    words.settings.providerKinds.own,
  ]);
});

it('R105 a model is chosen on the page of its provider, once one is known', async () => {
  const own = { baseUrl: '', keyName: '', models: ['small'] };
  const choiceOf = async (id: string): Promise<Item | undefined> => {
    const groups = await groupsWith({ providers: { ollama: own } });
    const page = itemsOf(groups, 'providers')[providers.findIndex((row) => row.id === id)];
    return page?.items?.find(({ name }) => name === words.settings.useModel);
  };
  expect((await choiceOf('ollama'))?.visible?.()).toBe(true);
  expect((await choiceOf('lmstudio'))?.visible?.()).toBe(false);
});

it('a list of 2,000 models is searched, and a short one is a dropdown', async () => {
  const models = (count: number) => Array.from({ length: count }, (_, at) => `model-${at}`);
  const rowWith = async (count: number): Promise<Item | undefined> => {
    const providers = { openrouter: { baseUrl: '', keyName: '', models: models(count) } };
    return (await groupsWith({ providers }))[0]?.items.find(({ name }) => name === words.settings.model);
  };
  expect(Object.keys((await rowWith(12))?.control?.options ?? {})).toHaveLength(13);
  const long = await rowWith(2_000);
  expect([long?.control, typeof long?.render]).toEqual([undefined, 'function']);
});

it('defines the rows of a provider with 2,000 models without a pause', async () => {
  const models = Array.from({ length: 2_000 }, (_, at) => `model-${at}`);
  const tab = await settingsTab({ providers: { openrouter: { baseUrl: '', keyName: '', models } } });
  await expectCostBelow(100, () => tab.getSettingDefinitions());
});

it('R095 the box of the window shows what is known of the model', async () => {
  const groups = await groupsWith();
  const box = itemsOf(groups, 'model').find(({ control }) => control?.key === 'contextWindow');
  expect(box?.control?.placeholder).toBe('4,096');
});

it('names the controls of a row as it is drawn, as long as the tab is shown', async () => {
  const tab = await settingsTab();
  const drawRow = async (): Promise<string | null> => {
    const row = tab.containerEl.createDiv('setting-item');
    row.createDiv({ cls: 'setting-item-name', text: 'Model' });
    const control = row.createDiv('setting-item-control').createEl('input');
    await Promise.resolve();
    const id = control.getAttribute('aria-labelledby');
    return id === null ? null : (row.querySelector(`#${id}`)?.textContent ?? '');
  };
  tab.getSettingDefinitions();
  expect(await drawRow()).toBe('Model');
  tab.hide();
  expect(await drawRow()).toBeNull();
  tab.getSettingDefinitions();
  expect(await drawRow()).toBe('Model');
});

it('names buttons of icons as buttons, and leaves names that are there', async () => {
  const tab = await settingsTab();
  tab.getSettingDefinitions();
  const row = tab.containerEl.createDiv('setting-item');
  row.createDiv({ cls: 'setting-item-name', text: 'Model' });
  const place = row.createDiv('setting-item-control');
  const icon = place.createDiv('extra-setting-button');
  const named = place.createEl('input', { attr: { 'aria-label': 'Search' } });
  const [first, second] = [place.createEl('select'), place.createEl('textarea')];
  const nameless = tab.containerEl.createDiv('setting-item').createDiv('setting-item-control').createEl('input');
  await Promise.resolve();
  expect(icon.getAttribute('role')).toBe('button');
  expect([named, nameless].map((control) => control.getAttribute('aria-labelledby'))).toEqual([null, null]);
  const [id, other] = [first, second].map((control) => control.getAttribute('aria-labelledby'));
  expect([id, other]).toEqual([expect.stringMatching(/^docent-setting-\d+$/), id]);
});

it('shows settings of another device once they come, but not over a key that is being typed', async () => {
  let arrive: (settings: Settings, isOwn: boolean) => void = () => undefined;
  const damaged = { subscribe: (hear: typeof arrive) => ((arrive = hear), () => undefined) };
  const tab = await settingsTab({}, { damaged } as unknown as Partial<SettingsPorts>);
  const update = jest.spyOn(tab, 'update').mockImplementation(() => undefined);
  /** Whether the tab is drawn again while the focus is in such a control. */
  const drawsWith = (type: string, value = '', isOwn = false): boolean => {
    update.mockClear();
    const control = tab.containerEl.createEl(type === 'button' ? 'button' : 'input', { type, value });
    control.focus();
    arrive(defaultSettings, isOwn);
    control.remove();
    return update.mock.calls.length > 0;
  };
  expect(drawsWith('text')).toBe(false);
  document.body.append(tab.containerEl);
  expect([drawsWith('text', 'typed'), drawsWith('password'), drawsWith('button', 'typed')]).toEqual([true, true, true]);
  expect([drawsWith('password', 'typed'), drawsWith('text', 'typed', true)]).toEqual([false, false]);
  tab.containerEl.remove();
});

it('stores a folder once its box is left, and shows what is typed there until then', async () => {
  const changes: Partial<Settings>[] = [];
  const settings = { ...defaultSettings };
  const tab = await settingsTab(settings, {
    settings: () => settings,
    change: (part) => Promise.resolve(void changes.push(part)),
  });
  document.body.append(tab.containerEl);
  const drawn = jest.spyOn(tab, 'refreshDomState').mockImplementation(() => undefined);
  const box = tab.containerEl.createEl('input', { type: 'text', value: 'Helper' });
  box.focus();
  await tab.setControlValue('agentFolder', 'Helper');
  expect([changes, tab.getControlValue('agentFolder')]).toEqual([[], 'Helper']);
  box.dispatchEvent(new Event('change', { bubbles: true }));
  await Promise.resolve();
  await Promise.resolve();
  expect(changes).toEqual([{ agentFolder: 'Helper' }]);
  expect(drawn).toHaveBeenCalledTimes(1);
  // What the box has is another text if what was typed is refused.
  await tab.setControlValue('agentFolder', 'Help');
  expect(tab.getControlValue('agentFolder')).toBe('Helper');
  box.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await Promise.resolve();
  expect([changes.length, tab.getControlValue('agentFolder')]).toEqual([1, 'Docent']);
  // A value that is stored as it is typed is shown as it was typed, until another one arrives.
  box.value = 'Ada ';
  await tab.setControlValue('agentName', 'Ada ');
  expect([changes.at(-1), tab.getControlValue('agentName')]).toEqual([{ agentName: 'Ada' }, 'Ada ']);
  settings.agentName = 'Bea';
  expect(tab.getControlValue('agentName')).toBe('Bea');
  tab.containerEl.remove();
});

it('waits with the address of a provider until its box is left, and with nothing else of it', async () => {
  const changes: Partial<Settings>[] = [];
  const tab = await settingsTab({}, { change: (part) => Promise.resolve(void changes.push(part)) });
  document.body.append(tab.containerEl);
  const box = tab.containerEl.createEl('input', { type: 'text' });
  box.focus();
  await tab.setControlValue('provider.ollama.models', 'small');
  expect(changes).toHaveLength(1);
  await tab.setControlValue('provider.ollama.baseUrl', 'http://localhost:1/v1');
  expect(changes).toHaveLength(1);
  tab.containerEl.remove();
});

it('keeps what is selected in a box that is drawn again with the same text', async () => {
  const tab = await settingsTab();
  document.body.append(tab.containerEl);
  const draw = (value: string): void => {
    const named = (name: string, text: string): HTMLElement => {
      const row = createDiv('setting-item');
      row.createDiv({ cls: 'setting-item-name', text: name });
      row.createEl('input', { type: 'text', value: text });
      return row;
    };
    tab.containerEl.replaceChildren(named('One', 'other'), named('Two', value));
  };
  const redrawn = async (value: string): Promise<unknown[]> => {
    draw('Harbour');
    const box = tab.containerEl.querySelectorAll('input')[1]!;
    box.focus();
    box.setSelectionRange(2, 5);
    jest.spyOn(tab, 'update').mockImplementation(() => draw(value));
    await tab.setControlValue('promptExport', 'path');
    const now = document.activeElement as HTMLInputElement;
    return [now.value, now.selectionStart, now.selectionEnd];
  };
  expect(await redrawn('Harbour')).toEqual(['Harbour', 2, 5]);
  expect(await redrawn('Shed')).not.toEqual(['Shed', 2, 5]);
  tab.containerEl.remove();
});

it('draws no row again while a path is typed, which would take the focus from its box', async () => {
  const tab = await settingsTab();
  const update = jest.spyOn(tab, 'update');
  await tab.setControlValue('systemPromptPath', 'Prompts/m ine.md');
  await tab.setControlValue('promptExportPath', 'Out/sent.md');
  expect(update).not.toHaveBeenCalled();
  await tab.setControlValue('promptExport', 'path');
  expect(update).toHaveBeenCalledTimes(1);
});

it('keeps the focus in its place when rows are drawn again, and at the end if there are fewer', async () => {
  const tab = await settingsTab();
  document.body.append(tab.containerEl);
  const draw = (...names: string[]): void =>
    tab.containerEl.replaceChildren(...names.map((text) => createEl('button', { text })));
  const redrawn = async (focused: number, ...names: string[]): Promise<string | null | undefined> => {
    draw('one', 'two', 'three');
    tab.containerEl.querySelectorAll('button')[focused]?.focus();
    jest.spyOn(tab, 'update').mockImplementation(() => draw(...names));
    await tab.setControlValue('promptExport', 'path');
    return document.activeElement?.textContent;
  };
  expect(await redrawn(1, 'one', 'another', 'three')).toBe('another');
  expect(await redrawn(2, 'one', 'two')).toBe('two');
  tab.containerEl.remove();
});

it('R134 home-skills are offered where there is a home folder, and allowed on this device, not in the settings', () => {
  const row = settingRows.find(({ keys }) => keys.includes('homeSkills'));
  const done: boolean[] = [];
  const allow = (isAllowed: boolean): Promise<void> => Promise.resolve(void done.push(isAllowed));
  const ports = { homeSkills: { isOffered: true, isAllowed: false, allow } } as unknown as SettingsPorts;
  const definition = row?.define(ports) as unknown as Item | undefined;
  expect([definition?.visible?.(), row?.read('homeSkills', ports)]).toEqual([true, false]);
  expect(row?.write('homeSkills', true, ports)).toEqual({});
  expect(done).toEqual([true]);
});

it('the page of starters has a row for each kind of note that has no other page', async () => {
  const groups = await groupsWith();
  const page = itemsOf(groups, 'files').find(({ name }) => name === words.starters.setting);
  expect(page?.items?.map(({ name }) => name)).toEqual([
    'Prompt',
    'Workspace',
    'Skill',
    'Subagent',
    'AGENTS.md',
    'memory.md',
  ]);
});
