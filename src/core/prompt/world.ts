/** World: what facts may look at while they are gathered. */
import type { Mention } from '../mentions/mention';
import type { NoteText, Vault } from '../ports';
import type { Outcome } from '../failure';
import type { ModeId, Tier } from '../mode';
import type { CompactedContext, ContextStatusInfo, ToolAgentInfo } from './prompt-data';

/** The state of the chat at the start of a turn. */
export interface TurnContext {
  /** Made once for a chat, never from the clock at build time. */
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly mode: ModeId;
  readonly tier: Tier;
  readonly agentName: string;
  /** Agents and their tools; null when the model is given its tools natively and the prompt need not list them. */
  readonly toolAgents: readonly ToolAgentInfo[] | null;
  /** Paths of the notes that always stand in this chat's prompt. */
  readonly contextNotes: readonly string[];
  readonly mentions: readonly Mention[];
  /** Path of the standing prompt's note. */
  readonly selectedPrompt: string | null;
  /** Path of the selected workspace's note. */
  readonly selectedWorkspace: string | null;
  readonly contextStatus: ContextStatusInfo | null;
  readonly previousContext: CompactedContext | null;
}

export interface World {
  readonly vault: Vault;
  readonly turn: TurnContext;
  /** The folder of prompts, workspaces and chats, without a trailing slash. */
  readonly agentFolder: string;
  /** Descriptions of all tools by name. */
  readonly toolDescriptions: Readonly<Record<string, string>>;
  /** Reads for prompts and display; may come from a cache that is dropped on change, so never a base for a write. */
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
}
