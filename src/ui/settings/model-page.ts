/** Settings of the model: its id, its context window, and what is known of it. */
import type { SettingDefinitionItem } from 'obsidian';
import type { ModelDescription } from '../../core/ports/model';
import { efforts, type ModelChoices, toolCallings } from '../../core/settings/settings';
import { words } from '../../text';
import { modelChoices, usesBuiltInReader } from '../state/model-choices';
import type { SettingsPorts } from '../state/ports';
import { parseAmount, parseTokens, parseWhole, type SettingRow } from './setting-row';

/** The models beyond which a dropdown is too long to be read. */
export const maxListed = 30;

/** The model that answers: chosen from a list, or found by a search if there are many. */
export const modelRow: SettingRow = {
  group: 'first',
  keys: ['model'],
  define: (ports) => {
    const { model } = ports.settings();
    const options = modelChoices(ports.providers, ports.settings(), model);
    const about = {
      name: words.settings.model,
      desc: words.settings.modelDesc,
      aliases: [...words.settings.modelAliases],
    };
    if (Object.keys(options).length <= maxListed) {
      return { ...about, control: { type: 'dropdown', key: 'model', options } };
    }
    return {
      ...about,
      render: (setting) => {
        setting.addButton((button) =>
          button.setButtonText(options[model] ?? model).onClick(async () => {
            const chosen = await ports.searchModels();
            if (chosen === null) return;
            await ports.change({ model: chosen });
            ports.refresh();
          }),
        );
      },
    };
  },
  read: (_key, ports) => ports.settings().model,
  write: (_key, value) => ({ model: String(value) }),
  // Other rows show what is known of the context window of this model.
  changed: (ports) => ports.refresh(),
};

/** Tokens. */
const minContextWindow = 1024;

/** The context window of the model, if the user knows better than the table. */
export const contextWindowRow: SettingRow = {
  group: 'model',
  keys: ['contextWindow'],
  define: (ports) => ({
    name: words.settings.contextWindow,
    desc: words.settings.contextWindowDesc,
    control: {
      type: 'text',
      key: 'contextWindow',
      placeholder: knownWindow(ports),
      validate: (value: string) =>
        parseTokens(value, minContextWindow) === undefined ? words.settings.contextWindowBad : undefined,
    },
  }),
  read: (_key, ports) => {
    const { contextWindow } = ports.settings();
    return contextWindow === null ? '' : String(contextWindow);
  },
  write: (_key, value) => ({ contextWindow: parseTokens(String(value), minContextWindow) ?? null }),
};

/** Describes the value that applies while the box is empty. */
function knownWindow(ports: SettingsPorts): string {
  const model = ports.prompts.model(ports.settings().model);
  return model.ok ? model.value.description.contextWindow.toLocaleString('en') : '';
}

const prefix = 'modelFacts.';
const say = words.models.facts;

interface NumberField {
  readonly name: string;
  readonly desc: string;
  /** Minimum and maximum. */
  readonly range: readonly [number, number];
  readonly whole: boolean;
  readonly known: (model: ModelDescription) => number | undefined;
}

const maxWindow = 100_000_000;
const dearest = 10_000;
/** Each control by the field that it sets. */
const numberFields = {
  contextWindow: {
    ...say.contextWindow,
    range: [1_024, maxWindow],
    whole: true,
    known: (model) => model.contextWindow,
  },
  outputLimit: { ...say.outputLimit, range: [1, maxWindow], whole: true, known: (model) => model.outputLimit },
  inputPrice: { ...say.inputPrice, range: [0, dearest], whole: false, known: ({ prices }) => prices?.input },
  outputPrice: { ...say.outputPrice, range: [0, dearest], whole: false, known: ({ prices }) => prices?.output },
  cacheReadPrice: {
    ...say.cacheReadPrice,
    range: [0, dearest],
    whole: false,
    known: ({ prices }) => prices?.cacheRead,
  },
  cacheWritePrice: {
    ...say.cacheWritePrice,
    range: [0, dearest],
    whole: false,
    known: ({ prices }) => prices?.cacheWrite,
  },
  temperature: { ...say.temperature, range: [0, 2], whole: false, known: () => undefined },
} as const satisfies Partial<Record<keyof ModelChoices, NumberField>>;
type NumberKey = keyof typeof numberFields;
const numberKeys = Object.keys(numberFields) as NumberKey[];

