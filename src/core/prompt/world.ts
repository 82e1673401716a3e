/** World: what facts may read while they are gathered. */
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { GivenSkill } from '../library/skills';
import type { NoteReader, WorkspaceSummary } from '../library/user-notes';
import type { WorkspaceData } from '../library/workspaces';
import type { toolNames } from '../markup/variables';
import type { ModelFamily } from '../ports/model';
import type { ChatStart } from '../session/chat-start';
import type { EditorState, Mention, PendingReview } from '../session/entry';
import type { Goal } from '../session/goal-entry';
import type { ModeId, PermissionMode, Tier } from '../settings/mode';

/** The state of the chat at the start of a turn. */
export interface TurnContext {
  /** Created once per chat, never from the clock at build time. */
  readonly sessionId: string;
  readonly workspaceId: string;
  /** `provider/model`. */
  readonly modelId: string;
  /** What the first message of the chat says, now or as it was sent; absent if each request says it again. */
  readonly start?: ChatStart;
  /** The newest day that the chat has sent, as year-month-day; absent if none is in the history. */
  readonly lastDay?: string;
  readonly mode: ModeId;
  readonly tier: Tier;
  /** Whether the model needs less guidance (R016). */
  readonly modernModel: boolean;
  /** Absent for a model of no known family. */
  readonly modelFamily?: ModelFamily;
  readonly permissionMode: PermissionMode;
  /** Names of the tools that are declared to the model. */
  readonly toolNames: readonly string[];
  /** Agents and their tools; null if tools are declared natively and the prompt need not list them. */
  readonly toolAgents: readonly ToolAgentInfo[] | null;
  /** Paths of the notes pinned in this chat. */
  readonly contextNotes: readonly string[];
  readonly mentions: readonly Mention[];
  /** The text of the message that the turn answers; absent for a turn without one. */
  readonly message?: string;
  /** Path of the prompt note selected for the chat. */
  readonly selectedPrompt: string | null;
  /** Path of the selected workspace's note. */
  readonly selectedWorkspace: string | null;
  /** Ids of sections that this chat leaves out; none if absent. */
  readonly sectionsOff?: readonly string[];
  /** Paths of pinned notes whose text the reference has no room for, as a whole; none if absent. */
  readonly pinsInPart?: readonly string[];
  /** Ids of the sections that are on in the settings and the environment; all if absent. */
  readonly sectionsOn?: readonly string[];
  /**
   * By section id, and by path of pinned notes, the form that the user chose: sent whole before others, or in brief.
   */
  readonly sectionForms?: Readonly<Record<string, 'pinned' | 'outline'>>;
  readonly noteForms?: Readonly<Record<string, 'pinned' | 'outline'>>;
  readonly contextStatus: ContextStatusInfo | null;
  readonly goal: Goal | null;
  /** Skills whose text is in the conversation: paths of SKILL.md notes, or ids of registered prompts. */
  readonly activeSkills: readonly string[];
  readonly mcpServers: readonly McpServerInfo[];
  /** Whether any other plugin adds to requests or results (R064). */
  readonly hooked: boolean;
  readonly fetchedPages: readonly FetchedPage[];
  readonly review: PendingReview | null;
  readonly editor: EditorState | null;
  /** The editor as the model last saw it; null if it must be described in full (R190, R193). */
  readonly knownEditor: EditorState | null;
  /** Whether a message that the model still sees names open notes; false if absent. */
  readonly seesOpenNotes?: boolean;
  /** The mode whose template is in the system prompt, fixed when the chat starts (K4). */
  readonly headMode: ModeId;
  /** The mode of the previous turn, if it was a different one. */
  readonly earlierMode: ModeId | null;
  /** Whether the reminder is due: on the first turn, after compaction, and when editing starts again (R216). */
  readonly reminderDue: boolean;
  /** Notes whose text was sent before and is in the conversation, each with its fingerprint. */
  readonly sentNotes?: ReadonlyMap<string, string>;
  /** The text of each section that was sent with a message, as sent last and still in the conversation, by id. */
  readonly lastSent?: ReadonlyMap<string, string>;
  /** Tokens of the model's context window. */
  readonly contextWindow: number;
}

/** Templates and registered prompts, as the orchestrator finds them. */
export interface PromptLookup {
  /**
   * @param own the user's own text for this mode and tier, as readOwnTemplate gives it
   * @param record what a built-in template is filled from; that of a chat with everything if absent
   */
  template(mode: ModeId, tier: Tier, own?: string | null, record?: TemplateRecord): string;
  registered(id: string): RegisteredPrompt | undefined;
  /** Returns all registered prompts; the same array until something changes. */
  listed(): readonly RegisteredPrompt[];
  readonly suffixes: readonly ModelSuffix[];
}

