/** SessionEntry: one record of a chat's append-only log. What the model and the chat view see are folds over these. */
import type { Failure } from '../ports/failure';
import type { AssistantPart, ImageReference, StopReason, Usage } from '../ports/message';
import type { ModeId, PermissionMode, Tier } from '../settings/mode';
import type { ChangeEntryBody, TaintedEntryBody } from './change-entry';
import type { ChatBegan } from './chat-start';
import type { GoalEntryBody } from './goal-entry';

export interface EntryHeader {
  readonly id: string;
  readonly conversation: string;
  /** The same for all sessions on a device. */
  readonly writer: string;
  /** New each time the plugin loads. */
  readonly session: string;
  /** Logical time: greater than that of every entry its writer had seen. */
  readonly lamport: number;
  /** Milliseconds since the epoch, for display only. */
  readonly time: number;
  /** The id of the message whose turn added it; absent outside a turn, and in older logs. */
  readonly turn?: string;
  /** The branch in which it was written; absent for the first one. */
  readonly branch?: string;
}

/** How an answer ended, including reasons that providers do not give. */
export type AnswerEnd = StopReason | 'stopped' | 'interrupted' | 'failed';

/** A chat's own settings; the newest entry in the log wins, field by field. */
export interface ChatChoices {
  readonly model?: string;
  readonly mode?: ModeId;
  /** What the agent may do without asking. */
  readonly permission?: PermissionMode;
  readonly tier?: 'auto' | 1 | 2 | 3 | 4 | 5;
  readonly contextNotes?: readonly string[];
  readonly selectedPrompt?: string | null;
  readonly selectedWorkspace?: string | null;
  /** Ids of sections that this chat leaves out. */
  readonly sectionsOff?: readonly string[];
}

/** The text of one section in a message. */
export interface ZonePart {
  readonly section: string;
  readonly text: string;
}

/** The element in which a tool result is sent; its text is stored without it. */
export interface ResultFrame {
  readonly tag: 'instructions' | 'untrusted';
  readonly attributes: Readonly<Record<string, string>>;
  /** A sentence of Docent's before the element. */
  readonly lead?: string;
}

/** Text that is sent without being requested: a folder's context file, or text from another plugin's hook. */
export interface Addition {
  readonly kind: 'context-file' | 'hook' | 'resource';
  /** The path of the file, the label of the hook, or the server and the address of the resource. */
  readonly source: string;
  /** Without markup, which is added when the text is sent. */
  readonly text: string;
  /** What the text lacks of a resource, in Docent's own words; absent for nothing. */
  readonly missing?: string;
}

/** A rewrite of the system prompt and tools before a turn: it pins the tier and says what broke the prompt cache. */
export interface PromptRebuilt {
  readonly kind: 'prompt-rebuilt';
  /** Ids of the sections that changed; all of them at the start of a chat. */
  readonly sections: readonly string[];
  /** See PromptChange; `reopened` if all that is known is that the sections differ from before. */
  readonly reasons: readonly string[];
  /** The model's id. */
  readonly model: string;
  readonly tier: Tier;
  /** The mode of the turn, and the mode whose template is in the system prompt (K4). */
  readonly mode: ModeId;
  readonly headMode: ModeId;
  /** Whether the tier was chosen automatically; it then holds until the user acts, or until a compaction (K3). */
  readonly automatic: boolean;
  /** The context window that the user had set, in tokens. */
  readonly window: number | null;
  /** A fingerprint of the text of each section in the system prompt. */
  readonly head: Readonly<Record<string, string>>;
}

