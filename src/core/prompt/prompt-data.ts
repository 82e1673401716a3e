/** The records that prompt sections render, named as in the builder's public options (seed 004, R145-R179). */
import type { WorkspaceSummary } from '../library/user-notes';
import type { WorkspaceData } from '../library/workspaces';

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
