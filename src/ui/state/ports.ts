/** What views ask of the rest of Docent; the root passes it in, so that views know no adapter. */
import type { App } from 'obsidian';
import type { ChatIndex } from '../../core/chat/chat-index';
import type { SentRequests } from '../../core/chat/chat-view-state';
import type { OpenChats } from '../../core/chat/open-chats';
import type { ProviderSending } from '../../core/gate/gate';
import type { AskingNote } from '../../core/context/chat-choices';
import type { CheckPlace, CheckReport, NextChoices, WriteRecords } from '../../core/diagnostics/check';
import type { AttachedImages } from '../../core/images/attached-images';
import type { PromptRegistry } from '../../core/library/prompt-registry';
import type { HomeSkills } from '../../core/library/home-skills';
import type { Skill } from '../../core/library/skills';
import type { StarterKind } from '../../core/library/starters';
import type { RegisteredPrompt } from '../../core/library/prompt-registry';
import type { ChatCommand, MentionSource, MentionTokens } from '../../core/mentions/mention-source';
import type { TemplateState } from '../../core/own-prompt/override-steps';
import type { SectionCost } from '../../core/own-prompt/section-costs';
import type { PromptValues } from '../../core/markup/variables';
import type { DeviceStorage, UnsavedTexts } from '../../core/ports/device';
import type { Failure, Outcome } from '../../core/ports/failure';
import type { ImageReference } from '../../core/ports/message';
import type { ModelDescription, ModelEvent, SpendingAccount, Tokenizer } from '../../core/ports/model';
import type { McpAccess, McpServerChoice, SignIns } from '../../core/ports/network';
import type { RequestPlan, RequestPurpose } from '../../core/ports/request-plan';
import type { NoteText, Vault } from '../../core/ports/vault';
import type { SectionSwitch } from '../../core/prompt/composition-options';
import type { Override } from '../../core/prompt/override';
import type { IndexUpkeep } from '../../core/search/index-upkeep';
import type { ChatChoices, Mention, RecoveryChoice } from '../../core/session/entry';
import type { SettingsChoice, SettingsDamage } from '../../core/settings/damaged-settings';
import type { ModelFacts, Settings } from '../../core/settings/settings';
import type { Tool } from '../../core/tools/tool';
import type { JournalUsage } from '../../core/writing/apply/prune-journal';
import type { RetiredDevices } from '../../core/writing/apply/retired-devices';
import type { InstructionFiles } from '../../core/writing/guard/instructions';
import type { Provenance } from '../../core/writing/guard/provenance';
import type { NoteMove } from '../../core/writing/stage/follow-notes';
import type { PassageWrite } from '../../core/writing/user-writes';
import type { ConfirmDecision } from '../render/link-gate';

/** A provider as the settings show it. */
export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly keyName: string;
  /** Whether the provider requires an API key. */
  readonly keyNeeded: boolean;
  /** The page on which the provider gives keys. */
  readonly keyPage?: string;
  /** Whether it runs on a machine of the user's own. */
  readonly local: boolean;
  readonly models: readonly string[];
}