/** The result of a compaction: a snapshot that replaces entries, all of which stay in the log (R247, design 8). */
export interface SummaryBody {
  readonly kind: 'summary';
  readonly snapshot: Snapshot;
  /** Ids of the entries that the summary replaces, besides those of the summary that it continues. */
  readonly covers: readonly string[];
  /**
   * The id of the summary whose entries it replaces as well; absent where `covers` has all of them. A summary that
   * repeated them would make a log grow with the square of its length.
   */
  readonly continues?: string;
  /** Whether a model wrote it, or it was extracted without one. */
  readonly by: 'model' | 'extraction';
  readonly trigger: 'automatic' | 'manual';
  /** The topic that the user asked to focus on; empty for none. */
  readonly focus: string;
  /** Tokens of the whole request before and after. */
  readonly before: number;
  readonly after: number;
  /** Number of messages that the summary replaces, and number of messages still sent. */
  readonly removed: number;
  readonly kept: number;
  /** Notes that its messages were about. */
  readonly paths: readonly string[];
  /** Skills whose text was in those messages; it is sent again from their notes. */
  readonly skills: readonly string[];
  /** The topic with which the remaining messages begin, if one was looked for and found (R250). */
  readonly topic?: string;
  /** Deviations from the settings or the user's note, in words. */
  readonly notices?: readonly string[];
}

/** Why a compaction produced no summary. */
export type SummaryRefusal = 'too-little' | 'fixed-part' | 'nothing-to-cut' | 'not-smaller' | 'stopped';

/** How a part of the history is sent: see context-form.ts. */
export interface FormChange {
  readonly target: string;
  readonly form: 'whole' | 'pinned' | 'outline' | 'masked' | 'dropped';
}

/** One item of the reference texts as sent. */
export interface SentItem {
  readonly key: string;
  readonly section: string;
  readonly tier: 'L0' | 'L1' | 'L2' | 'L3' | 'active' | 'opening';
  readonly text: string;
  /** Hash of the source text. */
  readonly hash: string;
  /** Turns without a change, counted from the entry value of its tier. */
  readonly stood: number;
  /** A fingerprint of the part that depends on one file, by path. */
  readonly lines?: Readonly<Record<string, string>>;
}

/**
 * The reference texts as sent from this entry on, byte for byte; later changes are sent with the turn. They are
 * rewritten only where everything after them in the request is rewritten in any case.
 */
export interface ReferenceSent {
  readonly kind: 'reference-sent';
  /** A fingerprint of what precedes them: instructions, tools, model. */
  readonly head: string;
  /** Why they were written: `start`, `head`, `compaction`, `list` (the user left out or reshaped some) or `cold`. */
  readonly reason: string;
  readonly items: readonly SentItem[];
}

/** The reference texts as sent, with the changes since. */
export interface SentReference extends ReferenceSent {
  /** The changes that turns have sent since, by key, each with its fingerprint; empty if the item was removed. */
  readonly told: ReadonlyMap<string, string>;
  /** Turns since the texts were written. */
  readonly turns: number;
}