export interface World extends NoteReader {
  readonly turn: TurnContext;
  readonly prompts: PromptLookup;
  readonly settings: PromptSettings;
  readonly device: DeviceFacts;
  /** Descriptions of all tools by name. */
  readonly toolDescriptions: Readonly<Record<string, string>>;
  /** Skills without a note: those of other plugins and of the user's home folder; none if absent. */
  readonly givenSkills?: readonly GivenSkill[];
  /** Counts the tokens of a text; without it they are estimated. */
  readonly countTokens?: (text: string) => Promise<number>;
}

export interface DeviceFacts extends ChatStart {
  /** Such as `macOS`, `Windows`, `Linux`, `iOS`, `Android`. */
  readonly operatingSystem: string;
  readonly appVersion: string;
  readonly platform: 'desktop' | 'mobile';
  /** Whether the vault's root is a Git repository and Git can be used here (R086). */
  readonly repository: boolean;
}

export interface FetchedPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export interface McpServerInfo {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly resources: readonly { readonly name: string; readonly uri: string }[];
  readonly templates?: readonly { readonly name: string; readonly uriTemplate: string }[];
  /** What the server says to models about its use. */
  readonly instructions?: string;
}

/** Settings of the composition (R108, R109). */
export interface PromptSettings {
  /** Whether a user is present to answer questions. */
  readonly interactive: boolean;
  readonly agentName: string;
  readonly sanityChecks: 'auto' | 'on' | 'off';
  readonly additionalInstructions: string;
  /** How long answers are by default (K29). */
  readonly brevity: 'brief' | 'normal';
  /** Names of the notes that contain the vault's conventions, at the root and in folders (R195). */
  readonly contextFiles: readonly string[];
  /**
   * Whether the root's own context file is in the system prompt, or is sent with the first note that is read (R200).
   */
  readonly contextFilesIn: 'prompt' | 'first-touch';
}

// The following records are what prompt sections render, named as in the builder's public options (seed 004,
// R145-R179).

export interface ContextStatusInfo {
  readonly usedTokens: number;
  readonly maxTokens: number;
  readonly percentUsed: number;
  readonly status: 'ok' | 'warning' | 'critical';
  readonly statusMessage: string;
  /** What happens to older messages once no tokens are left; the prompt makes no claim about it if absent. */
  readonly atLimit?: 'left-out' | 'summarized' | 'saved-and-summarized';
}

export interface CompactedContext {
  readonly summary: string;
  readonly filesReferenced: readonly string[];
  readonly topics: readonly string[];
  readonly messagesRemoved: number;
  readonly messagesKept: number;
}

export interface ToolAgentInfo {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}

export interface VaultStructure {
  readonly rootFolders: readonly string[];
  readonly rootFiles: readonly string[];
}

export interface AttachedNote {
  readonly path: string;
  /** Null if the note could not be read; the prompt says so in its place. */
  readonly text: string | null;
  /** Why there is no text. */
  readonly problem?: string;
  /** The same text was sent before and is still in the conversation, so it is not sent again. */
  readonly asBefore?: boolean;
  /** The system prompt contains the same text, so it is not sent again. */
  readonly inPrompt?: boolean;
  /** Whether its whole text is sent before the others get their shares. */
  readonly pinned?: boolean;
  /** The whole text, if `text` is its outline: the user chose that, or the note is too long. */
  readonly whole?: string;
  /** Whether its text takes more than a quarter of the context window, whole or not. */
  readonly isLong?: boolean;
  /** The heading of the section, if only that part of the note is attached. */
  readonly heading?: string;
  /** The id of the block, with its `^`, if only that block is attached. */
  readonly block?: string;
}

/** A mentioned folder or tag: its notes by name, newest first, and the newest of them in full. */
export interface AttachedList {
  readonly kind: 'folder' | 'tag';
  /** The folder's path, empty for the root, or the tag with its `#`. */
  readonly id: string;
  /** Number of notes, shown or not. */
  readonly total: number;
  /** Number of notes whose tags Obsidian does not know yet; none if absent. */
  readonly unindexed?: number;
  readonly rows: readonly ListedNote[];
  readonly notes: readonly AttachedNote[];
}

export interface ListedNote {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Its first heading, or its first sentence; empty if it has neither. */
  readonly about: string;
}

export interface MentionedTool {
  readonly name: string;
  readonly description: string;
}

export interface MentionedPrompt {
  readonly name: string;
  readonly prompt: string;
}

/** A mentioned workspace with its full record, or null if none could be loaded (R172, R174). */
export interface MentionedWorkspace {
  readonly summary: WorkspaceSummary;
  readonly data: WorkspaceData | null;
}

/** What the suggesters added to a message (R175). */
export interface MessageEnhancement {
  readonly tools: readonly MentionedTool[];
  readonly prompts: readonly MentionedPrompt[];
  readonly notes: readonly { readonly path: string; readonly content: string }[];
  readonly workspaces: readonly WorkspaceSummary[];
}

