/** SessionEntry: one record of a conversation's append-only log; what the model and the pane see are folds over these. */
import type { Failure } from '../ports/failure';
import type { AssistantPart, ImageReference, StopReason, Usage } from '../ports/message';
import type { ModeId, PermissionMode, Tier } from '../settings/mode';
import type { ChangeEntryBody, TaintedEntryBody } from './change-entry';
import type { GoalEntryBody } from './goal-entry';

export interface EntryHeader {
  readonly id: string;
  readonly conversation: string;
  /** Stays the same on a device. */
  readonly writer: string;
  /** New each time the plugin loads. */
  readonly session: string;
  /** Logical time: greater than that of everything its writer had seen. */
  readonly lamport: number;
  /** Milliseconds since the epoch, for display only. */
  readonly time: number;
}

/** How an answer ended, apart from the reasons that a provider gives. */
export type AnswerEnd = StopReason | 'stopped' | 'interrupted' | 'failed';

/** What a chat has chosen; the newest entry of the log wins, field by field. */
export interface ChatChoices {
  readonly model?: string;
  readonly mode?: ModeId;
  /** What the agent may do by itself. */
  readonly permission?: PermissionMode;
  readonly tier?: 'auto' | 1 | 2 | 3 | 4 | 5;
  readonly contextNotes?: readonly string[];
  readonly selectedPrompt?: string | null;
  readonly selectedWorkspace?: string | null;
  /** Ids of sections that this chat leaves out. */
  readonly sectionsOff?: readonly string[];
}

/** One section's text as it stands in a message. */
export interface ZonePart {
  readonly section: string;
  readonly text: string;
}

/** A text that was not asked for and came along: a folder's context file, or what a hook of another plugin gave. */
export interface Addition {
  readonly kind: 'context-file' | 'hook';
  /** The path of the file, or the label of the hook. */
  readonly source: string;
  /** Without markup; it is written where it is read. */
  readonly text: string;
}

/** The head of the requests as it was written anew before a turn: it pins the tier and says what broke the cache. */
export interface PromptRebuilt {
  readonly kind: 'prompt-rebuilt';
  /** Ids of the sections that changed; all of them at the start of a chat. */
  readonly sections: readonly string[];
  /** See PromptChange; `reopened` when nothing more is known than that they differ from before. */
  readonly reasons: readonly string[];
  /** The model's id. */
  readonly model: string;
  readonly tier: Tier;
  /** The mode of the turn, and the one whose template stands at the head (K4). */
  readonly mode: ModeId;
  readonly headMode: ModeId;
  /** Whether the tier was chosen by itself; it then holds until the user acts, or at a compaction (K3). */
  readonly automatic: boolean;
  /** The window that the user had set, in tokens. */
  readonly window: number | null;
  /** A fingerprint of the text of each section at the head. */
  readonly head: Readonly<Record<string, string>>;
}

/** What a compaction left: a snapshot in place of entries, all of which stay in the log (R247, design 8). */
export interface SummaryBody {
  readonly kind: 'summary';
  readonly snapshot: Snapshot;
  /** Ids of the entries that it stands for, those of earlier summaries included. */
  readonly covers: readonly string[];
  /** Whether a model wrote it, or it was put together without one. */
  readonly by: 'model' | 'extraction';
  readonly trigger: 'automatic' | 'manual';
  /** What the user asked it to keep in view; empty for nothing. */
  readonly focus: string;
  /** Tokens of the whole request before and after. */
  readonly before: number;
  readonly after: number;
  /** Messages that it stands for, and those that stayed. */
  readonly removed: number;
  readonly kept: number;
  /** Notes that its messages were about. */
  readonly paths: readonly string[];
  /** Skills whose text went with them; they are told again from their notes. */
  readonly skills: readonly string[];
  /** The topic with which the messages that stayed begin, where one was looked for and found (R250). */
  readonly topic?: string;
  /** What was not as the settings or the user's note ask, in words. */
  readonly notices?: readonly string[];
}

