/** Settings of the notes that users write for Docent: each kind is begun from here. */
import { homeSkillsFolder } from '../../core/library/home-skills';
import { type StarterKind, starterKinds } from '../../core/library/starters';
import { words } from '../../text';
import type { SettingRow } from './setting-row';

const say = words.starters;

type Shown = keyof typeof say.rows;

/** A page with one row for each kind of note; those that change Docent's own texts have a page of their own. */
export const startersRow: SettingRow = {
  group: 'files',
  keys: [],
  define: (ports) => ({
    type: 'page',
    name: say.setting,
    desc: say.settingDesc(ports.settings().agentFolder),
    items: starterKinds.filter(isShown).map((kind) => ({
      name: say.rows[kind].name,
      desc: say.rows[kind].about,
      render: (setting) => {
        const label = ports.starters.isThere(kind) ? say.open : say.create;
        setting.addButton((button) => button.setButtonText(label).onClick(() => void ports.starters.start(kind)));
      },
    })),
  }),
  read: () => undefined,
  write: () => ({}),
};

function isShown(kind: StarterKind): kind is Shown {
  return Object.hasOwn(say.rows, kind);
}

/** Whether the skills in the user's home folder are read on this device (R134). */
export const homeSkillsRow: SettingRow = {
  group: 'files',
  keys: ['homeSkills'],
  define: ({ homeSkills }) => ({
    name: say.homeSkills,
    desc: say.homeSkillsDesc(homeSkillsFolder),
    visible: () => homeSkills.isOffered,
    control: { type: 'toggle', key: 'homeSkills' },
  }),
  read: (_key, { homeSkills }) => homeSkills.isAllowed,
  // What is allowed on one device is not stored with the settings, which are synced.
  write: (_key, value, { homeSkills }) => {
    void homeSkills.allow(value === true);
    return {};
  },
};
