/** The settings tab without a page, for tests that read its definitions. */
import type { App, Plugin } from 'obsidian';
import { noAllowance } from './memory-ports';
import { createTestApp } from 'obsidian-workbench/jest';
import { succeed } from '../../src/core/ports/failure';
import { sections } from '../../src/core/prompt/sections';
import { defaultSettings, type Settings } from '../../src/core/settings/settings';
import { providerChoices } from '../../src/models/open';
import { settingPages } from '../../src/ui/settings/setting-row';
import { SettingsTab } from '../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../src/ui/state/ports';
import { fakeServers } from './server-access';

/** A setting, or a page of settings. */
export interface Item {
  readonly name?: string;
  readonly desc?: string | DocumentFragment;
  readonly displayValue?: () => string;
  readonly items?: readonly Item[];
  readonly visible?: () => boolean;
  readonly render?: unknown;
  readonly control?: {
    readonly key: string;
    readonly placeholder?: string;
    readonly options?: Readonly<Record<string, string>>;
  };
}

export interface Group {
  readonly type: string;
  readonly heading?: string;
  readonly items: readonly Item[];
}

/** Returns the items of a page of the tab. */
export function itemsOf(groups: readonly Group[], page: (typeof settingPages)[number]): readonly Item[] {
  return groups[1]?.items[settingPages.indexOf(page)]?.items ?? [];
}

/** Returns the definitions of the settings tab, as Obsidian gets them. */
export async function groupsWith(settings: Partial<Settings> = {}): Promise<Group[]> {
  return (await settingsTab(settings)).getSettingDefinitions() as unknown as Group[];
}

export async function settingsTab(
  settings: Partial<Settings> = {},
  more: Partial<SettingsPorts> = {},
): Promise<SettingsTab> {
  const app = (await createTestApp()) as unknown as App;
  const all = { ...defaultSettings, ...settings };
  const ports: Omit<SettingsPorts, 'app' | 'refresh'> = {
    providers: providerChoices(),
    settings: () => all,
    change: () => Promise.resolve(),
    bindKey: () => undefined,
    servers: fakeServers(),
    showCatalog: () => undefined,
    saveKey: () => Promise.resolve(succeed(undefined)),
    searchModels: () => Promise.resolve(null),
    testConnection: () => Promise.resolve(succeed([])),
    models: { known: () => null, described: () => null, allowAsked: () => false },
    sending: {
      allowanceOf: () => ({ ...noAllowance, keyName: '' }),
      ...{ allow: () => undefined, revoke: () => undefined, enterAddress: () => undefined, chooseKey: () => undefined },
    },
    openUsage: () => undefined,
    homeSkills: { isOffered: false, isAllowed: false, allow: () => Promise.resolve() },
    starters: { isThere: () => false, start: () => Promise.resolve() },
    prompts: { show: () => undefined, model: () => succeed({ description: { label: 'Small', contextWindow: 4_096 } }) },
    ownPrompt: {
      sections: sections.map(({ id }) => id),
      override: () => ({ place: { kind: 'none' }, fromEnvironment: false }),
      exportsByVariable: () => false,
      hasNote: () => false,
    } as unknown as SettingsPorts['ownPrompt'],
    ...more,
  };
  const plugin = { manifest: { id: 'docent', name: 'Docent' }, register: () => undefined };
  return new SettingsTab(app, plugin as unknown as Plugin, ports);
}
