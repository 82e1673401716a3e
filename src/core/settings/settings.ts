/** Settings: the shape of what is stored in data.json, its defaults, and the decoding of whatever is found there. */
import * as z from 'zod/v4';
import { modeIds } from '../mode';

export const settingsVersion = 1;

/** How much a model is asked to think. */
export const efforts = ['none', 'low', 'medium', 'high'] as const;

/** Settings travel with the vault, so they never let the agent do more than a chat does without them (H11). */
export const startingPermissions = ['plan', 'read-only', 'review'] as const;

const tokens = z.number().int().min(1);
/** Dollars for a million tokens. */
const price = z.number().min(0);

/** What is known of a model, as far as its provider or the user said it. */
const modelFacts = z.looseObject({
  contextWindow: tokens.min(1024).optional(),
  outputLimit: tokens.optional(),
  inputPrice: price.optional(),
  outputPrice: price.optional(),
  cacheReadPrice: price.optional(),
  cacheWritePrice: price.optional(),
});
const modelChoices = modelFacts.extend({
  effort: z.enum(efforts).optional(),
  temperature: z.number().min(0).max(2).optional(),
});

const providerSettings = z.looseObject({
  /** Without a trailing slash. */
  baseUrl: z.string(),
  /** Name of the secret that holds the key; empty when the server needs none. */
  keyName: z.string(),
  /** Model names offered for this provider, as the provider spells them. */
  models: z.array(z.string()),
  /** By model name, what the provider's own list said when it was last asked. */
  reported: z.record(z.string(), modelFacts).optional(),
});

/** Each value that is stored, with what holds until it is set. */
const shape = {
  version: z.literal(settingsVersion).default(settingsVersion),
  /** `provider/model`; `reader/built-in` needs no key and no network. */
  model: z.string().min(1).default('reader/built-in'),
  mode: z.enum(modeIds).default('assistant'),
  /** 'auto' follows the model's context window. */
  tier: z
    .union([z.literal('auto'), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
    .default('auto'),
  /** Vault folder for prompts, workspaces, chats and exports. */
  agentFolder: z.string().min(1).default('Docent'),
  agentName: z.string().min(1).default('Assistant'),
  /** Notes that always stand in the prompt of a new chat. */
  contextNotes: z.array(z.string()).default([]),
  /** By provider id. */
  providers: z.record(z.string(), providerSettings).default({}),
  /** When the prompt tells the model how full its window is. */
  contextStatus: z.enum(['auto', 'always', 'never']).default('auto'),
  /** Whether older messages are summarised by themselves, or by hand alone. */
  compaction: z.enum(['automatic', 'manual']).default('automatic'),
  /** Percent of the room at which that happens; null for what suits the window. */
  compactionShare: z.number().int().min(20).max(95).nullable().default(null),
  /** Tokens at which it happens at the latest. */
  compactionCap: z.number().int().min(1024).nullable().default(null),
  /** By the model of the chat or by its provider, the model that summarises; the same model where none is named. */
  compactionModels: z.record(z.string(), z.string()).default({}),
  /** Whether a small request finds where the topic at hand begins, so that a summary ends there. */
  compactionTopics: z.boolean().default(false),
  /** Whether a second request looks for what a summary left out; 'auto' asks for large ones. */
  compactionCheck: z.enum(['auto', 'on', 'off']).default('auto'),
  /** Whether a note with the state of the work is saved before older messages are summarised. */
  saveStateFirst: z.boolean().default(false),
  /** Whether AGENTS.md stands in every prompt, or comes with the first note that is looked at. */
  contextFilesIn: z.enum(['prompt', 'first-touch']).default('prompt'),
  /** By `provider/model`, what the user set over what is known of the model. */
  modelFacts: z.record(z.string(), modelChoices).default({}),
  /** Dollars that a chat may cost before the user is told, and before nothing more is sent. */
  spendingNotice: price.nullable().default(null),
  spendingLimit: price.nullable().default(null),
  /** Tokens; overrides what is known of the model when set. */
  contextWindow: z.number().int().min(1024).nullable().default(null),
  /** Whether a note of the user's stands in place of the base prompt. */
  systemPrompt: z.enum(['off', 'default', 'path']).default('off'),
  /** Where it stands, for 'path'. */
  systemPromptPath: z.string().default(''),
  /** Whether each turn writes its system prompt to a note. */
  promptExport: z.enum(['off', 'default', 'path']).default('off'),
  /** Where exports go, for 'path'. */
  promptExportPath: z.string().default(''),
  /** Ids of the sections that are not told. */
  sectionsOff: z.array(z.string()).default([]),
  /** Told in every chat. */
  additionalInstructions: z.string().default(''),
  /** 'auto' asks small models alone to check themselves. */
  sanityChecks: z.enum(['auto', 'on', 'off']).default('auto'),
  brevity: z.enum(['brief', 'normal']).default('brief'),
  /** Folders and tags whose notes the agent never sees; see also the property `docent: false`. */
  keptFolders: z.array(z.string()).default([]),
  keptTags: z.array(z.string()).default([]),
  /** Folders of pages from the web, whose text counts as written by others. */
  clippingFolders: z.array(z.string()).default(['Clippings']),
  /** What the agent may do by itself in a new chat. */
  permission: z.enum(startingPermissions).default('review'),
  /** Names of the notes that hold the conventions of the vault and of its folders. */
  contextFiles: z.array(z.string()).default(['AGENTS.md']),
};

export type ModelFacts = z.infer<typeof modelFacts>;
export type ModelChoices = z.infer<typeof modelChoices>;
export type ProviderSettings = z.infer<typeof providerSettings>;
export type Settings = { readonly [Key in keyof typeof shape]: z.infer<(typeof shape)[Key]> };

export const defaultSettings = Object.fromEntries(
  Object.entries(shape).map(([key, schema]) => [key, schema.parse(undefined)]),
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
