/** The SettingRow contract: one setting, how it is shown, and how its control reads and writes it. */
import type { App, SettingDefinitionItem } from 'obsidian';
import type { Outcome } from '../../core/failure';
import type { Settings } from '../../core/settings/settings';
import type { OwnPromptPorts } from '../own-prompt/own-prompt-ports';

/** A provider as the settings show it. */
export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly keyName: string;
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
  /** Names of the models that the provider offers now. */
  testConnection(provider: string): Promise<Outcome<readonly string[]>>;
  /** The list of prompts. */
  readonly prompts: { show(): void };
  /** The user's own side of the prompt. */
  readonly ownPrompt: OwnPromptPorts;
  /** Told when rows must be drawn anew, as when the list of models changed. */
  refresh(): void;
}

export interface SettingRow {
  /** Keys of the row's controls. */
  readonly keys: readonly string[];
  define(ports: SettingsPorts): SettingDefinitionItem;
  /** The value that a control shows. */
  read(key: string, ports: SettingsPorts): unknown;
  /** What a control's new value changes; the control has validated it. */
  write(key: string, value: unknown, ports: SettingsPorts): Partial<Settings>;
  /** Called once what a control wrote is stored. */
  changed?(ports: SettingsPorts): void;
}
