/** Settings: the shape of what is stored in data.json, its defaults, and the decoding of whatever is found there. */
import { modeIds } from './mode';

// Guards: each tells whether a stored value is of its kind. The settings are decoded whenever the app starts, and a
// library for schemas would take longer to start than they take to check.

type Guard<Value> = (value: unknown) => value is Value;

/** What holds members beside those that are known, of any kind. */
type Fields<Guards> = { [member: string]: unknown } & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? never : Key]: Guarded<Guards[Key]>;
} & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? Key : never]?: Guarded<Guards[Key]>;
};
type Guarded<Each> = Each extends Guard<infer Value> ? Value : never;

export const flag: Guard<boolean> = (value) => typeof value === 'boolean';

/** @param least characters */
export function text(least = 0): Guard<string> {
  return (value): value is string => typeof value === 'string' && value.length >= least;
}

/** Between these two, and not infinite. */
export function number(least: number, most = Infinity): Guard<number> {
  return (value): value is number => Number.isFinite(value) && isWithin(value as number, least, most);
}

/** A number without fractions that is held exactly. */
export function whole(least: number, most = Infinity): Guard<number> {
  return (value): value is number => Number.isSafeInteger(value) && isWithin(value as number, least, most);
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function oneOf<const Values extends readonly unknown[]>(values: Values): Guard<Values[number]> {
  return (value): value is Values[number] => values.includes(value);
}

export function optional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}

export function orNull<Value>(guard: Guard<Value>): Guard<Value | null> {
  return (value): value is Value | null => value === null || guard(value);
}

export function listOf<Value>(guard: Guard<Value>): Guard<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(guard);
}

export function recordOf<Value>(guard: Guard<Value>): Guard<Record<string, Value>> {
  return (value): value is Record<string, Value> => isObject(value) && Object.values(value).every(guard);
}

