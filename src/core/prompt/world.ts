/** World: what facts may look at while they are gathered. */
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { NoteReader, WorkspaceSummary } from '../library/user-notes';
import type { WorkspaceData } from '../library/workspaces';
import type { EditorState, Mention, PendingReview } from '../session/entry';
import type { Goal } from '../session/goal-entry';
import type { ModeId, PermissionMode, Tier } from '../settings/mode';

/** The state of the chat at the start of a turn. */
export interface TurnContext {
  /** Made once for a chat, never from the clock at build time. */
  readonly sessionId: string;
  readonly workspaceId: string;
  /** `provider/model`. */
  readonly modelId: string;
  /** The day on which the chat began, and that of its last turn, as they were told; not given where each request tells the day. */
  readonly days?: { readonly first: string; readonly last: string };
  readonly mode: ModeId;
  readonly tier: Tier;
  /** Whether the model needs fewer words of guidance (R016). */
  readonly modernModel: boolean;
  readonly permissionMode: PermissionMode;
  /** Names of the tools the model is offered. */
  readonly toolNames: readonly string[];
  /** Agents and their tools; null when the model is given its tools natively and the prompt need not list them. */
  readonly toolAgents: readonly ToolAgentInfo[] | null;
  /** Paths of the notes that always stand in this chat's prompt. */
  readonly contextNotes: readonly string[];
  readonly mentions: readonly Mention[];
  /** Path of the standing prompt's note. */
  readonly selectedPrompt: string | null;
  /** Path of the selected workspace's note. */
  readonly selectedWorkspace: string | null;
  /** Ids of sections that this chat leaves out; none unless given. */
  readonly sectionsOff?: readonly string[];
  /** Sections, by id, that are kept whole before others or told in brief; and such notes, by path, of the context notes. */
  readonly sectionForms?: Readonly<Record<string, 'pinned' | 'outline'>>;
  readonly noteForms?: Readonly<Record<string, 'pinned' | 'outline'>>;
  readonly contextStatus: ContextStatusInfo | null;
  readonly previousContext: CompactedContext | null;
  readonly goal: Goal | null;
  /** Skills whose text stands in the conversation: paths of SKILL.md notes, or ids of registered prompts. */
  readonly activeSkills: readonly string[];
  readonly mcpServers: readonly McpServerInfo[];
  /** Whether any other plugin adds to requests or results (R064). */
  readonly hooked: boolean;
  readonly fetchedPages: readonly FetchedPage[];
  readonly review: PendingReview | null;
  readonly editor: EditorState | null;
  /** The editor as the model was last told of it; null when it must be told in full (R190, R193). */
  readonly knownEditor: EditorState | null;
  /** The mode whose template stands at the head, fixed when the chat starts (K4). */
  readonly headMode: ModeId;
  /** The mode of the turn before this one, when it was another one. */
  readonly earlierMode: ModeId | null;
  /** Whether the reminder is due: on the first turn, after compaction, and when editing starts again (R216). */
  readonly reminderDue: boolean;
  /** Whether context notes stand apart from the notes of one message; they stand with them unless given. */
  readonly notesApart?: boolean;
  /** Notes whose text was sent before and stands in the conversation, each with its fingerprint. */
  readonly sentNotes?: ReadonlyMap<string, string>;
  /** Tokens of the model's context window. */
  readonly contextWindow: number;
}

/** Templates and registered prompts, as the orchestrator finds them. */
export interface PromptLookup {
  /** @param own the user's own text for this mode and tier, as readOwnTemplate gives it */
  template(mode: ModeId, tier: Tier, own?: string | null): string;
  registered(id: string): RegisteredPrompt | undefined;
  /** All that are registered; the same list while nothing changes. */
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
}

// The records about the moment of a turn: device, editor, fetched pages, pending review, servers, permissions.

export interface DeviceFacts {
  /** Long form in the user's locale, fixed when the chat starts (K12). */
  readonly date: string;
  /** Such as `macOS`, `Windows`, `Linux`, `iOS`, `Android`. */
  readonly operatingSystem: string;
  readonly appVersion: string;
  readonly platform: 'desktop' | 'mobile';
  /** Whether the vault's root is a git repository and git can be used here (R086). */
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
}

/** What the settings say about the composition (R108, R109). */
export interface PromptSettings {
  /** Whether a person is there to answer questions. */
  readonly interactive: boolean;
  readonly agentName: string;
  readonly sanityChecks: 'auto' | 'on' | 'off';
  readonly additionalInstructions: string;
  /** How long answers are by default (K29). */
  readonly brevity: 'brief' | 'normal';
  /** Names of the notes with the vault's conventions, at the root and in folders (R195). */
  readonly contextFiles: readonly string[];
  /** Whether the root's own stands in the system prompt, or comes with the first note that is looked at (R200). */
  readonly contextFilesIn: 'prompt' | 'first-touch';
}

