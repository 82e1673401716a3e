/** @jest-environment jsdom */
/** Settings that cannot be read: the notice that asks what replaces them, and the row that asks until then. */
import { type App, Setting } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import {
  describeDamage,
  type SettingsChoice,
  type SettingsDamage,
} from '../../../../src/core/settings/damaged-settings';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { askAboutDamagedSettings, damagedSettingsRow } from '../../../../src/ui/settings/damaged-settings';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { DamagedSettings, SettingsPorts } from '../../../../src/ui/state/ports';
import { eventually } from '../../eventually';

const say = words.settings.damaged;
const damaged: SettingsDamage = {
  flaw: 'not-json',
  detail: '',
  copy: 'data.damaged-1.json',
  choices: ['last-good', 'defaults', 'retry'],
  isClosed: false,
};

function fileWith(damage: SettingsDamage | null, outcome: Outcome<void> = succeed(undefined)) {
  const chosen: SettingsChoice[] = [];
  const listeners = new Set<Parameters<DamagedSettings['subscribe']>[0]>();
  const file: DamagedSettings & { damage: SettingsDamage | null } = {
    damage,
    choose: (choice) => {
      chosen.push(choice);
      return Promise.resolve(outcome);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { file, chosen, changed: () => listeners.forEach((listener) => listener(defaultSettings, false)), listeners };
}

interface Row {
  readonly name: string;
  readonly desc: string;
  readonly visible: () => boolean;
  readonly render: (setting: Setting) => void;
}

function rowOf(file: DamagedSettings | undefined, refresh = (): void => undefined): Row {
  return damagedSettingsRow.define({ damaged: file, refresh } as unknown as SettingsPorts) as unknown as Row;
}

const notices = (): string[] => [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent);
const press = (root: ParentNode, name: string): void => {
  const button = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  button.click();
};

beforeEach(() => createTestApp() as unknown as Promise<App>);
afterEach(() => {
  document.querySelectorAll('.notice').forEach((notice) => notice.remove());
  return closeTestApps();
});

it('damagedSettingsRow is shown only while the settings cannot be read, and offers what can replace them', async () => {
  const { file, chosen } = fileWith(damaged);
  let refreshed = 0;
  const row = rowOf(file, () => void (refreshed += 1));
  // What is not read comes before what is chosen since then.
  expect(settingRows[0]).toBe(damagedSettingsRow);
  expect(row).toMatchObject({ name: say.name, desc: `${describeDamage(damaged)} ${say.defaultsNote}` });
  expect(row.visible()).toBe(true);
  const root = document.body.createDiv();
  row.render(new Setting(root));
  expect([...root.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    ...[say.choices['last-good'], say.choices.defaults, say.choices.retry],
  ]);
  press(root, say.choices.defaults);
  await eventually(() => refreshed === 1, 'the row is drawn again');
  expect(chosen).toEqual(['defaults']);
  expect(notices()).toEqual([say.chosen.defaults]);
  file.damage = null;
  expect(row.visible()).toBe(false);
  expect([rowOf(file).desc, rowOf(undefined).visible()]).toEqual([say.desc, false]);
});

it('asks once for each damage, and leaves when the settings are in order', async () => {
  const { file, chosen, changed, listeners } = fileWith({ ...damaged });
  askAboutDamagedSettings(file);
  askAboutDamagedSettings(file);
  expect(notices()).toHaveLength(1);
  expect(notices()[0]).toContain('A copy is in “data.damaged-1.json”.');
  changed();
  expect(notices()).toHaveLength(1);
  press(document, say.choices['last-good']);
  expect(chosen).toEqual(['last-good']);
  file.damage = null;
  changed();
  await eventually(() => !notices().some((text) => text.includes('A copy is in')), 'the notice leaves');
  expect(listeners.size).toBe(0);
  askAboutDamagedSettings(file);
  expect(notices().some((text) => text.includes('A copy is in'))).toBe(false);
});

it('says why a choice could not be carried out', async () => {
  const refused = fail({ kind: 'storage', words: 'Couldn’t copy it.', remedy: 'Free up space.' });
  const { file } = fileWith({ ...damaged }, refused);
  askAboutDamagedSettings(file);
  press(document, say.choices.retry);
  await eventually(() => notices().includes('Couldn’t copy it. Free up space.'), 'the reason');
});