export interface SettingsPorts {
  /** For Obsidian's own picker of secrets. */
  readonly app: App;
  readonly providers: readonly ProviderChoice[];
  settings(): Settings;
  change(part: Partial<Settings>): Promise<void>;
  /** Binds the API key of an MCP server on this device to the address that it was chosen for. */
  bindKey(keyName: string, address: string): void;
  /** What this device allows each provider. */
  readonly sending: ProviderSending;
  /** Stores the API key of a provider on this device. */
  saveKey(provider: string, key: string): Promise<Outcome<void>>;
  /** Lets the user search all models that can be chosen; resolves to null if none was chosen. */
  searchModels(): Promise<string | null>;
  /** Returns the models that the provider lists now, with its facts about each. */
  testConnection(provider: string): Promise<Outcome<readonly (ModelFacts & { readonly name: string })[]>>;
  readonly models: Pick<ModelsPorts, 'allowAsked' | 'described' | 'known'>;
  /** The undo journal; absent where nothing is written. */
  readonly journal?: {
    usage(): JournalUsage | null;
    measure(): Promise<JournalUsage | null>;
    prune(): Promise<Outcome<JournalUsage>>;
    retired(isToRemove: boolean): Promise<Outcome<RetiredDevices>>;
  };
  /** What the user said of whose text notes are; absent where nothing is written. */
  readonly provenance?: Pick<Provenance, 'refresh' | 'said' | 'say'>;
  readonly instructions?: InstructionsPorts;
  readonly prompts: Pick<PromptsPorts, 'show' | 'model'>;
  readonly servers: McpAccess;
  /** Shows the catalog of an MCP server. */
  showCatalog(name: string): void;
  /** Absent where nobody signs in to servers. */
  readonly signIn?: SignInPorts;
  /** Leaves the settings and shows what all chats took. */
  readonly openUsage: () => void;
  /** The skills in the user's home folder. */
  readonly homeSkills: Pick<HomeSkills, 'isOffered' | 'isAllowed' | 'allow'>;
  /** Notes that users can begin with. */
  readonly starters: { isThere(kind: StarterKind): boolean; start(kind: StarterKind): Promise<void> };
  /** The custom system prompt. */
  readonly ownPrompt: SystemPromptPorts;
  /** Absent where no settings are stored. */
  readonly damaged?: DamagedSettings;
  /** Called when rows must be redrawn, as when the list of models changed. */
  refresh(): void;
}

/** What the view of usage asks of the rest of Docent. */
interface UsagePorts {
  /** Returns the day of a time where the user is, as year-month-day. */
  day(time: number): string;
  /** Saves a table in the vault, with a record in the journal, and returns its path. */
  save(table: string): Promise<Outcome<string>>;
}

/** What the settings and the chat view ask about signing in to MCP servers. */
export interface SignInPorts extends Pick<SignIns, 'stateOf' | 'signOut' | 'subscribe'> {
  /** Opens the dialog that leads through a sign-in. */
  open(server: McpServerChoice): Promise<void>;
}

/** ChatViewPorts: what the chat view asks of the rest of Docent. */
export interface ChatViewPorts extends DiagnosticsPorts {
  readonly vault: Vault;
  readonly mentionSources: readonly MentionSource[];
  readonly mentionTokens: MentionTokens;
  /** How far the search index is; absent where nothing is indexed. */
  readonly searchIndex?: Pick<IndexUpkeep, 'progress' | 'subscribe'>;
  readonly images: ImagePorts;
  readonly usage: UsagePorts;
  /** Shows what all chats took. */
  openUsage(): void;
  readonly models: ModelsPorts;
  readonly tools: readonly Tool[];
  readonly commands: readonly ChatCommand[];
  /**
   * Returns the skills that a chat can use; the same array while nothing changes.
   * @param workspace path of its workspace; null for none
   */
  skills(workspace: string | null): readonly Skill[];
  readonly device: DeviceStorage;
  /** Where drafts are stored; without it, in the device storage. */
  readonly unsaved?: UnsavedTexts;
  settings(): Settings;
  /** A chat that cannot be read is a failure. */
  readonly chats: Pick<OpenChats, 'open' | 'startClean'> & Partial<Pick<OpenChats, 'look' | 'onReopened' | 'fork'>>;
  /** The list of stored chats. */
  readonly chatIndex: ChatIndex;
  /** Opens a stored chat in a tab or a window of its own. */
  openChatIn(chat: string, place: 'tab' | 'window'): void;
  /** Absent where nothing is written. */
  readonly noteActs?: NoteActs;
  /** The requests that were sent; absent where none is recorded. */
  readonly sentRequests?: Pick<SentRequests, 'of' | 'subscribe'>;
  /** Shows the requests of the open chat in a tab of their own. */
  openInspector?(): void;
  /** Called when the first chat view opens; starts what must cost nothing before. */
  viewOpened(): Promise<void>;
  readonly ownPrompt: SystemPromptPorts;
  readonly prompts: PromptsPorts;
  readonly servers: McpAccess;
  /** Absent where nobody signs in to servers. */
  readonly signIn?: SignInPorts;
  /** Asks for what a server's prompt needs, and resolves to a mention of what the server wrote; null if the user leaves. */
  readonly fillPrompt?: (prompt: RegisteredPrompt) => Promise<Mention | null>;
  /** Shows the catalog of an MCP server. */
  showCatalog(name: string): void;
  /** Shows the diagnostics, of the open chat if there is one. */
  showDiagnostics(): void;
  /** Returns what a prompt or a workspace with this path sets for its chat; null if it is no such note. */
  askingNote(path: string): AskingNote | null;
  /** Shows words that need no answer; nothing for an empty text. */
  report(said: string): void;
  /** Makes a note to begin with, and opens it. */
  startNote(kind: StarterKind): void;
  /** Absent where no file can wait. */
  readonly instructions?: InstructionsPorts;
  /** Called whenever the next request of an open chat was counted, and when a view of one closes. */
  planned?(): void;
  /** Returns the path of the active note, or of the last one before the chat view took the focus. */
  activeNote(): string | null;
  /** The note in front, as the model gets it; absent where there is no editor. */
  readonly noteInFront?: NoteInFront;
  /** Calls the listener with both paths when a file or folder is moved or renamed in the app. */
  onMoved?(listener: (from: string, to: string) => void): () => void;
  /** Returns what was moved or renamed in the app since a time, in milliseconds since the epoch, oldest first. */
  movesSince?(time: number): readonly NoteMove[];
  previewNote(linkText: string, target: HTMLElement, event: MouseEvent): void;
  /** Opens the note that a quote comes from, and shows the quoted lines in it. */
  openCitation(linkText: string, newTab: boolean, quoted: string): void;
  /** Opens the app's own search. */
  openSearch(query: string): void;
  openExternal(url: string): void;
  /** Asks the reader whether an address should be opened. */
  confirmLink(decision: ConfirmDecision): Promise<boolean>;
}

