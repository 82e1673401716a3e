/** The SettingRow contract: one setting, how it is shown, and how its control reads and writes it. */
import type { App, SettingDefinitionItem } from 'obsidian';
import type { Outcome } from '../../core/ports/failure';
import type { McpAccess } from '../../core/ports/network';
import type { ModelFacts, Settings } from '../../core/settings/settings';
import type { JournalUsage } from '../../core/writing/apply/journal';
import type { OwnPromptPorts } from '../own-prompt/own-prompt-ports';
import type { PromptsPorts } from '../prompts/prompts-ports';
import type { ModelsPorts } from '../providers/models-ports';

/** The parts of the tab, in their order; their headings are `words.settings.groups`. */
export const settingGroups = ['model', 'providers', 'chats', 'notes', 'servers', 'long-chats', 'own-prompt'] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** A provider as the settings show it. */
export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly keyName: string;
  /** Whether it answers nobody without a key. */
  readonly keyNeeded: boolean;
  /** Whether it runs on a machine of the user's own. */
  readonly local: boolean;
  readonly models: readonly string[];
}

export interface SettingsPorts {
  /** For the app's own picker of secrets. */
  readonly app: App;
  readonly providers: readonly ProviderChoice[];
  settings(): Settings;
  change(part: Partial<Settings>): Promise<void>;
  /** Binds a key on this device to the address that it was chosen for. */
  bindKey(keyName: string, address: string): void;
  /** The models that the provider offers now, with what it says of each. */
  testConnection(provider: string): Promise<Outcome<readonly (ModelFacts & { readonly name: string })[]>>;
  readonly models: Pick<ModelsPorts, 'known'>;
  /** The copies from which writes are undone; absent where nothing is written. */
  readonly journal?: { usage(): JournalUsage | null; prune(): Promise<Outcome<JournalUsage>> };
  readonly prompts: Pick<PromptsPorts, 'show' | 'model'>;
  readonly servers: McpAccess;
  /** The user's own side of the prompt. */
  readonly ownPrompt: OwnPromptPorts;
  /** Told when rows must be drawn anew, as when the list of models changed. */
  refresh(): void;
}

export interface SettingRow {
  /** Where on the tab it stands; rows of a part stand in the order of the list. */
  readonly group: SettingGroup;
  /** Keys of the row's controls. */
  readonly keys: readonly string[];
  /** Several settings that belong together come as a group, and stand one after the other. */
  define(ports: SettingsPorts): SettingDefinitionItem;
  /** The value that a control shows. */
  read(key: string, ports: SettingsPorts): unknown;
  /** What a control's new value changes; the control has validated it. */
  write(key: string, value: unknown, ports: SettingsPorts): Partial<Settings>;
  /** Called once what a control wrote is stored. */
  changed?(ports: SettingsPorts): void;
}
