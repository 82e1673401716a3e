/** What views ask of the rest of Docent; the root hands it over, so that views know no adapter. */
import type { App } from 'obsidian';
import type { OpenChats } from '../../core/chat/open-chats';
import type { CheckPlace, CheckReport, NextChoices, WriteRecords } from '../../core/diagnostics/check';
import type { AttachedImages } from '../../core/images/attached-images';
import type { PromptRegistry } from '../../core/library/prompt-registry';
import type { ChatCommand, MentionSource, MentionTokens } from '../../core/mentions/mention-source';
import type { TemplateState } from '../../core/own-prompt/override-steps';
import type { SectionCost } from '../../core/own-prompt/section-costs';
import type { DeviceStorage } from '../../core/ports/device';
import type { Failure, Outcome } from '../../core/ports/failure';
import type { ImageReference } from '../../core/ports/message';
import type { ModelDescription, ModelEvent, Tokenizer } from '../../core/ports/model';
import type { McpAccess } from '../../core/ports/network';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { NoteText, Vault } from '../../core/ports/vault';
import type { SectionSwitch } from '../../core/prompt/composition-options';
import type { Override } from '../../core/prompt/override';
import type { ChatChoices, RecoveryChoice } from '../../core/session/entry';
import type { ModelFacts, Settings } from '../../core/settings/settings';
import type { Tool } from '../../core/tools/tool';
import type { JournalUsage } from '../../core/writing/apply/journal';
import type { ConfirmDecision } from '../render/link-gate';

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
  readonly ownPrompt: SystemPromptPorts;
  /** Told when rows must be drawn anew, as when the list of models changed. */
  refresh(): void;
}

/** ChatViewPorts: what the pane asks of the rest of Docent; main hands it over, so that views know no adapter. */
export interface ChatViewPorts extends DiagnosticsPorts {
  readonly vault: Vault;
  readonly mentionSources: readonly MentionSource[];
  readonly mentionTokens: MentionTokens;
  readonly images: ImagePorts;
  readonly models: ModelsPorts;
  readonly tools: readonly Tool[];
  readonly commands: readonly ChatCommand[];
  readonly device: DeviceStorage;
  settings(): Settings;
  /** A chat that cannot be read is a failure. */
  readonly chats: Pick<OpenChats, 'open' | 'startClean'>;
  /** Called once when the pane shows for the first time; starts what costs nothing before. */
  viewOpened(): Promise<void>;
  readonly ownPrompt: SystemPromptPorts;
  readonly prompts: PromptsPorts;
  readonly servers: McpAccess;
  /** Shows what a server offers. */
  showCatalog(name: string): void;
  /** Shows the diagnostics, of the chat that is open if one is. */
  showDiagnostics(): void;
  /** Told of the next request of the open chat whenever it was counted; null when none is open. */
  planned?(plan: RequestPlan | null): void;
  /** Path of the note in front, or of the one that was before the pane took the focus. */
  activeNote(): string | null;
  previewNote(linkText: string, target: HTMLElement, event: MouseEvent): void;
  openExternal(url: string): void;
  /** Asks the reader whether an address should be opened. */
  confirmLink(decision: ConfirmDecision): Promise<boolean>;
}

/** Writes that a crash cut off. */
export interface InterruptedWrites {
  unclear: WriteRecords['unclear'];
  /** Settles all of them to one file, as the user chose. */
  readonly settleAt: (path: string, choice: RecoveryChoice) => Promise<Outcome<void>>;
}

/** DiagnosticsPorts: what the diagnostics ask of the rest of Docent. */
export interface DiagnosticsPorts {
  /**
   * Carries out the checks.
   * @param choices those of the chat that the next request belongs to; null when none is open
   */
  check(choices: NextChoices | null, scope: CheckPlace['scope'], signal: AbortSignal): Promise<readonly CheckReport[]>;
  /** Calls the listener when the vault or the settings changed. */
  onChange(listener: () => void): () => void;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  readonly ownPrompt: Pick<SystemPromptPorts, 'carryOut'>;
  /** Makes the folder and those above it, as far as they are missing. */
  createFolder(path: string): Promise<Outcome<void>>;
  /** Absent where nothing is written. */
  readonly cutOff?: InterruptedWrites;
  /** Puts the diagnostics on the clipboard, and says so. */
  copyDiagnostics(): void;
}

/** What can be done about a system prompt of the user's own. */
export type OverrideStep = 'create' | 'turn-off' | 'allow' | 'append';

/** With its variables, or as the next request has it. */
export type ExportKind = 'template' | 'resolved';