/** The note that the user has open. */
interface NoteInFront {
  current(): { readonly path: string; readonly selectedText?: string | undefined } | null;
  /** Calls the listener when another note comes to the front. */
  subscribe(listener: () => void): () => void;
}

/** Files that direct the agent, and which of them the user let in on this device. */
export interface InstructionsPorts {
  readonly files: Pick<InstructionFiles, 'waiting' | 'allowed' | 'subscribe' | 'refresh' | 'isBeingCompared'>;
  /**
   * Shows those that wait, with their texts.
   * @param isWhole whether it also shows the others
   */
  review(isWhole: boolean): void;
}

/** A text of a chat that the user puts into a note. */
export interface NotedText {
  readonly text: string;
  /** The title of a new note with it. */
  readonly title: string;
  /** The source of the untrusted text that the chat has read; null for none. */
  readonly taint: string | null;
  /** Whether changes of a note wait for review. */
  isInReview(path: string): boolean;
}

/** NoteActs: puts texts of chats into notes at the user’s request, and says what was done, with its undo. */
export interface NoteActs {
  /** At the cursor of the editor that was used last. */
  insert(given: NotedText): Promise<void>;
  /** At the end of the note that was used last. */
  append(given: NotedText): Promise<void>;
  create(given: NotedText): Promise<void>;
  /** Puts a new wording in place of a passage; false if the user decided against it. A failure is left to the caller. */
  replace(given: PassageWrite): Promise<Outcome<boolean>>;
  /** Makes a note of a stored chat. */
  export(chat: string): Promise<void>;
}

/** Settings that cannot be read and wait for a choice of the user. */
export interface DamagedSettings {
  /** Null while the settings are in order. */
  readonly damage: SettingsDamage | null;
  choose(choice: SettingsChoice): Promise<Outcome<void>>;
  /** Calls the listener when the settings change, here or by what was read, or are in order again. */
  subscribe(listener: (settings: Settings, isOwn: boolean) => void): () => void;
}

/** Writes that a crash interrupted. */
export interface InterruptedWrites {
  interrupted: WriteRecords['interrupted'];
  /** Resolves all interrupted writes of one file, as the user chose. */
  readonly settleAt: (path: string, choice: RecoveryChoice) => Promise<Outcome<void>>;
}

