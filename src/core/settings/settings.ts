/** Settings: the shape of data.json, its defaults, and a decoder that tolerates any content. */
import { modeIds } from './mode';

// Guards check whether a stored value is of a type. Settings are decoded on every start, and loading a schema library
// would take longer than the checks themselves.

type Guard<Value> = (value: unknown) => value is Value;

/** An object that may have other members of any type in addition to the known ones. */
type Fields<Guards> = { [member: string]: unknown } & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? never : Key]: Guarded<Guards[Key]>;
} & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? Key : never]?: Guarded<Guards[Key]>;
};
type Guarded<Each> = Each extends Guard<infer Value> ? Value : never;

export const flag: Guard<boolean> = (value) => typeof value === 'boolean';

/** @param min length in characters */
export function text(min = 0): Guard<string> {
  return (value): value is string => typeof value === 'string' && value.length >= min;
}

/**
 * Accepts the path of a folder inside the vault as the app spells it: settings that sync must not lead the files of chats
 * to another place, or past what is compared with this path.
 */
const folderPath: Guard<string> = (value): value is string =>
  typeof value === 'string' && !/[\\\0]|^[a-z]:/i.test(value) && value.split('/').every((name) => /^[^.]/.test(name));

/** Accepts finite numbers in the range. */
export function number(min: number, max = Infinity): Guard<number> {
  return (value): value is number => Number.isFinite(value) && isWithin(value as number, min, max);
}