/** Why a compaction came to nothing. */
export type SummaryRefusal = 'too-little' | 'fixed-part' | 'nothing-to-cut' | 'not-smaller' | 'stopped';

/** How a part of the history is sent: see context-form.ts. */
export interface FormChange {
  readonly target: string;
  readonly form: 'whole' | 'pinned' | 'outline' | 'masked' | 'dropped';
}

/** One part of the reference texts as it is sent. */
export interface SentItem {
  readonly key: string;
  readonly section: string;
  readonly tier: 'L0' | 'L1' | 'L2' | 'L3' | 'active' | 'opening';
  readonly text: string;
  /** Of the text that it was made from. */
  readonly hash: string;
  /** Turns in which it stood still, counted from the entry value of its tier. */
  readonly stood: number;
  /** What it says of each file, by path, as a fingerprint. */
  readonly lines?: Readonly<Record<string, string>>;
}

/**
 * The reference texts as they are sent from here on, byte for byte; what changes afterwards is told with the turn.
 * Written anew only where everything behind them is written anew in any case.
 */
export interface ReferenceSent {
  readonly kind: 'reference-sent';
  /** A fingerprint of what stands before them: instructions, tools, model. */
  readonly head: string;
  /** Why they were written: `start`, `head`, `compaction`, `list` (the user left out or reshaped some) or `cold`. */
  readonly reason: string;
  readonly items: readonly SentItem[];
}

/** The same with what happened since. */
export interface SentReference extends ReferenceSent {
  /** What turns told since, by key, each with its fingerprint; empty for what is gone. */
  readonly told: ReadonlyMap<string, string>;
  /** Turns since they were written. */
  readonly turns: number;
}

export type EntryBody =
  | { readonly kind: 'user'; readonly text: string; readonly mentions: readonly Mention[] }
  | {
      readonly kind: 'assistant';
      readonly parts: readonly AssistantPart[];
      readonly end: AnswerEnd;
      readonly model: string;
      readonly usage?: Usage;
    }
  | {
      readonly kind: 'tool-result';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly sources: readonly Source[];
      /** Characters of its beginning and end that are sent, when it was too long to be sent whole (R243). */
      readonly shown?: { readonly head: number; readonly tail: number };
      /** What is shown of it by itself. */
      readonly view?: ResultView;
      /** Whether the turn ended with it, since what comes next is for the user to say. */
      readonly endsTurn?: boolean;
      /** What came along with it, in the order in which it was sent. */
      readonly additions?: readonly Addition[];
      /** What a sub-agent did for it, and what its own requests took. */
      readonly steps?: readonly Step[];
      readonly usage?: Usage;
    }
  /** What hooks added to the newest message, with which it stays, and sentences on what else they did or could not do. */
  | { readonly kind: 'hook-context'; readonly additions: readonly Addition[]; readonly reports: readonly string[] }
  /** What was sent around the user's message before it, kept as sent, so that history never changes (design 5). */
  | {
      readonly kind: 'turn-zone';
      readonly before: readonly ZonePart[];
      readonly after: readonly ZonePart[];
      readonly mode: ModeId;
      /** The open notes as the model was told of them. */
      readonly editor: EditorState | null;
      /** What these texts tell anew, by key, each with its fingerprint; empty for what is gone. */
      readonly told?: Readonly<Record<string, string>>;
    }
  | ReferenceSent
  | PromptRebuilt
  | SummaryBody
  /** New words for a summary, by the user. */
  | { readonly kind: 'summary-edited'; readonly summary: string; readonly snapshot: Snapshot }
  /** The messages that it stood for are sent again. */
  | { readonly kind: 'summary-undone'; readonly summary: string }
  /** No more automatic attempts until one by hand succeeds (R240). */
  | { readonly kind: 'summary-refused'; readonly reason: SummaryRefusal; readonly trigger: SummaryBody['trigger'] }
  /** What a request took whose answer is no part of the conversation, as one for a summary, whatever came of it. */
  | { readonly kind: 'request-beside'; readonly model: string; readonly usage: Usage }
  | { readonly kind: 'context-forms'; readonly forms: readonly FormChange[]; readonly by: 'user' | 'window' }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'choices'; readonly choices: ChatChoices }
  | { readonly kind: 'title'; readonly title: string }
  | ChangeEntryBody
  | TaintedEntryBody
  | GoalEntryBody;