export function fields<Guards extends Readonly<Record<string, Guard<unknown>>>>(guards: Guards): Guard<Fields<Guards>> {
  const known = Object.entries(guards);
  return (value): value is Fields<Guards> => isObject(value) && known.every(([key, guard]) => guard(value[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const settingsVersion = 1;

/** How much a model is asked to think. */
export const efforts = ['none', 'low', 'medium', 'high'] as const;

/** Settings travel with the vault, so they never let the agent do more than a chat does without them (H11). */
export const startingPermissions = ['plan', 'read-only', 'review'] as const;

const tokens = whole(1);
/** Dollars for a million tokens. */
const price = number(0);

/** What is known of a model, as far as its provider or the user said it. */
const modelFacts = {
  contextWindow: optional(whole(1024)),
  outputLimit: optional(tokens),
  inputPrice: optional(price),
  outputPrice: optional(price),
  cacheReadPrice: optional(price),
  cacheWritePrice: optional(price),
};
const modelChoices = {
  ...modelFacts,
  effort: optional(oneOf(efforts)),
  temperature: optional(number(0, 2)),
};

const providerSettings = {
  /** Without a trailing slash. */
  baseUrl: text(),
  /** Name of the secret that holds the key; empty when the server needs none. */
  keyName: text(),
  /** Model names offered for this provider, as the provider spells them. */
  models: listOf(text()),
  /** By model name, what the provider's own list said when it was last asked. */
  reported: optional(recordOf(fields(modelFacts))),
};

/** Names stand before those of tools, so that they are short and plain. */
const mcpServer = {
  name: text(1),
  url: text(1),
  keyName: text(),
  isOn: flag,
};

/** @param start what holds until it is set */
function stored<Value>(guard: Guard<Value>, start: NoInfer<Value>): { guard: Guard<Value>; start: Value } {
  return { guard, start };
}

/** Each value that is stored, with what holds until it is set. */
const shape = {
  version: stored(oneOf([settingsVersion]), settingsVersion),
  /** `provider/model`; `reader/built-in` needs no key and no network. */
  model: stored(text(1), 'reader/built-in'),
  mode: stored(oneOf(modeIds), 'assistant'),
  /** 'auto' follows the model's context window. */
  tier: stored(oneOf(['auto', 1, 2, 3, 4, 5]), 'auto'),
  /** Vault folder for prompts, workspaces, chats and exports. */
  agentFolder: stored(text(1), 'Docent'),
  agentName: stored(text(1), 'Assistant'),
  /** Notes that always stand in the prompt of a new chat. */
  contextNotes: stored(listOf(text()), []),
  /** By provider id. */
  providers: stored(recordOf(fields(providerSettings)), {}),
  /** When the prompt tells the model how full its window is. */
  contextStatus: stored(oneOf(['auto', 'always', 'never']), 'auto'),
  /** Whether older messages are summarised by themselves, or by hand alone. */
  compaction: stored(oneOf(['automatic', 'manual']), 'automatic'),
  /** Percent of the room at which that happens; null for what suits the window. */
  compactionShare: stored(orNull(whole(20, 95)), null),
  /** Tokens at which it happens at the latest. */
  compactionCap: stored(orNull(whole(1024)), null),
  /** By the model of the chat or by its provider, the model that summarises; the same model where none is named. */
  compactionModels: stored(recordOf(text()), {}),
  /** Whether a small request finds where the topic at hand begins, so that a summary ends there. */
  compactionTopics: stored(flag, false),
  /** Whether a second request looks for what a summary left out; 'auto' asks for large ones. */
  compactionCheck: stored(oneOf(['auto', 'on', 'off']), 'auto'),
  /** Whether a note with the state of the work is saved before older messages are summarised. */
  saveStateFirst: stored(flag, false),
  /** Whether AGENTS.md stands in every prompt, or comes with the first note that is looked at. */
  contextFilesIn: stored(oneOf(['prompt', 'first-touch']), 'prompt'),
  /** By `provider/model`, what the user set over what is known of the model. */
  modelFacts: stored(recordOf(fields(modelChoices)), {}),
  /** Dollars that a chat may cost before the user is told, and before nothing more is sent. */
  spendingNotice: stored(orNull(price), null),
  spendingLimit: stored(orNull(price), null),
  /** Tokens; overrides what is known of the model when set. */
  contextWindow: stored(orNull(whole(1024)), null),
  /** Whether a note of the user's stands in place of the base prompt. */
  systemPrompt: stored(oneOf(['off', 'default', 'path']), 'off'),
  /** Where it stands, for 'path'. */
  systemPromptPath: stored(text(), ''),
  /** Whether each turn writes its system prompt to a note. */
  promptExport: stored(oneOf(['off', 'default', 'path']), 'off'),
  /** Where exports go, for 'path'. */
  promptExportPath: stored(text(), ''),
  /** Ids of the sections that are not told. */
  sectionsOff: stored(listOf(text()), []),
  /** Told in every chat. */
  additionalInstructions: stored(text(), ''),
  /** 'auto' asks small models alone to check themselves. */
  sanityChecks: stored(oneOf(['auto', 'on', 'off']), 'auto'),
  brevity: stored(oneOf(['brief', 'normal']), 'brief'),
  /** Folders and tags whose notes the agent never sees; see also the property `docent: false`. */
  keptFolders: stored(listOf(text()), []),
  keptTags: stored(listOf(text()), []),
  /** Folders of pages from the web, whose text counts as written by others. */
  clippingFolders: stored(listOf(text()), ['Clippings']),
  /** What the agent may do by itself in a new chat. */
  permission: stored(oneOf(startingPermissions), 'review'),
  /** Servers of the Model Context Protocol; each is asked on a device only after its user allowed it there. */
  mcpServers: stored(listOf(fields(mcpServer)), []),
  /** Names of the notes that hold the conventions of the vault and of its folders. */
  contextFiles: stored(listOf(text()), ['AGENTS.md']),
};

export type ModelFacts = Fields<typeof modelFacts>;
export type ModelChoices = Fields<typeof modelChoices>;
export type ProviderSettings = Fields<typeof providerSettings>;
export type Settings = { readonly [Key in keyof typeof shape]: (typeof shape)[Key]['start'] };

export const defaultSettings = Object.fromEntries(
  Object.entries(shape).map(([key, { start }]) => [key, start]),
) as Settings;

export interface DecodedSettings {
  readonly settings: Settings;
  /** Keys that this version does not know; they are written back untouched. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** One plain sentence for each value that was refused. */
  readonly problems: readonly SettingsProblem[];
}

export interface SettingsProblem {
  readonly key: string;
  readonly problem: 'not-an-object' | 'invalid' | 'newer-version' | 'not-saved';
}

/**
 * Decodes what was stored, value by value: a bad value falls back to the last good copy, then to the default,
 * and is reported; nothing is thrown and no key is lost.
 */
export function decodeSettings(stored: unknown, lastGood: Settings = defaultSettings): DecodedSettings {
  if (stored === null || stored === undefined) return { settings: lastGood, unknown: {}, problems: [] };
  if (typeof stored !== 'object' || Array.isArray(stored)) {
    return { settings: lastGood, unknown: {}, problems: [{ key: '', problem: 'not-an-object' }] };
  }
  const problems: SettingsProblem[] = [];
  const settings: Record<string, unknown> = { ...lastGood };
  const unknown: [string, unknown][] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (!Object.hasOwn(shape, key)) {
      unknown.push([key, value]);
      continue;
    }
    if (key === 'version') {
      if (typeof value === 'number' && value > settingsVersion) {
        problems.push({ key, problem: 'newer-version' });
        unknown.push([key, value]);
      }
      continue;
    }
    if (shape[key as keyof typeof shape].guard(value)) settings[key] = value;
    else problems.push({ key, problem: 'invalid' });
  }
  return { settings: settings as Settings, unknown: Object.fromEntries(unknown), problems };
}

/** What to store: the settings together with the keys of other versions, and the number of the newest of them. */
export function encodeSettings(
  settings: Settings,
  unknown: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { version = settings.version } = unknown;
  return { ...unknown, ...settings, version };
}
