/** Settings of long chats: when and how older messages are summarized. */
import type { SettingDefinitionItem } from 'obsidian';
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import { modelChoices } from '../state/model-choices';
import type { SettingsPorts } from '../state/ports';
import { maxListed } from './model-page';
import { parseTokens, type SettingRow } from './setting-row';

const say = words.status.settings;
const choices = ['auto', 'always', 'never'] as const;

/** Whether the prompt says how full the context window is. */
export const contextStatusRow: SettingRow = {
  group: 'long-chats',
  keys: ['contextStatus'],
  define: () => ({
    name: words.settings.contextStatus,
    desc: words.settings.contextStatusDesc,
    control: { type: 'dropdown', key: 'contextStatus', options: { ...words.settings.contextStatusChoices } },
  }),
  read: (_key, ports) => ports.settings().contextStatus,
  write: (_key, value) => ({ contextStatus: choices.find((choice) => choice === value) ?? 'auto' }),
};

const ways = ['automatic', 'manual'] as const;

/** Whether older messages are summarized automatically (R239). */
export const compactionRow: SettingRow = {
  group: 'long-chats',
  keys: ['compaction'],
  define: () => ({
    name: say.compaction,
    desc: say.compactionDesc,
    control: { type: 'dropdown', key: 'compaction', options: { ...say.compactionChoices } },
  }),
  read: (_key, ports) => ports.settings().compaction,
  write: (_key, value) => ({ compaction: ways.find((way) => way === value) ?? 'automatic' }),
};

/** Percent of the tokens that a request may use. */
const range = { min: 20, max: 95 } as const;

/** How full the context window is when older messages are summarized (R239, K23). */
export const compactionShareRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionShare'],
  define: () => ({
    name: say.share,
    desc: say.shareDesc,
    control: {
      type: 'text',
      key: 'compactionShare',
      validate: (value: string) => (parseShare(value) === undefined ? say.shareBad : undefined),
    },
  }),
  read: (_key, ports) => String(ports.settings().compactionShare ?? ''),
  write: (_key, value) => ({ compactionShare: parseShare(String(value)) ?? null }),
};

/** Parses a percentage; null for an empty box, undefined for an invalid one. */
function parseShare(value: string): number | null | undefined {
  const digits = value.replace(/[\s%]/g, '');
  if (digits === '') return null;
  const share = /^\d{1,3}$/.test(digits) ? Number(digits) : 0;
  return share >= range.min && share <= range.max ? share : undefined;
}

/** Tokens. */
const minCap = 1_024;

/** Maximum tokens at which older messages are summarized, for context windows that are costly to fill (K23). */
export const compactionCapRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionCap'],
  define: () => ({
    name: say.cap,
    desc: say.capDesc,
    control: {
      type: 'text',
      key: 'compactionCap',
      validate: (value: string) => (parseTokens(value, minCap) === undefined ? say.capBad : undefined),
    },
  }),
  read: (_key, ports) => String(ports.settings().compactionCap ?? ''),
  write: (_key, value) => ({ compactionCap: parseTokens(String(value), minCap) ?? null }),
};

const prefix = 'compactionModels.';
const same = '';

/** Which model summarizes, by model of the chat or for all models of a provider (R249). */
export const compactionModelsRow: SettingRow = {
  group: 'long-chats',
  keys: [prefix],
  define: (ports) => ({
    type: 'page',
    name: say.models,
    desc: say.modelsDesc,
    displayValue: () => say.modelsNamed(Object.keys(ports.settings().compactionModels).length),
    items: itemsOf(ports),
  }),
  read: (key, ports) => ports.settings().compactionModels[key.slice(prefix.length)] ?? same,
  write: (key, value, ports) => ({ compactionModels: chosenFor(key.slice(prefix.length), String(value), ports) }),
};

/** Returns the models that summarize, with this one for a provider or a model; the same as before for `same`. */
function chosenFor(key: string, model: string, ports: SettingsPorts): Settings['compactionModels'] {
  const { [key]: _before, ...others } = ports.settings().compactionModels;
  return model === same ? others : { ...others, [key]: model };
}