export type SessionEntry = EntryHeader & EntryBody;

/** Mention: a thing of the vault or of Docent that the user named in a message, or attached to it. */
export interface Mention {
  readonly kind: 'note' | 'heading' | 'block' | 'folder' | 'tag' | 'prompt' | 'workspace' | 'tool' | 'image';
  /**
   * A path for notes, images, folders, prompts and workspaces; `path#Heading` or `path#^id` for a part of a note;
   * `#tag` for a tag; a name for tools; the digest for an image that is no file of the vault.
   */
  readonly id: string;
  /** What the chip shows. */
  readonly label: string;
  /** For a prompt: what the user wrote after its name. */
  readonly arguments?: string;
  /** For an image: what is sent of it, once it has been made ready. */
  readonly image?: ImageReference;
  /** For an image: why it cannot be sent, in words for people. */
  readonly problem?: string;
  /** Whether it is attached beside the text, and not named in it. */
  readonly apart?: true;
}

/** EditorState: what the user has open, as a model is told of it. */
export interface EditorState {
  /** The note in front, or null. */
  readonly activeNote: {
    readonly path: string;
    /** One-based. */
    readonly cursor: { readonly line: number; readonly character: number } | null;
    readonly selectedText: string;
  } | null;
  /** Paths of the other open notes, sorted. */
  readonly otherOpenNotes: readonly string[];
}

/** ResultView: what a result asks to be shown by itself, besides the text that the model reads. */
export type ResultView =
  | { readonly kind: 'todos'; readonly items: readonly Todo[] }
  /** A question to the user; what they choose or write is their next message. */
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly several: boolean;
    }
  /** A plan that waits for the user's word; null for one that stands in the answer. */
  | { readonly kind: 'plan'; readonly path: string | null };

export const todoStates = ['open', 'doing', 'done'] as const;

export interface Todo {
  readonly text: string;
  readonly state: (typeof todoStates)[number];
}

/** How a write that was cut off can be settled: what was there, what was to be, or what is there now. */
export type RecoveryChoice = 'before' | 'after' | 'as-is';

/** Changes that wait for the user's review (R212, R213). */
export interface PendingReview {
  readonly notes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** The request of the user that led to them. */
  readonly request: string;
  /** One line for each edit, oldest first. */
  readonly log: readonly string[];
  /** For each changed note, the diff that takes the change back. */
  readonly reverseDiffs: readonly { readonly path: string; readonly diff: string }[];
}

/** Elements of a snapshot in their order, each with what belongs in it (R235). */
export const snapshotParts = {
  overall_goal: 'What the user wants in the end, in one sentence.',
  active_constraints: 'Rules, preferences and limits that the user set, in the user’s own terms.',
  key_knowledge: 'Facts found out and settled: names, links, properties, conventions, answers.',
  artifact_trail: 'Each note that was made or changed, by its path: what changed and why.',
  file_system_state: 'Notes and folders read, created, moved or deleted, by path, as they stand now.',
  recent_actions: 'The last tool calls and what came of them.',
  task_state: 'The plan, one step a line, marked [DONE], [IN PROGRESS] or [TODO]; then the very next step.',
} as const;

export type SnapshotPart = keyof typeof snapshotParts;
export type Snapshot = Readonly<Record<SnapshotPart, string>>;

/** A place in the vault that an answer rests on. */
export interface Source {
  readonly path: string;
  /** Heading that the passage stands under. */
  readonly heading?: string;
}

/** One look-up of a sub-agent. */
export interface Step {
  readonly title: string;
  /** What it gave, cut. */
  readonly text: string;
  readonly isError: boolean;
}

/** Kinds that make up the messages; a summary covers no others. */
export const messageKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'user',
  'assistant',
  'tool-result',
  'hook-context',
  'turn-zone',
  'changes-settled',
  'changes-undone',
]);