export type EntryBody =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly mentions: readonly Mention[];
      /** The message that this one replaces in a branch of its own. */
      readonly instead?: string;
    }
  | {
      readonly kind: 'assistant';
      readonly parts: readonly AssistantPart[];
      readonly end: AnswerEnd;
      readonly model: string;
      readonly usage?: Usage;
      /** Whether it was copied from another chat, which counts that no report of its usage came; else that usage says it. */
      readonly copied?: true;
      /** Spellings in its texts that the chat had sent escaped; they are decoded wherever the user reads the texts. */
      readonly escapes?: readonly string[];
    }
  | {
      readonly kind: 'tool-result';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly sources: readonly Source[];
      readonly frame?: ResultFrame;
      /** Characters of its start and end that are sent, if it was too long to be sent whole (R243). */
      readonly shown?: { readonly head: number; readonly tail: number };
      /** What is shown separately in the chat. */
      readonly view?: ResultView;
      /** Whether the turn ended with this result because the user decides what comes next. */
      readonly endsTurn?: boolean;
      /** Text sent along with the result, in order. */
      readonly additions?: readonly Addition[];
      /** The steps of a subagent that ran for this result, and the usage of its requests. */
      readonly steps?: readonly Step[];
      readonly usage?: Usage;
      /** Images that are sent with the result. */
      readonly images?: readonly Mention[];
    }
  /** What hooks added to the newest message, where it stays, and sentences about what else they did or could not do. */
  | { readonly kind: 'hook-context'; readonly additions: readonly Addition[]; readonly reports: readonly string[] }
  /**
   * What was sent around the user's message that precedes this entry, stored as sent, so that history never changes
   * (design 5).
   */
  | {
      readonly kind: 'turn-zone';
      readonly before: readonly ZonePart[];
      readonly after: readonly ZonePart[];
      readonly mode: ModeId;
      /** The open notes as the model saw them. */
      readonly editor: EditorState | null;
      /** What these texts update, by key, each with its fingerprint; empty if the item was removed. */
      readonly told?: Readonly<Record<string, string>>;
    }
  | ChatBegan
  | ReferenceSent
  | PromptRebuilt
  | SummaryBody
  /** The user's edit of a summary. */
  | { readonly kind: 'summary-edited'; readonly summary: string; readonly snapshot: Snapshot }
  /** The messages that the summary replaced are sent again. */
  | { readonly kind: 'summary-undone'; readonly summary: string }
  /** Automatic attempts stop until a manual one succeeds (R240). */
  | { readonly kind: 'summary-refused'; readonly reason: SummaryRefusal; readonly trigger: SummaryBody['trigger'] }
  /**
   * Usage of a background request, such as a summary; its answer is not part of the chat, whether it succeeded or not.
   */
  | { readonly kind: 'request-beside'; readonly model: string; readonly usage: Usage }
  | { readonly kind: 'context-forms'; readonly forms: readonly FormChange[]; readonly by: 'user' | 'window' }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'choices'; readonly choices: ChatChoices }
  /** A title by the model holds where there is none by hand; an empty one by hand is none. */
  | { readonly kind: 'title'; readonly title: string; readonly by?: 'model' }
  /** How the list of chats shows the chat; the newest entry in the log wins, field by field. */
  | { readonly kind: 'chat-list'; readonly pinned?: boolean; readonly deleted?: boolean }
  /** Begins a branch in which the message is answered again. */
  | { readonly kind: 'branch'; readonly message: string }
  /** Puts a branch in view; empty for the one that the chat began with. */
  | { readonly kind: 'branch-chosen'; readonly chosen: string }
  /** Deletes or restores a message with its answer, or an answer by the id of its first entry; the newest entry wins. */
  | { readonly kind: 'message-deleted'; readonly message: string; readonly deleted: boolean }
  /** The chat began as a copy of another one, up to the answer to this message of it. */
  | { readonly kind: 'forked'; readonly chat: string; readonly message: string }
  /** Lines were missing from the files of the chat while it was open, and were written back. */
  | { readonly kind: 'log-restored'; readonly lines: number }
  | ChangeEntryBody
  | TaintedEntryBody
  | GoalEntryBody;

export type SessionEntry = EntryHeader & EntryBody;

/** What can be mentioned; a newer version may store others. */
export const mentionKinds = [
  'note',
  'heading',
  'block',
  'folder',
  'tag',
  'prompt',
  'workspace',
  'skill',
  'tool',
  'image',
  'resource',
] as const;

/** Something in the vault or in Docent that the user named in a message or attached to it. */
export interface Mention {
  readonly kind: (typeof mentionKinds)[number];
  /**
   * A path for notes, images, folders, prompts, workspaces, and skills, or the label of one without a note; `path#Heading` or `path#^id` for a part of a note;
   * `#tag` for a tag; a name for tools; the digest for an image that is not a file of the vault.
   */
  readonly id: string;
  /** Label of the chip. */
  readonly label: string;
  /** For a prompt: what the user wrote after its name. */
  readonly arguments?: string;
  /** For an image: what is sent, once it has been prepared. */
  readonly image?: ImageReference;
  /** For an image: why it cannot be sent, in words for the user. */
  readonly problem?: string;
  /** Whether it is attached to the message and not named in its text. */
  readonly apart?: true;
  /** For a note: sent whole, even if it takes more than a quarter of the context window. */
  readonly form?: 'whole';
}

/** Which resource of which server a mention names. */
interface ResourcePlace {
  readonly server: string;
  readonly uri: string;
}