/** DiagnosticsPorts: what the diagnostics ask of the rest of Docent. */
export interface DiagnosticsPorts {
  /**
   * Runs the checks.
   * @param choices those of the chat that the next request belongs to; null when none is open
   */
  check(choices: NextChoices | null, scope: CheckPlace['scope'], signal: AbortSignal): Promise<readonly CheckReport[]>;
  /** Calls the listener when the vault or the settings change. */
  onChange(listener: () => void): () => void;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  readonly ownPrompt: Pick<SystemPromptPorts, 'carryOut'>;
  /** Creates the folder and any missing parents. */
  createFolder(path: string): Promise<Outcome<void>>;
  /** Absent where nothing is written. */
  readonly cutOff?: InterruptedWrites;
  /** Copies the diagnostics to the clipboard, and shows a notice. */
  copyDiagnostics(): void;
}

/** What can be done about a custom system prompt. */
export type OverrideStep = 'create' | 'turn-off' | 'allow' | 'append';

/** With its variables, or as in the next request. */
type ExportKind = 'template' | 'resolved';

/** The chat that is open in the chat view. */
export interface OpenChat {
  /** What is chosen in this chat now. */
  readonly choices: Required<ChatChoices>;
  /** Stores choices in this chat, whichever is open by then; resolves to false if that failed. */
  choose(choices: ChatChoices): Promise<boolean>;
  /** Sends a message to this chat, whichever is open by then, without touching the draft. */
  send(text: string, mentions: readonly Mention[]): Promise<void>;
  /** Returns the request that the draft would make. */
  plan(signal: AbortSignal): Promise<Outcome<RequestPlan>>;
}

/** SystemPromptPorts: what the chat view, the settings, and the commands ask about the custom system prompt. */
export interface SystemPromptPorts {
  override(): Override;
  /** Runs the step and shows a notice; a note that was created is opened. */
  carryOut(step: OverrideStep): Promise<void>;
  /** Ids of all sections, in the order of the prompt. */
  readonly sections: readonly string[];
  switchOf(section: string): SectionSwitch;
  costs(): Promise<Outcome<readonly SectionCost[]>>;
  templates(): Promise<readonly TemplateState[]>;
  /** Creates the templates that are missing, and shows a notice. */
  createTemplates(): Promise<void>;
  /** Creates the templates of the user's own mode if there is none, as on its first use (R101). */
  startOwnMode(): Promise<void>;
  /** Whether the agent folder has a note of this name. */
  hasNote(name: string): boolean;
  /** Whether a note that the agent folder has is used, or why it isn't: it has no text, or waits for the user. */
  noteUse(name: string): Promise<'used' | 'empty' | 'waits'>;
  /** Opens the note, and creates it first if it is missing. */
  openOrCreate(name: string): Promise<void>;
  openNote(path: string): void;
  export(kind: ExportKind): Promise<void>;
  /** Whether an environment variable decides if and where the prompt is exported. */
  exportsByVariable(): boolean;
}

/** Changes the user's prompt notes, as the user asked. */
export interface PromptNotes {
  /** Creates the note and its folder; an existing note is a failure. */
  create(path: string, text: string): Promise<Outcome<void>>;
  /** Sets a property of the note, or removes it if undefined; all others stay unchanged. */
  setProperty(path: string, key: string, value: string | boolean | undefined): Promise<Outcome<void>>;
  /** Moves the note to where Obsidian puts deleted files. */
  trash(path: string): Promise<Outcome<void>>;
}

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the button. */
  readonly action: string;
  /** Whether the action loses nothing, so that its button is no warning; it loses something if absent. */
  readonly isHarmless?: true;
}

/** A prompt that would be sent with nothing to work on. */
export interface EmptyPrompt {
  readonly id: string;
  /** Why it can't be used, or which variables are empty and why, in words. */
  readonly reasons: string;
}