/** A chat as it stands in the pane. */
export interface OpenChat {
  readonly choices: ChatChoices;
  /** The request that the draft would make. */
  plan(signal: AbortSignal): Promise<Outcome<RequestPlan>>;
}

/** SystemPromptPorts: what the pane, the settings and the commands ask about the user's own side of the prompt. */
export interface SystemPromptPorts {
  override(): Override;
  /** Does it and says so; what was made is opened. */
  carryOut(step: OverrideStep): Promise<void>;
  /** Ids of all sections, in the order of the prompt. */
  readonly sections: readonly string[];
  switchOf(section: string): SectionSwitch;
  costs(): Promise<Outcome<readonly SectionCost[]>>;
  templates(): Promise<readonly TemplateState[]>;
  /** Makes the templates that are missing, and says so. */
  createTemplates(): Promise<void>;
  /** Whether the agent folder has a note of this name. */
  hasNote(name: string): boolean;
  /** Makes it unless it is there, and opens it. */
  openOrCreate(name: string): Promise<void>;
  openNote(path: string): void;
  export(kind: ExportKind): Promise<void>;
  /** Whether the environment decides if and where the prompt is written. */
  exportsByVariable(): boolean;
}

/** Changes the notes in which the user keeps prompts, as the user asked. */
export interface PromptNotes {
  /** Makes its folder too; a note that is there already is a failure. */
  create(path: string, text: string): Promise<Outcome<void>>;
  /** Puts a property into the note, or takes it away when undefined; all others stay as they are. */
  setProperty(path: string, key: string, value: string | boolean | undefined): Promise<Outcome<void>>;
  /** To where the app puts what is deleted. */
  trash(path: string): Promise<Outcome<void>>;
}

export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly action: string;
}

/** PromptsPorts: what the list of prompts, the pickers and the rewriting of a selection ask of the rest of Docent. */
export interface PromptsPorts {
  readonly vault: Vault;
  readonly tools: readonly Pick<Tool, 'name'>[];
  readonly tokenizer: Tokenizer;
  /** The user's own stand in it as they were read last. */
  readonly registry: Pick<PromptRegistry, 'list' | 'get'>;
  readonly notes: PromptNotes;
  settings(): Settings;
  /** Calls the listener when the vault, the settings or the registry changed. */
  onChange(listener: () => void): () => void;
  /** Reads for display; may come from a cache that is dropped on change. */
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  /** Asks before something that a click does not take back. */
  confirm(question: Question): Promise<boolean>;
  /** Opens the list of prompts, with the form for a new one if asked. */
  show(want?: 'new'): void;
  /** Lets a prompt stand in the chat in front. */
  useForChat(id: string): Promise<void>;
  /** What people call each model that can be chosen, by id; the one in use is among them. */
  modelChoices(used: string): Readonly<Record<string, string>>;
  /** What is known of a model, or why it cannot be used. */
  model(
    id: string,
  ): Outcome<{ readonly description: Pick<ModelDescription, 'label' | 'contextWindow' | 'takesImages'> }>;
  /** Lets the user choose a note; null when none was chosen. */
  chooseNote(): Promise<string | null>;
  /** Asks the model of the settings once, outside of any chat. */
  askOnce(text: string, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Long form, in the user's locale. */
  date(): string;
}

/** A server of this computer that answered. */
export interface FoundServer {
  readonly provider: string;
  readonly label: string;
  readonly models: readonly (ModelFacts & { readonly name: string })[];
  /** Why it cannot be used although it is there. */
  readonly failure?: Failure;
}

/** ModelsPorts: what the pane and the settings ask of the models. */
export interface ModelsPorts {
  /** What is known of a model apart from what the user set for it; null for one that there is not. */
  known(id: string): ModelDescription | null;
  /** What holds of a model, the user's word first; null for one that there is not. */
  described(id: string): ModelDescription | null;
  findLocalServers(): Promise<readonly FoundServer[]>;
  /** Sets a server up with what it offers, and has this model of it answer from now on. */
  use(server: FoundServer, modelName: string): Promise<void>;
}

/** ImagePorts: what the pane asks of the pictures that go with messages. */
export interface ImagePorts {
  readonly attached: Pick<AttachedImages, 'add' | 'drop' | 'prepare'>;
  /** The vault path of the file that is sent. */
  pathOf(image: ImageReference): string;
  /** The app's own address of that file. */
  addressOf(image: ImageReference): string;
  /** What the app shows of a picture of the vault; null when it is gone. */
  addressOfFile(path: string): string | null;
}
