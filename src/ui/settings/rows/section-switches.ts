/** A switch for each part of the prompt, with what it costs now or why it says nothing (R252). */
import type { Setting } from 'obsidian';
import { words } from '../../../text';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

const say = words.ownPrompt;
const prefix = 'section.';

/** Where the cost of each section is shown; a page that is drawn anew brings new ones. */
const shown = new Map<string, HTMLElement>();

export const sectionSwitchesRow: SettingRow = {
  group: 'own-prompt',
  keys: [prefix],
  define: (ports) => ({
    type: 'page',
    name: say.switches,
    desc: say.switchesDesc,
    displayValue: () => say.switchesOff(ports.settings().sectionsOff.length),
    items: [
      { name: say.switchesIntro, desc: say.switchesDesc, searchable: false, render: () => void showCosts(ports) },
      ...ports.ownPrompt.sections.map((section) => ({
        name: words.sections[section]?.name ?? section,
        desc: words.sections[section]?.about ?? '',
        aliases: [section],
        render: (setting: Setting) => drawSwitch(setting, section, ports),
      })),
    ],
  }),
  read: (key, ports) => ports.ownPrompt.switchOf(key.slice(prefix.length)).isOn,
  write: (key, value, ports) => {
    const section = key.slice(prefix.length);
    const others = ports.settings().sectionsOff.filter((id) => id !== section);
    return { sectionsOff: value === true ? others : [...others, section] };
  },
  changed: (ports) => void showCosts(ports),
};

function drawSwitch(setting: Setting, section: string, ports: SettingsPorts): void {
  const { isOn, variable } = ports.ownPrompt.switchOf(section);
  shown.set(section, setting.descEl.createDiv({ cls: 'docent-section-cost', text: say.counting }));
  setting.addToggle((toggle) =>
    toggle
      .setValue(isOn)
      .setDisabled(variable !== null)
      .onChange(async (value) => {
        const key = prefix + section;
        await ports.change(sectionSwitchesRow.write(key, value, ports));
        sectionSwitchesRow.changed?.(ports);
      }),
  );
}

/** Looked up only while the page is open: it reads what the sections are made of. */
async function showCosts(ports: SettingsPorts): Promise<void> {
  const costs = await ports.ownPrompt.costs();
  for (const [section, element] of shown) {
    const cost = costs.ok ? costs.value.find(({ id }) => id === section) : undefined;
    element.setText(cost?.told ?? say.notCounted);
  }
}
