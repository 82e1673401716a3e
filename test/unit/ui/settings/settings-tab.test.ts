/** @jest-environment jsdom */
/** The tab as a whole: every setting in its part, under a heading, and each provider with what it wants. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { providers } from '../../../../src/models/providers';
import { words } from '../../../../src/text';
import { settingGroups } from '../../../../src/ui/settings/setting-row';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';
import { groupsWith, type Item } from '../../../support/settings-groups';

afterEach(closeTestApps);

it('every row stands in one part, and each part but the first has a heading', async () => {
  const groups = await groupsWith();
  expect(groups.map(({ type, heading = '' }) => [type, heading])).toEqual(
    settingGroups.map((group) => ['group', words.settings.groups[group]]),
  );
  expect(groups.filter(({ heading }) => heading === undefined)).toHaveLength(1);
  expect(groups.every(({ items }) => items.length > 0)).toBe(true);
  const keys = groups.flatMap(({ items }) => items.flatMap(({ control }) => control?.key ?? []));
  expect(keys.sort()).toEqual([...new Set(keys)]);
  const controls = settingRows.flatMap((row) => row.keys).filter((key) => !key.endsWith('.'));
  expect(keys).toEqual(expect.arrayContaining(controls));
  expect(groups.flatMap(({ items }) => items).filter(({ name = '' }) => name === '')).toEqual([]);
});

it('R105 each provider says whether it wants a key, is set up, or answers now', async () => {
  const own = { baseUrl: '', keyName: '', models: ['small'] };
  const groups = await groupsWith({ model: 'ollama/small', providers: { ollama: own, openai: own } });
  const pages = groups[settingGroups.indexOf('providers')]?.items ?? [];
  expect(pages).toHaveLength(providers.length);
  const stateOf = (id: string): string | undefined =>
    pages[providers.findIndex((row) => row.id === id)]?.displayValue?.();
  expect(['anthropic', 'openai', 'ollama', 'lmstudio'].map(stateOf)).toEqual([
    words.settings.providerKinds.hosted,
    words.settings.setUp,
    words.settings.inUse,
    words.settings.providerKinds.local,
  ]);
});

it('R105 a model is chosen on the page of its provider, once one is known', async () => {
  const own = { baseUrl: '', keyName: '', models: ['small'] };
  const choiceOf = async (id: string): Promise<Item | undefined> => {
    const groups = await groupsWith({ providers: { ollama: own } });
    const page = groups[settingGroups.indexOf('providers')]?.items[providers.findIndex((row) => row.id === id)];
    return page?.items?.find(({ name }) => name === words.settings.useModel);
  };
  expect((await choiceOf('ollama'))?.visible?.()).toBe(true);
  expect((await choiceOf('lmstudio'))?.visible?.()).toBe(false);
});

it('R095 the box of the window shows what is known of the model', async () => {
  const [first] = await groupsWith();
  const box = first?.items.find(({ control }) => control?.key === 'contextWindow');
  expect(box?.control?.placeholder).toBe('4,096');
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
  const page = groups.flatMap(({ items }) => items).find(({ name }) => name === words.starters.setting);
  expect(page?.items?.map(({ name }) => name)).toEqual([
    'Prompt',
    'Workspace',
    'Skill',
    'Subagent',
    'AGENTS.md',
    'memory.md',
  ]);
});
