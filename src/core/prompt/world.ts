/** World: what facts may look at while they are gathered. */
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { NoteReader } from '../library/user-notes';
import type { Mention, PendingReview } from '../session/entry';
import type { Goal } from '../session/goal-entry';
import type { ModeId, Tier } from '../settings/mode';
import type { ModelSuffix } from './model-suffix';
import type { CompactedContext, ContextStatusInfo, ToolAgentInfo } from './prompt-data';
import type { DeviceFacts, EditorState, FetchedPage, McpServerInfo, PermissionMode, PromptSettings } from './turn-data';

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
  readonly toldNotes?: ReadonlyMap<string, string>;
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