/**
 * Headers of the messages between the system prompt and the conversation (R208, R209). Their words are frozen once
 * shipped, so that the start of a request never changes.
 */
export const headers = {
  REPO_MAP_HEADER:
    '# Vault map\n' +
    'Every file, by folder. After a note: its size, ←how many notes link to it, →how many it links to, #tags. If ' +
    'there is room: which notes, and {properties}. Below it: its headings.\n' +
    'The map shows where things are, not what they say. Read a note before you state, quote or change what is in it.',
  FILE_TREE_HEADER: '# Vault files\nFolders and files of the vault, by name:',
  URL_CONTEXT_HEADER: '# Web pages\nThese pages were fetched for the message that follows:',
  FILES_ACTIVE_HEADER: '# Working notes\nHere are the notes:',
  FILES_L0_HEADER: '# Reference notes (stable)\nThese notes are included for reference:',
  FILES_L1_HEADER: '# Reference notes\nThese notes are included for reference:',
  FILES_L2_HEADER: '# Reference notes (continued)\nThese notes are included for reference:',
  FILES_L3_HEADER: '# Reference notes (newer)\nThese notes are included for reference:',
  TIER_SYMBOLS_HEADER: '# Vault map (continued)',
  REVIEW_CONTEXT_HEADER: '# Changes under review',
} as const;

/** The replies that the model is taken to have given to each of them (K16); frozen as well. */
export const replies = {
  ok: 'Ok.',
  pages: 'Ok, I’ve reviewed the URL content.',
  review: 'Ok, I’ve reviewed the changes.',
} as const;

interface Pair {
  readonly header: string;
  readonly reply: string;
}

/** Sections of the turn that are sent as separate messages before the user's, by id (R211, R212, R214). */
export const pairsOfTurn: Readonly<Record<string, Pair>> = {
  files: { header: headers.FILES_ACTIVE_HEADER, reply: replies.ok },
  'url-context': { header: headers.URL_CONTEXT_HEADER, reply: replies.pages },
  'review-context': { header: headers.REVIEW_CONTEXT_HEADER, reply: replies.review },
};

/** A built-in prompt template, NAME.eta.md, as the build compiles it. */
export type Template = (it: TemplateRecord) => string;

/** A template that is appended to the base prompt for a family of models (R025). */
export interface ModelSuffix {
  readonly family: ModelFamily;
  write(context: TemplateContext): string;
}

/** Which tools are declared to the model: each by its key in `toolNames`, and groups of which any is. */
export type Offers = Readonly<
  Record<keyof typeof toolNames | 'any' | 'search' | 'reading' | 'writing' | 'git', boolean>
>;

/**
 * What prompt templates are filled from, as `it`: Docent's own, and the user's. The user's templates name these fields,
 * so they are never renamed.
 */
export interface TemplateRecord {
  readonly tier: Tier;
  readonly mode: ModeId;
  readonly permissionMode: PermissionMode;
  /** Whether a user is present to answer. */
  readonly interactive: boolean;
  readonly brevity: PromptSettings['brevity'];
  readonly modelFamily: ModelFamily | 'other';
  /** Whether the model needs less guidance (R016). */
  readonly modernModel: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  readonly platform: DeviceFacts['platform'];
  /** Whether the vault is a Git repository. */
  readonly repository: boolean;
  /** Whether other plugins add to requests or results. */
  readonly hooked: boolean;
  /** Empty unless the user named the agent. */
  readonly agentName: string;
  readonly agentFolder: string;
  /** With a slash at the end. */
  readonly plansFolder: string;
  readonly offers: Offers;
  /** The name of each tool, declared or not: ask `offers` first. */
  readonly tools: typeof toolNames;
}

/** The record of the seed, for the templates of model families and of the user (R024). */
export interface TemplateContext extends TemplateRecord {
  readonly IsGitRepository: boolean;
  /** How the agent is restricted: by review or read-only, on a Mac or elsewhere, or not at all. */
  readonly SandboxStatus: 'macos' | 'generic' | 'none';
  readonly UserMemory: string;
  /** The text of the vault's context file; empty if there is none. */
  readonly ProjectContext: string;
  readonly ProjectContextFile: string;
  /** Empty for a tool that is not declared. */
  readonly ToolNames: Readonly<Record<ToolRole, string>>;
}

export type ToolRole =
  | 'ReadFile'
  | 'WriteFile'
  | 'Grep'
  | 'Glob'
  | 'Edit'
  | 'Shell'
  | 'ReadManyFiles'
  | 'Memory'
  | 'LS';

export interface ContextTexts {
  readonly memory: string;
  readonly file: { readonly name: string; readonly text: string } | null;
}