/** PromptsPorts: what the list of prompts, the pickers, and the rewriting of a selection ask of the rest of Docent. */
export interface PromptsPorts {
  readonly vault: Vault;
  readonly tools: readonly Pick<Tool, 'name'>[];
  readonly tokenizer: Tokenizer;
  /** All prompts; the user's own are included as they were last read. */
  readonly registry: Pick<PromptRegistry, 'list' | 'get'>;
  readonly notes: PromptNotes;
  /** The notes that wait for the user to allow them, which are in no list; absent where none wait. */
  readonly instructions?: InstructionsPorts;
  settings(): Settings;
  /** Calls the listener when the vault, the settings, or the registry changes. */
  onChange(listener: () => void): () => void;
  /** Reads for display; may come from a cache that is dropped on change. */
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  /** Allows on this device what a failure asks, if the settings still ask exactly that. */
  readonly allowAsked: (failure: Failure) => boolean;
  /** Asks the user to confirm an action. */
  confirm(question: Question): Promise<boolean>;
  /** Opens the list of prompts, with the form for a new one if asked. */
  show(want?: 'new'): void;
  /** Makes a prompt the prompt for the open chat. */
  useForChat(id: string): Promise<void>;
  /** Returns the display name of each model that can be chosen, by id; includes the current one. */
  modelChoices(used: string): Readonly<Record<string, string>>;
  /** Lets the user search all models that can be chosen; resolves to null if none was chosen. */
  searchModels(used: string, facts: Pick<ChatViewPorts, 'device' | 'models'>): Promise<string | null>;
  /** Returns what is known of a model, or why it cannot be used. */
  model(
    id: string,
  ): Outcome<{ readonly description: Pick<ModelDescription, 'label' | 'contextWindow' | 'takesImages'> }>;
  /** Lets the user choose a note; resolves to null if none was chosen. */
  chooseNote(): Promise<string | null>;
  /**
   * Sends one request to the model of the settings, outside any chat.
   * @param account what the window has spent so far, which the spending limit holds for
   */
  askOnce(
    text: string,
    purpose: RequestPurpose,
    account: SpendingAccount,
    signal: AbortSignal,
  ): AsyncIterable<ModelEvent>;
  /**
   * Puts a new wording in place of a passage of an open note, once the judge of content and the user agree; false if the
   * user did not.
   */
  replacePassage(given: Omit<PassageWrite, 'taint'>): Promise<Outcome<boolean>>;
  /**
   * Returns what the variables of a prompt would be filled in with now.
   * @param written what the user wrote after the prompt's name
   */
  valuesFor(text: string, written: string, signal: AbortSignal): Promise<PromptValues>;
  /** Returns the path of the open note if it is hidden from Docent, for the user alone; null if it is not. */
  hiddenNote(): string | null;
  /**
   * Returns the prompts of a message that can't be used or whose variables would be empty now.
   * @param selected the prompt of the chat
   */
  findEmpty(mentions: readonly Mention[], selected: string | null): Promise<readonly EmptyPrompt[]>;
}

/** A provider or a local server that responded. */
export interface FoundServer {
  readonly provider: string;
  readonly label: string;
  readonly models: readonly (ModelFacts & { readonly name: string })[];
  /** Why it cannot be used although it responds. */
  readonly failure?: Failure;
}

/** ModelsPorts: what the chat view and the settings ask of the models. */
export interface ModelsPorts {
  /** What is known of a model without the user's corrections; null for an unknown model. */
  known(id: string): ModelDescription | null;
  /** What applies to a model, the user's corrections first; null for an unknown model. */
  described(id: string): ModelDescription | null;
  findLocalServers(): Promise<readonly FoundServer[]>;
  /** The providers as the settings list them. */
  readonly choices: readonly ProviderChoice[];
  /** Stores the API key of a provider on this device, and requests its models with it. */
  connect(provider: string, key: string): Promise<FoundServer>;
  /** Configures a provider with its models, and makes one of any provider the current model; null leaves that as it is. */
  use(server: FoundServer, model: string | null): Promise<void>;
  /** Stores that this model writes its tool calls as text. */
  readonly callToolsInText: (id: string) => Promise<void>;
  /** Allows on this device what a failure asks, if the settings still ask exactly that. */
  readonly allowAsked: (failure: Failure) => boolean;
}

/** ImagePorts: what the chat view asks about the images of messages. */
export interface ImagePorts {
  readonly attached: Pick<AttachedImages, 'add' | 'drop' | 'prepare'>;
  /** Returns the vault path of the file that is sent. */
  pathOf(image: ImageReference): string;
  /** Returns Obsidian's resource URL of that file. */
  addressOf(image: ImageReference): string;
  /** Returns Obsidian's resource URL of an image in the vault; null if it is missing. */
  addressOfFile(path: string): string | null;
}