/**
 * Returns an item per configured provider, and one for each of its models if it has several: of many, for those that
 * have one already, and for the model in use.
 */
function itemsOf(ports: SettingsPorts): SettingDefinitionItem[] {
  const settings = ports.settings();
  const { compactionModels: named } = settings;
  const models = modelChoices(ports.providers, settings, settings.model);
  const lines = ports.providers
    .filter(({ id }) => settings.providers[id] !== undefined)
    .flatMap(({ id, label }) => {
      const own = Object.entries(models).filter(([model]) => model.startsWith(`${id}/`));
      const listed =
        own.length <= maxListed
          ? own
          : own.filter(([model]) => Object.hasOwn(named, model) || model === settings.model);
      const each = own.length > 1 ? listed : [];
      return [
        lineOf(ports, models, { key: id, name: say.modelsOf(label), unset: say.modelsSame }),
        ...each.map(([key, name]) => lineOf(ports, models, { key, name, unset: say.modelsAsProvider })),
      ];
    });
  return lines.length > 0 ? lines : [{ name: say.modelsNone }];
}

interface SummaryLine {
  /** Of a provider or a model. */
  readonly key: string;
  readonly name: string;
  /** What is shown if no model was chosen. */
  readonly unset: string;
}

/** Returns a line with a list of the models, or with a button that searches them if they are many. */
function lineOf(
  ports: SettingsPorts,
  models: Readonly<Record<string, string>>,
  { key, name, unset }: SummaryLine,
): SettingDefinitionItem {
  if (Object.keys(models).length <= maxListed) {
    const { [key]: _own, ...others } = models;
    return { name, control: { type: 'dropdown', key: prefix + key, options: { [same]: unset, ...others } } };
  }
  const chosen = ports.settings().compactionModels[key];
  const choose = async (model: string): Promise<void> => {
    await ports.change({ compactionModels: chosenFor(key, model, ports) });
    ports.refresh();
  };
  return {
    name,
    render: (setting) => {
      setting.addButton((button) =>
        button.setButtonText(chosen === undefined ? unset : (models[chosen] ?? chosen)).onClick(async () => {
          const found = await ports.searchModels();
          if (found !== null) await choose(found);
        }),
      );
      if (chosen === undefined) return;
      setting.addExtraButton((button) =>
        button
          .setIcon('rotate-ccw')
          .setTooltip(unset)
          .onClick(() => choose(same)),
      );
    },
  };
}

/** Whether a summary ends where the current topic begins (R250). */
export const compactionTopicsRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionTopics'],
  define: () => ({
    name: say.topics,
    desc: say.topicsDesc,
    control: { type: 'toggle', key: 'compactionTopics' },
  }),
  read: (_key, ports) => ports.settings().compactionTopics,
  write: (_key, value) => ({ compactionTopics: value === true }),
};

const checks = ['auto', 'on', 'off'] as const;

/** Whether a second request checks the summary (R246). */
export const compactionCheckRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionCheck'],
  define: () => ({
    name: say.check,
    desc: say.checkDesc,
    control: { type: 'dropdown', key: 'compactionCheck', options: { ...say.checkChoices } },
  }),
  read: (_key, ports) => ports.settings().compactionCheck,
  write: (_key, value) => ({ compactionCheck: checks.find((check) => check === value) ?? 'auto' }),
};

/** Whether a state is saved before older messages are summarized (R251). */
export const saveStateFirstRow: SettingRow = {
  group: 'long-chats',
  keys: ['saveStateFirst'],
  define: () => ({
    name: say.saveState,
    desc: say.saveStateDesc,
    control: { type: 'toggle', key: 'saveStateFirst' },
  }),
  read: (_key, ports) => ports.settings().saveStateFirst,
  write: (_key, value) => ({ saveStateFirst: value === true }),
};