/** Accepts safe integers in the range. */
export function whole(min: number, max = Infinity): Guard<number> {
  return (value): value is number => Number.isSafeInteger(value) && isWithin(value as number, min, max);
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const settingsVersion = 1;

/** How much reasoning a model is asked to do. */
export const efforts = ['none', 'low', 'medium', 'high'] as const;

/** How a model calls tools, if the user decides: by its own means, or by writing calls into its answer. */
export const toolCallings = ['native', 'text'] as const;

/**
 * Permissions of a new chat. Settings sync with the vault, so none of them lets the agent do more than a chat does
 * without them (H11).
 */
export const startingPermissions = ['plan', 'read-only', 'review'] as const;

const tokens = whole(1);
/** US dollars per million tokens. */
const price = number(0);

/** Facts about a model, as its provider or the user stated them. */
const modelFacts = {
  contextWindow: optional(whole(1024)),
  outputLimit: optional(tokens),
  inputPrice: optional(price),
  outputPrice: optional(price),
  cacheReadPrice: optional(price),
  cacheWritePrice: optional(price),
};
const reportedFacts = {
  ...modelFacts,
  /** Whether the model supports tools natively. */
  nativeTools: optional(flag),
};
const modelChoices = {
  ...modelFacts,
  /** Automatic if absent. */
  toolCalling: optional(oneOf(toolCallings)),
  effort: optional(oneOf(efforts)),
  temperature: optional(number(0, 2)),
};

const providerSettings = {
  /** Without a trailing slash. */
  baseUrl: text(),
  /** Name of the secret that contains the API key; empty if the server needs none. */
  keyName: text(),
  /** Names of the models shown for this provider, in the provider's spelling. */
  models: listOf(text()),
  /** By model name, what the provider's model list reported last. */
  reported: optional(recordOf(fields(reportedFacts))),
};

/** Names are prefixes of tool names, so they must be short and plain. */
const mcpServer = {
  name: text(1),
  url: text(1),
  keyName: text(),
  isOn: flag,
};

/** @param start the default */
function stored<Value>(guard: Guard<Value>, start: NoInfer<Value>): { guard: Guard<Value>; start: Value } {
  return { guard, start };
}

/** Each stored value with its default. */
const shape = {
  version: stored(oneOf([settingsVersion]), settingsVersion),
  /** `provider/model`; `reader/built-in` needs no key and no network. */
  model: stored(text(1), 'reader/built-in'),
  mode: stored(oneOf(modeIds), 'assistant'),
  /** 'auto' follows the model's context window. */
  tier: stored(oneOf(['auto', 1, 2, 3, 4, 5]), 'auto'),
  /** Vault folder for prompts, workspaces, chats and exports. */
  agentFolder: stored(folderPath, 'Docent'),
  agentName: stored(text(1), 'Assistant'),
  /** Notes pinned in every new chat. */
  contextNotes: stored(listOf(text()), []),
  /** By provider id. */
  providers: stored(recordOf(fields(providerSettings)), {}),
  /** When the prompt reports how full the context window is. */
  contextStatus: stored(oneOf(['auto', 'always', 'never']), 'auto'),
  /** Whether older messages are summarized automatically or only by hand. */
  compaction: stored(oneOf(['automatic', 'manual']), 'automatic'),
  /**
   * Percent of the available tokens at which older messages are summarized; null for the default of the context window.
   */
  compactionShare: stored(orNull(whole(20, 95)), null),
  /** Maximum tokens before older messages are summarized; null for no cap. */
  compactionCap: stored(orNull(whole(1024)), null),
  /** By model of the chat or by its provider, the model that summarizes; the chat's own model if none is named. */
  compactionModels: stored(recordOf(text()), {}),
  /** Whether a small request finds where the current topic begins, so that a summary ends there. */
  compactionTopics: stored(flag, false),
  /** Whether a second request checks what a summary left out; 'auto' does so for large ones. */
  compactionCheck: stored(oneOf(['auto', 'on', 'off']), 'auto'),
  /** Whether a note with the state of the work is saved before older messages are summarized. */
  saveStateFirst: stored(flag, false),
  /** Whether AGENTS.md is part of every prompt, or is sent with the first note that is read. */
  contextFilesIn: stored(oneOf(['prompt', 'first-touch']), 'prompt'),
  /** By `provider/model`, the user's overrides of known facts. */
  modelFacts: stored(recordOf(fields(modelChoices)), {}),
  /** US dollars that a chat may cost before a notice, and before Docent stops sending. */
  spendingNotice: stored(orNull(price), null),
  spendingLimit: stored(orNull(price), null),
  /** Tokens; overrides the known context window. */
  contextWindow: stored(orNull(whole(1024)), null),
  /** Whether a note of the user's replaces the base prompt. */
  systemPrompt: stored(oneOf(['off', 'default', 'path']), 'off'),
  /** Path of that note, for 'path'. */
  systemPromptPath: stored(text(), ''),
  /** Whether each turn writes its system prompt to a note. */
  promptExport: stored(oneOf(['off', 'default', 'path']), 'off'),
  /** Path of the exports, for 'path'. */
  promptExportPath: stored(text(), ''),
  /** Ids of the sections that are not sent. */
  sectionsOff: stored(listOf(text()), []),
  /** Sent in every chat. */
  additionalInstructions: stored(text(), ''),
  /** 'auto' asks only small models to check their answers. */
  sanityChecks: stored(oneOf(['auto', 'on', 'off']), 'auto'),
  brevity: stored(oneOf(['brief', 'normal']), 'brief'),
  /** Folders and tags whose notes are hidden from the agent; see also the property `docent: false`. */
  keptFolders: stored(listOf(text()), []),
  keptTags: stored(listOf(text()), []),
  /** Folders of web clippings, whose text counts as untrusted. */
  clippingFolders: stored(listOf(text()), ['Clippings']),
  /** What the agent may do without asking in a new chat. */
  permission: stored(oneOf(startingPermissions), 'review'),
  /** Whether the Return key of a phone begins a new line, so that only the button sends. */
  phoneNewLine: stored(flag, false),
  /** Whether each chat is mirrored as a note. */
  mirrorChats: stored(flag, false),
  /** Whether a small request gives each new chat its title. */
  titlesByModel: stored(flag, false),
  /** Servers of the Model Context Protocol; a device connects only after the user allowed the server there. */
  mcpServers: stored(listOf(fields(mcpServer)), []),
  /** Names of the notes that contain the conventions of the vault and of its folders. */
  contextFiles: stored(listOf(text()), ['AGENTS.md']),
};

export type ModelFacts = Fields<typeof modelFacts>;
export type ReportedFacts = Fields<typeof reportedFacts>;
export type ModelChoices = Fields<typeof modelChoices>;
export type ProviderSettings = Fields<typeof providerSettings>;
export type Settings = { readonly [Key in keyof typeof shape]: (typeof shape)[Key]['start'] };

export const defaultSettings = Object.fromEntries(
  Object.entries(shape).map(([key, { start }]) => [key, start]),
) as Settings;

export interface DecodedSettings {
  readonly settings: Settings;
  /** Keys that this version does not know; they are stored again unchanged. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** Values that this version cannot read, by key; they are stored again until the user changes the setting. */
  readonly refused: Readonly<Record<string, unknown>>;
  /** One per rejected value. */
  readonly problems: readonly SettingsProblem[];
}

export interface SettingsProblem {
  readonly key: string;
  readonly problem:
    | 'not-an-object'
    /** The last good value is used. */
    | 'invalid'
    /** There is none, so the default is used. */
    | 'invalid-default'
    /** There is none of what is hidden, so no note is read. */
    | 'invalid-hidden'
    | 'newer-version'
    | 'not-saved'
    /** With them, the file would be too large to be read. */
    | 'too-large'
    /** Another program wrote over each try to store them. */
    | 'written-over'
    /** The file is missing, and the last good copy is used. */
    | 'missing'
    /** The file is damaged; the key is the sentence that says how. */
    | 'damaged';
}

/** The settings that say what is hidden from the agent. Without knowing both, nothing may be read. */
export const hiddenKeys = ['keptFolders', 'keptTags'] as const satisfies readonly (keyof Settings)[];

/** Whether the values include both lists of what is hidden. */
export function knowsHidden(known: Partial<Settings>): boolean {
  return hiddenKeys.every((key) => Object.hasOwn(known, key));
}

/**
 * Decodes the stored settings value by value. A bad value falls back to the last good copy, then to the default, and is
 * reported. Never throws and never loses a key.
 */
export function decodeSettings(stored: unknown, lastGood: Partial<Settings> = {}): DecodedSettings {
  const settings: Record<string, unknown> = { ...defaultSettings, ...lastGood };
  const decoded = (parts: Partial<DecodedSettings> = {}): DecodedSettings => {
    return { settings: settings as Settings, unknown: {}, refused: {}, problems: [], ...parts };
  };
  if (stored === null || stored === undefined) return decoded();
  if (!isObject(stored)) return decoded({ problems: [{ key: '', problem: 'not-an-object' }] });
  const problems: SettingsProblem[] = [];
  const unknown: [string, unknown][] = [];
  const refused: [string, unknown][] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (!Object.hasOwn(shape, key)) {
      unknown.push([key, value]);
      continue;
    }
    const isNewer = key === 'version' && typeof value === 'number' && value > settingsVersion;
    if (isNewer) {
      problems.push({ key, problem: 'newer-version' });
      unknown.push([key, value]);
    } else if (shape[key as keyof typeof shape].guard(value)) settings[key] = value;
    else {
      problems.push({ key, problem: problemOf(key as keyof Settings, lastGood) });
      // A number of no version means nothing, so it is not stored again.
      if (key !== 'version') refused.push([key, value]);
    }
  }
  return decoded({ unknown: Object.fromEntries(unknown), refused: Object.fromEntries(refused), problems });
}

function problemOf(key: keyof Settings, lastGood: Partial<Settings>): SettingsProblem['problem'] {
  if (Object.hasOwn(lastGood, key)) return 'invalid';
  return hiddenKeys.some((each) => each === key) ? 'invalid-hidden' : 'invalid-default';
}

/** Returns the values that were read from the stored settings themselves, without any that fell back. */
export function readKnownValues(stored: unknown): Partial<Settings> {
  if (!isObject(stored)) return {};
  const { settings, refused } = decodeSettings(stored);
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => Object.hasOwn(stored, key) && !Object.hasOwn(refused, key)),
  );
}

/**
 * Returns the settings to store, together with the keys of other versions, the values that could not be read, and the
 * newest version number.
 */
export function encodeSettings(
  settings: Settings,
  unknown: Readonly<Record<string, unknown>>,
  refused: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { version = settings.version } = unknown;
  return { ...unknown, ...settings, version, ...refused };
}
