/** Settings of every chat: modes, permissions, prompts, wording, spending. */
import { Platform, type Setting } from 'obsidian';
import { modeIds, tiers } from '../../core/settings/mode';
import { defaultSettings, startingPermissions } from '../../core/settings/settings';
import { words } from '../../text';
import { parseAmount, type SettingRow } from './setting-row';

/** The default mode, with a line of guidance for each mode (R110). */
export const modeRow: SettingRow = {
  group: 'first',
  keys: ['mode'],
  define: () => ({
    name: words.settings.mode,
    desc: createFragment((lines) => {
      for (const id of modeIds) {
        const line = lines.createDiv();
        line.createEl('strong', { text: words.settings.modes[id] });
        line.appendText(`: ${words.settings.modeGuidance[id]}`);
      }
    }),
    control: { type: 'dropdown', key: 'mode', options: { ...words.settings.modes } },
  }),
  read: (_key, ports) => ports.settings().mode,
  write: (_key, value) => {
    const mode = modeIds.find((id) => id === value);
    return mode === undefined ? {} : { mode };
  },
};

/** What the agent may do without asking in a new chat. */
export const permissionRow: SettingRow = {
  group: 'first',
  keys: ['permission'],
  define: () => ({
    name: words.asking.permission,
    desc: words.asking.permissionDesc,
    control: {
      type: 'dropdown',
      key: 'permission',
      options: Object.fromEntries(startingPermissions.map((mode) => [mode, words.asking.permissions[mode]])),
    },
  }),
  read: (_key, ports) => ports.settings().permission,
  write: (_key, value) => ({ permission: startingPermissions.find((mode) => mode === value) ?? 'review' }),
};

/** The instruction level: how much instruction the model gets. */
export const tierRow: SettingRow = {
  group: 'first',
  keys: ['tier'],
  define: () => ({
    name: words.settings.tier,
    desc: words.settings.tierDesc,
    control: { type: 'dropdown', key: 'tier', options: { ...words.settings.tiers } },
  }),
  read: (_key, ports) => String(ports.settings().tier),
  write: (_key, value) => ({ tier: tiers.find((tier) => String(tier) === value) ?? 'auto' }),
};

/** Opens the list of prompts (R129). */
export const promptsRow: SettingRow = {
  group: 'first',
  keys: [],
  define: (ports) => ({
    name: words.prompts.setting,
    desc: words.prompts.settingDesc(`${ports.settings().agentFolder}/prompts`),
    render: (setting) => {
      setting.addButton((button) =>
        button.setButtonText(words.prompts.settingOpen).onClick(() => ports.prompts.show()),
      );
    },
  }),
  read: () => undefined,
  write: () => ({}),
};

/** Whether the Return key of a phone, which has no Shift+Enter, begins a new line. */
export const phoneNewLineRow: SettingRow = {
  group: 'first',
  keys: ['phoneNewLine'],
  define: () => ({
    name: words.settings.phoneNewLine,
    desc: words.settings.phoneNewLineDesc,
    visible: () => Platform.isPhone,
    control: { type: 'toggle', key: 'phoneNewLine' },
  }),
  read: (_key, ports) => ports.settings().phoneNewLine,
  write: (_key, value) => ({ phoneNewLine: value === true }),
};

/** How long answers should be (K29). */
export const brevityRow: SettingRow = {
  group: 'instructions',
  keys: ['brevity'],
  define: () => ({
    name: words.ownPrompt.brevity,
    desc: words.ownPrompt.brevityDesc,
    control: { type: 'dropdown', key: 'brevity', options: { ...words.ownPrompt.brevityChoices } },
  }),
  read: (_key, ports) => ports.settings().brevity,
  write: (_key, value) => ({ brevity: value === 'normal' ? 'normal' : 'brief' }),
};

/** Whether each chat is mirrored as a note, and whether the model gives it its title. */
export const chatNotesRow: SettingRow = {
  group: 'files',
  keys: ['mirrorChats', 'titlesByModel'],
  define: (ports) => ({
    type: 'group',
    items: [
      {
        name: words.chatNotes.mirror,
        desc: words.chatNotes.mirrorDesc(`${ports.settings().agentFolder}/chats`),
        control: { type: 'toggle', key: 'mirrorChats' },
      },
      {
        name: words.chats.titles,
        desc: words.chats.titlesDesc,
        control: { type: 'toggle', key: 'titlesByModel' },
      },
    ],
  }),
  read: (key, ports) => ports.settings()[key as 'mirrorChats' | 'titlesByModel'],
  write: (key, value) => ({ [key]: value === true }),
};

const choices = ['auto', 'on', 'off'] as const;

/** Whether the model is asked to check its answers (R109, K30). */
export const sanityChecksRow: SettingRow = {
  group: 'instructions',
  keys: ['sanityChecks'],
  define: () => ({
    name: words.ownPrompt.sanity,
    desc: words.ownPrompt.sanityDesc,
    control: { type: 'dropdown', key: 'sanityChecks', options: { ...words.ownPrompt.sanityChoices } },
  }),
  read: (_key, ports) => ports.settings().sanityChecks,
  write: (_key, value) => ({ sanityChecks: choices.find((choice) => choice === value) ?? 'auto' }),
};

/** The name of the agent (R108). */
export const agentNameRow: SettingRow = {
  group: 'instructions',
  keys: ['agentName'],
  define: () => ({
    name: words.ownPrompt.agentName,
    desc: words.ownPrompt.agentNameDesc,
    control: { type: 'text', key: 'agentName', placeholder: defaultSettings.agentName },
  }),
  read: (_key, ports) => ports.settings().agentName,
  write: (_key, value) => ({ agentName: String(value).trim() || defaultSettings.agentName }),
};

/** Additional instructions for every chat (R108). */
export const additionalInstructionsRow: SettingRow = {
  group: 'instructions',
  keys: ['additionalInstructions'],
  define: () => ({
    name: words.ownPrompt.additional,
    desc: words.ownPrompt.additionalDesc,
    control: { type: 'textarea', key: 'additionalInstructions', rows: 4 },
  }),
  read: (_key, ports) => ports.settings().additionalInstructions,
  write: (_key, value) => ({ additionalInstructions: String(value) }),
};

const say = words.spending.settings;
const rows = { spendingNotice: say.notice, spendingLimit: say.limit } as const;

/** What a chat may cost: the amount at which the user is warned, and the one at which nothing more is sent. */
export const spendingRow: SettingRow = {
  group: 'spending',
  keys: Object.keys(rows),
  define: ({ openUsage }) => ({
    type: 'group',
    items: [
      ...Object.entries(rows).map(([key, texts]) => ({
        ...texts,
        control: {
          type: 'text' as const,
          key,
          placeholder: say.none,
          validate: (value: string) => (parse(value) === undefined ? say.bad : undefined),
        },
      })),
      {
        name: words.usage.title,
        desc: words.usage.settingsDesc,
        render: (setting: Setting) => {
          setting.addButton((button) => button.setButtonText(words.commandNames['show-usage']).onClick(openUsage));
        },
      },
    ],
  }),
  read: (key, ports) => String(ports.settings()[key as keyof typeof rows] ?? ''),
  write: (key, value) => ({ [key]: parse(String(value)) ?? null }),
};

const maxDollars = 999_999;

/** Parses dollars; null for an empty box, undefined for an invalid amount. */
function parse(text: string): number | null | undefined {
  const dollars = parseAmount(text);
  return dollars == null || dollars <= maxDollars ? dollars : undefined;
}
