/** Settings: the shape of what is stored in data.json, its defaults, and the decoding of whatever is found there. */
import * as z from 'zod/v4';
import { modeIds } from '../mode';

export const settingsVersion = 1;

const providerSettings = z.looseObject({
  /** Without a trailing slash. */
  baseUrl: z.string(),
  /** Name of the secret that holds the key; empty when the server needs none. */
  keyName: z.string(),
  /** Model names offered for this provider, as the provider spells them. */
  models: z.array(z.string()),
});

const shape = {
  version: z.literal(settingsVersion),
  /** `provider/model`; `reader/built-in` needs no key and no network. */
  model: z.string().min(1),
  mode: z.enum(modeIds),
  /** 'auto' follows the model's context window. */
  tier: z.union([z.literal('auto'), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  /** Vault folder for prompts, workspaces, chats and exports. */
  agentFolder: z.string().min(1),
  agentName: z.string().min(1),
  /** Notes that always stand in the prompt of a new chat. */
  contextNotes: z.array(z.string()),
  /** By provider id. */
  providers: z.record(z.string(), providerSettings),
  /** When the prompt tells the model how full its window is. */
  contextStatus: z.enum(['auto', 'always', 'never']),
  /** Whether older messages are summarised by themselves, or by hand alone. */
  compaction: z.enum(['automatic', 'manual']),
  /** Percent of the room at which that happens; null for what suits the window. */
  compactionShare: z.number().int().min(20).max(95).nullable(),
  /** Tokens at which it happens at the latest. */
  compactionCap: z.number().int().min(1024).nullable(),
  /** By the model of the chat, the model that summarises; the same model where none is named. */
  compactionModels: z.record(z.string(), z.string()),
  /** Whether a second request looks for what a summary left out; 'auto' asks for large ones. */
  compactionCheck: z.enum(['auto', 'on', 'off']),
  /** Whether a note with the state of the work is saved before older messages are summarised. */
  saveStateFirst: z.boolean(),
  /** Whether AGENTS.md stands in every prompt, or comes with the first note that is looked at. */
  contextFilesIn: z.enum(['prompt', 'first-touch']),
  /** Tokens; overrides what is known of the model when set. */
  contextWindow: z.number().int().min(1024).nullable(),
  /** Whether a note of the user's stands in place of the base prompt. */
  systemPrompt: z.enum(['off', 'default', 'path']),
  /** Where it stands, for 'path'. */
  systemPromptPath: z.string(),
  /** Whether each turn writes its system prompt to a note. */
  promptExport: z.enum(['off', 'default', 'path']),
  /** Where exports go, for 'path'. */
  promptExportPath: z.string(),
  /** Ids of the sections that are not told. */
  sectionsOff: z.array(z.string()),
  /** Told in every chat. */
  additionalInstructions: z.string(),
  /** 'auto' asks small models alone to check themselves. */
  sanityChecks: z.enum(['auto', 'on', 'off']),
  brevity: z.enum(['brief', 'normal']),
  /** Names of the notes that hold the conventions of the vault and of its folders. */
  contextFiles: z.array(z.string()),
};

export type ProviderSettings = z.infer<typeof providerSettings>;
export type Settings = { readonly [Key in keyof typeof shape]: z.infer<(typeof shape)[Key]> };

export const defaultSettings: Settings = {
  version: settingsVersion,
  model: 'reader/built-in',
  mode: 'assistant',
  tier: 'auto',
  agentFolder: 'Docent',
  agentName: 'Assistant',
  contextNotes: [],
  providers: {},
  contextStatus: 'auto',
  compaction: 'automatic',
  compactionShare: null,
  compactionCap: null,
  compactionModels: {},
  compactionCheck: 'auto',
  saveStateFirst: false,
  contextFilesIn: 'prompt',
  contextWindow: null,
  systemPrompt: 'off',
  systemPromptPath: '',
  promptExport: 'off',
  promptExportPath: '',
  sectionsOff: [],
  additionalInstructions: '',
  sanityChecks: 'auto',
  brevity: 'brief',
  contextFiles: ['AGENTS.md'],
};

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
    const parsed = shape[key as keyof typeof shape].safeParse(value);
    if (parsed.success) settings[key] = parsed.data;
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