// The records that prompt sections render, named as in the builder's public options (seed 004, R145-R179).

export interface ContextStatusInfo {
  readonly usedTokens: number;
  readonly maxTokens: number;
  readonly percentUsed: number;
  readonly status: 'ok' | 'warning' | 'critical';
  readonly statusMessage: string;
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
  /** Null when the note could not be read; the prompt says so in its place. */
  readonly text: string | null;
  /** Why there is no text. */
  readonly problem?: string;
  /** The same text was sent before and stands there still, so that it is not sent again. */
  readonly asBefore?: boolean;
  /** Its text goes in whole before the others get their shares. */
  readonly pinned?: boolean;
  /** The whole text, where `text` is its outline by the user's choice. */
  readonly whole?: string;
  /** The heading whose part this is, when it is not the whole note. */
  readonly heading?: string;
  /** The id of the block that this is, with its `^`. */
  readonly block?: string;
}

/** A mentioned folder or tag: its notes by name, the newest first, and the newest of them in full. */
export interface AttachedList {
  readonly kind: 'folder' | 'tag';
  /** The folder's path, empty for the root, or the tag with its `#`. */
  readonly id: string;
  /** Notes in all, shown or not. */
  readonly total: number;
  readonly rows: readonly ListedNote[];
  readonly notes: readonly AttachedNote[];
}

export interface ListedNote {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Its first heading, else its first sentence; empty when there is neither. */
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

/** A mentioned workspace with its full record, or null when none could be loaded (R172, R174). */
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

// Headers of what stands between the system prompt and the conversation, and the replies to it; frozen once shipped (R208, R209).

/** Fixed words, so that the beginning of a request never changes. */
export const headers = {
  REPO_MAP_HEADER:
    '# Vault map\n' +
    'Every file, by folder. After a note: its size, ←how many notes link to it, →how many it links to and which, #tags, ' +
    '{properties}; under it its headings.\n' +
    'The map shows where things stand, not what they say: read a note before you state, quote or change what is in it.',
  FILE_TREE_HEADER: '# Vault files\nWhat lies in the vault, by name:',
  URL_CONTEXT_HEADER: '# Web pages\nThese pages were fetched for the message that follows:',
  FILES_ACTIVE_HEADER: '# Working notes\nHere are the notes:',
  FILES_L0_HEADER: '# Reference notes (stable)\nThese notes are included for reference:',
  FILES_L1_HEADER: '# Reference notes\nThese notes are included for reference:',
  FILES_L2_HEADER: '# Reference notes (continued)\nThese notes are included for reference:',
  FILES_L3_HEADER: '# Reference notes (newer)\nThese notes are included for reference:',
  TIER_SYMBOLS_HEADER: '# Vault map (continued)',
  REVIEW_CONTEXT_HEADER: '# Changes under review',
} as const;

/** What the model is taken to have said to each of them (K16). */
export const replies = {
  ok: 'Ok.',
  pages: 'Ok, I’ve reviewed the URL content.',
  review: 'Ok, I’ve reviewed the code changes.',
} as const;

interface Pair {
  readonly header: string;
  readonly reply: string;
}

/** Sections of the turn that stand as messages of their own before the user's, by their ids (R211, R212, R214). */
export const pairsOfTurn: Readonly<Record<string, Pair>> = {
  files: { header: headers.FILES_ACTIVE_HEADER, reply: replies.ok },
  'url-context': { header: headers.URL_CONTEXT_HEADER, reply: replies.pages },
  'review-context': { header: headers.REVIEW_CONTEXT_HEADER, reply: replies.review },
};

export interface ModelSuffix {
  /** The beginning of the model's name, without provider and maker. */
  readonly family: string;
  write(context: TemplateContext): string;
}

export interface TemplateContext {
  readonly IsGitRepository: boolean;
  /** How far the agent is held back: by review or reading only, on a Mac or elsewhere, or not at all. */
  readonly SandboxStatus: 'macos' | 'generic' | 'none';
  readonly UserMemory: string;
  /** What the vault's context file says; empty without one. */
  readonly ProjectContext: string;
  readonly ProjectContextFile: string;
  /** Empty for a tool that is not offered. */
  readonly ToolNames: Readonly<Record<ToolRole, string>>;
}

export type ToolRole =
  'ReadFile' | 'WriteFile' | 'Grep' | 'Glob' | 'Edit' | 'Shell' | 'ReadManyFiles' | 'Memory' | 'LS';

export interface ContextTexts {
  readonly memory: string;
  readonly file: { readonly name: string; readonly text: string } | null;
}
