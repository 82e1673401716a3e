/** Settings of the system prompt: the user's own texts, its sections, its export. */
import type { Setting } from 'obsidian';
import { defaultExportPath, exportVariable } from '../../core/own-prompt/export-prompt';
import { defaultOverridePath, overrideVariable } from '../../core/prompt/override';
import { ownTemplateFolder } from '../../core/prompt/tiered-prompt-store';
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import type { SettingsPorts } from '../state/ports';
import type { SettingRow } from './setting-row';

const say = words.ownPrompt;
const choices = ['off', 'default', 'path'] as const;

/** Whether a note of the user's replaces Docent's instructions, and which one (R027-R031). */
export const systemPromptRow: SettingRow = {
  group: 'system-prompt',
  keys: ['systemPrompt', 'systemPromptPath'],
  define: (ports) => {
    const byVariable = ports.ownPrompt.override().fromEnvironment;
    return {
      type: 'group',
      items: [
        {
          name: say.setting,
          desc: byVariable ? say.byVariable(overrideVariable) : describe(ports),
          control: {
            type: 'dropdown',
            key: 'systemPrompt',
            options: { ...say.settingChoices },
            disabled: () => byVariable,
          },
        },
        {
          name: say.path,
          desc: say.pathDesc,
          visible: () => ports.settings().systemPrompt === 'path',
          control: pathControl('systemPromptPath', byVariable),
        },
      ],
    };
  },
  read: (key, ports) => ports.settings()[key === 'systemPromptPath' ? key : 'systemPrompt'],
  write: (key, value): Partial<Settings> =>
    key === 'systemPromptPath'
      ? { systemPromptPath: String(value).trim() }
      : { systemPrompt: choices.find((choice) => choice === value) ?? 'off' },
  changed: (ports, key) => {
    window.clearTimeout(asking);
    // Drawing the rows again, or a question at each key, would take the focus from the path that is being typed.
    const isTyped = key === 'systemPromptPath';
    if (!isTyped) ports.refresh();
    if (ports.ownPrompt.override().place.kind !== 'outside') return;
    const ask = (): void => void ports.ownPrompt.carryOut('allow');
    if (isTyped) asking = window.setTimeout(ask, typedAfter);
    else ask();
  },
};

/** Milliseconds without typing after which a path counts as typed. */
const typedAfter = 1_000;
/** The timer after which the user is asked about the path that was typed. */
let asking = 0;

function describe(ports: SettingsPorts): string {
  return `${say.settingDesc} ${say.defaultFile(defaultOverridePath(ports.settings().agentFolder))}`;
}

const overrideNote = 'system.md';

/** The notes that extend or replace Docent's texts, each created and opened from here (R040, R263). */
export const instructionNotesRow: SettingRow = {
  group: 'system-prompt',
  keys: [],
  define: (ports) => ({
    type: 'page',
    name: say.notes,
    desc: say.notesDesc(ports.settings().agentFolder),
    items: Object.entries(say.noteNames).map(([name, about]) => ({
      name,
      desc: `${about} ${stateOf(name, ports)}`,
      render: (setting) => {
        const isThere = ports.ownPrompt.hasNote(name);
        if (stateOf(name, ports) === say.noteThere) void drawUse(setting, name, about, ports);
        setting.addButton((button) =>
          button
            .setButtonText(isThere ? say.noteOpen : say.noteCreate)
            .onClick(() => void ports.ownPrompt.openOrCreate(name)),
        );
      },
    })),
  }),
  read: () => undefined,
  write: () => ({}),
};

function stateOf(name: string, ports: SettingsPorts): string {
  if (!ports.ownPrompt.hasNote(name)) return say.noteMissing;
  const { place } = ports.ownPrompt.override();
  const isRead = place.kind === 'vault' && place.path === `${ports.settings().agentFolder}/${overrideNote}`;
  return name !== overrideNote || isRead ? say.noteThere : say.noteNotUsed;
}

/** Says of a note why it isn't used, once it is read. */
async function drawUse(setting: Setting, name: string, about: string, ports: SettingsPorts): Promise<void> {
  const use = await ports.ownPrompt.noteUse(name);
  if (use !== 'used') setting.setDesc(`${about} ${use === 'empty' ? say.noteEmpty : say.noteWaits}`);
}

