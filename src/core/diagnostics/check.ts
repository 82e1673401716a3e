/** The Check contract: one self-contained file a check, pure over the ports it is handed; no check asks the network. */
import type { Outcome } from '../ports/failure';
import type { Model, Tokenizer } from '../ports/model';
import type { NoteText, Vault } from '../ports/vault';
import type { OverridePorts } from '../prompt/override';
import type { ServedTemplate } from '../prompt/tiered-prompt-store';
import type { DeviceFacts } from '../prompt/world';
import type { ChatChoices, Mention, UnclearChoice } from '../session/entry';
import type { ModeId, Tier } from '../settings/mode';
import type { Settings, SettingsProblem } from '../settings/settings';
import type { LoggedEvent } from './event-log';

export type CheckLevel = 'ok' | 'note' | 'warning' | 'error';

/** A step that mends what was found; the view knows what each one does. */
export interface CheckAction {
  readonly id:
    | 'open-note'
    | 'open-settings'
    | 'create-folder'
    | 'create-system-prompt'
    | 'turn-off-system-prompt'
    | 'allow-outside-file'
    | 'take-back-write'
    | 'finish-write'
    | 'keep-write';
  readonly label: string;
  /** The note or folder that the step is about. */
  readonly path?: string;
}

export interface CheckResult {
  readonly level: CheckLevel;
  /** One plain sentence or more, without secrets. */
  readonly words: string;
  /** The note that it is about. */
  readonly path?: string;
  /** Whether the next request uses what it is about. */
  readonly inUse?: boolean;
  /** When it happened, in milliseconds since the epoch. */
  readonly time?: number;
  readonly actions?: readonly CheckAction[];
}

/** What a chat has chosen and its message names: what the next request is made of. */
export interface NextChoices extends Required<ChatChoices> {
  readonly mentions: readonly Mention[];
}

export interface NextRequest extends Omit<NextChoices, 'tier'> {
  readonly tier: Tier;
  /** Tokens that the model can hold; null when there is no such model. */
  readonly contextWindow: number | null;
}

/** How a model is reached, as far as can be told without asking it. */
export interface ModelAccess {
  /** In words; null for the built-in reader. */
  readonly provider: string | null;
  readonly address: string;
  readonly hasKey: boolean;
}

/** Writes as the journal has them. */
export interface WriteRecords {
  /** Those that a crash cut off, and whose end is not known. */
  unclear(): readonly { readonly path: string; readonly choices: readonly UnclearChoice[] }[];
  /** Null before the journal was opened. */
  usage(): {
    readonly operations: number;
    readonly bytes: number;
    readonly limitBytes: number;
    readonly limitDays: number;
  } | null;
}

/** What the checks ask of the world. */
export interface CheckPorts {
  readonly vault: Vault;
  readonly tokenizer: Tokenizer;
  /** Names of the tools that the model is offered. */
  readonly toolNames: readonly string[];
  /** The prompt that is registered under this id; what is asked only of notes goes without. */
  readonly registered?: (id: string) => { readonly source: string } | undefined;
  readonly templates: { serve(mode: ModeId, tier: Tier, own?: string | null): ServedTemplate };
  /** Where a system prompt of the user's own is found. */
  readonly override: OverridePorts;
  /** Tokens that the template of a tier may have. */
  readonly templateBudget: (tier: Tier) => number;
  readonly platform: () => DeviceFacts['platform'];
  readonly agentFolder: () => string;
  readonly settings: () => Settings;
  /** What is wrong with the settings as they are stored now, so that a problem is gone once it is mended. */
  readonly settingsProblems: () => Promise<readonly SettingsProblem[]>;
  /** Names of the notes with the vault's conventions. */
  readonly contextFiles: () => readonly string[];
  readonly model: (id: string) => Outcome<Model>;
  /** Ok when all that a request needs is configured. */
  readonly access: (modelId: string) => Outcome<ModelAccess>;
  /** What became of writes to notes; absent where nothing is written. */
  readonly writes?: WriteRecords;
  /** Oldest first. */
  readonly events: () => readonly LoggedEvent[];
  /** Reads for display; may come from a cache that is dropped on change. */
  readonly readNote: (path: string, signal: AbortSignal) => Promise<Outcome<NoteText>>;
}

export interface CheckPlace extends CheckPorts {
  readonly next: NextRequest;
  /** With 'next', a check may leave out what the next request does not use. */
  readonly scope: 'all' | 'next';
}

export interface Check {
  readonly id: string;
  readonly label: string;
  run(place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]>;
}

/** What one check found. */
export interface CheckReport {
  readonly id: string;
  readonly label: string;
  readonly results: readonly CheckResult[];
}