/** Stored in messages: the server, a space, which no name of a server has, and the address. */
export function resourceId({ server, uri }: ResourcePlace): string {
  return `${server} ${uri}`;
}

export function splitResourceId(id: string): ResourcePlace {
  const end = id.indexOf(' ');
  return { server: id.slice(0, Math.max(0, end)), uri: id.slice(end + 1) };
}

/** EditorState: what the user has open, as it is described to the model. */
export interface EditorState {
  /** The active note, or null. */
  readonly activeNote: {
    readonly path: string;
    /** One-based. */
    readonly cursor: { readonly line: number; readonly character: number } | null;
    readonly selectedText: string;
    /** Characters of the whole selection; absent if the text is all of it. */
    readonly selectedLength?: number | undefined;
  } | null;
  /** Paths of the other open notes, sorted. */
  readonly otherOpenNotes: readonly string[];
}

/** What a result shows separately in the chat, in addition to the text that the model reads. */
export type ResultView =
  | { readonly kind: 'todos'; readonly items: readonly Todo[] }
  /** A question for the user; the answer is their next message. */
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly several: boolean;
    }
  /** A plan that waits for the user's approval; null if the plan is in the answer itself. */
  | { readonly kind: 'plan'; readonly path: string | null };

export const todoStates = ['open', 'doing', 'done'] as const;

export interface Todo {
  readonly text: string;
  readonly state: (typeof todoStates)[number];
}

/** How to resolve an interrupted write: restore the old text, write the new one, or leave the file as it is. */
export type RecoveryChoice = 'before' | 'after' | 'as-is';

/** Changes that wait for the user's review (R212, R213). */
export interface PendingReview {
  readonly notes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** The user's request that led to them. */
  readonly request: string;
  /** One line per edit, oldest first. */
  readonly log: readonly string[];
  /** For each changed note, the diff that reverses the change. */
  readonly reverseDiffs: readonly { readonly path: string; readonly diff: string }[];
  /** The paths of the changed files: where they are in the vault, and where they would be new. */
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[];
}

/** Elements of a snapshot in order, each with a description of its content (R235). */
export const snapshotParts = {
  overall_goal: 'What the user wants in the end, in one sentence.',
  active_constraints: 'Rules, preferences and limits that the user set, word for word.',
  key_knowledge: 'Facts that were found and settled: names, links, properties, conventions, answers.',
  artifact_trail: 'Each note that was created or changed, by path: what changed, why, and whether it was applied.',
  file_system_state: 'Notes and folders that were read, created, moved or deleted, by path, in their current state.',
  recent_actions: 'The last tool calls and their results.',
  task_state: 'The plan, one step per line, marked [DONE], [IN PROGRESS] or [TODO]. Then the next step.',
} as const;

export type SnapshotPart = keyof typeof snapshotParts;
export type Snapshot = Readonly<Record<SnapshotPart, string>>;

/** A part of the vault that an answer is based on. */
export interface Source {
  readonly path: string;
  /** Heading of the section that contains the passage. */
  readonly heading?: string;
}

/** One tool call of a subagent. */
export interface Step {
  readonly title: string;
  /** Its result, truncated. */
  readonly text: string;
  readonly isError: boolean;
}

export type UserEntry = SessionEntry & { readonly kind: 'user' };

export function isUserEntry(entry: SessionEntry): entry is UserEntry {
  return entry.kind === 'user';
}

/** What became of proposed changes; the user's next message reports it. */
export const outcomeKinds: ReadonlySet<SessionEntry['kind']> = new Set(['changes-settled', 'changes-undone']);

/** Kinds that make up the messages; a summary replaces only these. */
export const messageKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'user',
  'assistant',
  'tool-result',
  'hook-context',
  'turn-zone',
  ...outcomeKinds,
]);

/**
 * Kinds that report what has happened and cannot be asked for again: if one cannot be stored, the log holds it and
 * stores it with the next entry.
 */
export const heldKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'assistant',
  'tool-result',
  'failure',
  'changes-staged',
  'changes-settled',
  'changes-undone',
  'request-beside',
  'tainted',
]);