/**
 * What is known of the current model, and the user's corrections: its context window, its longest answer, its prices.
 */
export const modelFactsRow: SettingRow = {
  group: 'model',
  keys: [prefix],
  define: (ports) => ({
    type: 'page',
    name: say.page,
    desc: say.pageDesc,
    displayValue: () => (numberOfChoices(ports) === 0 ? '' : say.changed(numberOfChoices(ports))),
    visible: () => ports.models.known(ports.settings().model) !== null && !usesBuiltInReader(ports.settings()),
    items: [headOf(ports), toolCallingItem(ports), ...numberKeys.map((key) => numberItem(key, ports)), effortItem],
  }),
  read: (key, ports) => {
    const value: unknown = choicesOf(ports)[key.slice(prefix.length)];
    return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  },
  write: (key, value, ports) => {
    const { model, modelFacts } = ports.settings();
    const field = key.slice(prefix.length);
    const { [field]: _before, ...others } = choicesOf(ports);
    const chosen = parseChoice(field, String(value));
    const facts = chosen === undefined || chosen === null ? others : { ...others, [field]: chosen };
    return { modelFacts: { ...modelFacts, [model]: facts } };
  },
};

const choicesOf = (ports: SettingsPorts): ModelChoices => ports.settings().modelFacts[ports.settings().model] ?? {};
const numberOfChoices = (ports: SettingsPorts): number => Object.keys(choicesOf(ports)).length;

/** Returns the head of the group: the model, and the source of what is known of it. */
function headOf(ports: SettingsPorts): SettingDefinitionItem {
  const { model } = ports.settings();
  const known = ports.models.known(model);
  const { prices } = known ?? {};
  const { contextWindow = 0, assumedWindow, prices: own } = ports.models.described(model) ?? {};
  const isListed = prices !== undefined && prices.date !== null;
  const { listPrices, priceUnknown } = words.spending;
  const desc = [
    isListed ? say.fromTable : say.fromList,
    isListed ? listPrices(prices) : prices === undefined && own === undefined && priceUnknown,
    known?.isWindowGuessed && say.windowUnknown(known.contextWindow),
    assumedWindow !== undefined && say.learned(contextWindow, assumedWindow),
  ];
  return { name: model.slice(model.indexOf('/') + 1), desc: desc.filter(Boolean).join(' ') };
}

function numberItem(key: NumberKey, ports: SettingsPorts): SettingDefinitionItem {
  const { name, desc, known, range, whole }: NumberField = numberFields[key];
  const model = ports.models.known(ports.settings().model);
  const value = model === null ? undefined : known(model);
  return {
    name,
    desc,
    control: {
      type: 'text',
      key: `${prefix}${key}`,
      placeholder:
        value === undefined
          ? key === 'temperature'
            ? say.usual
            : say.unknown
          : value.toLocaleString('en', { maximumFractionDigits: 4 }),
      validate: (text: string) => (parseFact(key, text) === undefined ? say.bad(range, whole) : undefined),
    },
  };
}

const effortItem: SettingDefinitionItem = {
  ...say.effort,
  control: { type: 'dropdown', key: `${prefix}effort`, options: { '': say.efforts.usual, ...say.efforts.by } },
};

function toolCallingItem(ports: SettingsPorts): SettingDefinitionItem {
  const { automatic, by } = say.toolCallings;
  const isNative = ports.models.known(ports.settings().model)?.nativeTools ?? true;
  const options = { '': automatic(isNative), ...by };
  return { ...say.toolCalling, control: { type: 'dropdown', key: `${prefix}toolCalling`, options } };
}

/** The values of the fields that are chosen from a list. */
const lists: Readonly<Record<string, readonly string[]>> = { effort: efforts, toolCalling: toolCallings };

function parseChoice(field: string, value: string): string | number | null | undefined {
  const list = lists[field];
  return list === undefined ? parseFact(field, value) : list.find((each) => each === value);
}

/** Parses a number; null for an empty box, undefined if it is not a number within the range. */
function parseFact(key: string, text: string): number | null | undefined {
  const { range, whole }: NumberField = numberFields[key as NumberKey];
  const value = whole ? parseWhole(text) : parseAmount(text);
  return value == null || (value >= range[0] && value <= range[1]) ? value : undefined;
}