/** The templates of the custom mode: created from here, with their tokens and their budgets (R101, R102). */
export const userTemplatesRow: SettingRow = {
  group: 'system-prompt',
  keys: [],
  define: (ports) => ({
    type: 'page',
    name: say.templates,
    desc: say.templatesDesc(ownTemplateFolder(ports.settings().agentFolder)),
    items: [
      {
        name: say.templates,
        desc: say.templatesDesc(ownTemplateFolder(ports.settings().agentFolder)),
        searchable: false,
        render: (setting, group) => {
          drawButtons(setting, ports);
          void drawStates(ports, (draw) => group.addSetting(draw));
        },
      },
    ],
  }),
  read: () => undefined,
  write: () => ({}),
};

function drawButtons(setting: Setting, ports: SettingsPorts): void {
  setting.addButton((button) =>
    button.setButtonText(say.templatesCreate).onClick(async () => {
      await ports.ownPrompt.createTemplates();
      ports.refresh();
    }),
  );
  if (ports.settings().mode === 'user') return;
  setting.addButton((button) =>
    button.setButtonText(say.useMode).onClick(async () => {
      await ports.change({ mode: 'user' });
      ports.refresh();
    }),
  );
}

async function drawStates(ports: SettingsPorts, add: (draw: (setting: Setting) => void) => void): Promise<void> {
  for (const { tier, path, isThere, isOver, message: description } of await ports.ownPrompt.templates()) {
    add((setting) => {
      setting.setName(say.templateTier(tier)).setDesc(description);
      setting.settingEl.toggleClass('docent-over-budget', isOver);
      if (!isThere) return;
      setting.addButton((button) =>
        button.setButtonText(say.templatesOpen).onClick(() => ports.ownPrompt.openNote(path)),
      );
    });
  }
}

const prefix = 'section.';

/** The elements that show the cost of each section; redrawing the page replaces them. */
const shown = new Map<string, HTMLElement>();

/** A switch per section of the prompt, with its tokens or why it is empty (R252). */
export const sectionSwitchesRow: SettingRow = {
  group: 'system-prompt',
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

/** Whether the costs are being counted, and whether something changed since that began. */
let isCounting = false;
let isOutdated = false;

/** Shows the cost of each section, only while the page is open, since it reads what the sections are made of. */
async function showCosts(ports: SettingsPorts): Promise<void> {
  isOutdated = true;
  if (isCounting) return;
  isCounting = true;
  try {
    while (isOutdated) {
      isOutdated = false;
      const costs = await ports.ownPrompt.costs();
      if (!isOutdated) drawCosts(costs);
    }
  } finally {
    isCounting = false;
  }
}

function drawCosts(costs: Awaited<ReturnType<SettingsPorts['ownPrompt']['costs']>>): void {
  for (const [section, element] of shown) {
    const cost = costs.ok ? costs.value.find(({ id }) => id === section) : undefined;
    element.setText(cost?.description ?? say.notCounted);
  }
}

/** Whether and where the system prompt is exported (R043-R045). */
export const promptExportRow: SettingRow = {
  group: 'system-prompt',
  keys: ['promptExport', 'promptExportPath'],
  define: (ports) => {
    const byVariable = ports.ownPrompt.exportsByVariable();
    return {
      type: 'group',
      items: [
        {
          name: say.exportSetting,
          desc: byVariable
            ? say.byVariable(exportVariable)
            : `${say.exportSettingDesc} ${say.defaultFile(defaultExportPath(ports.settings().agentFolder))}`,
          control: {
            type: 'dropdown',
            key: 'promptExport',
            options: { ...say.settingChoices },
            disabled: () => byVariable,
          },
        },
        {
          name: say.exportPath,
          desc: say.pathDesc,
          visible: () => ports.settings().promptExport === 'path',
          control: pathControl('promptExportPath', byVariable),
        },
      ],
    };
  },
  read: (key, ports) => ports.settings()[key === 'promptExportPath' ? key : 'promptExport'],
  write: (key, value): Partial<Settings> =>
    key === 'promptExportPath'
      ? { promptExportPath: String(value).trim() }
      : { promptExport: choices.find((choice) => choice === value) ?? 'off' },
  changed: (ports, key) => {
    if (key !== 'promptExportPath') ports.refresh();
  },
};

/** The box for the path of a note; a variable of the environment overrides it. */
function pathControl(key: 'systemPromptPath' | 'promptExportPath', byVariable: boolean) {
  return {
    type: 'text' as const,
    key,
    disabled: () => byVariable,
    validate: (value: string) => (/\.md$/i.test(value.trim()) ? undefined : say.pathBad),
  };
}
