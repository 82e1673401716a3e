/** SessionEntry: one record of a conversation's append-only log; what the model and the pane see are folds over these. */
import type { EditorState } from '../editor-state';
import type { GoalEntryBody } from '../goals/goal-event';
import type { Mention } from '../mentions/mention';
import type { Failure } from '../ports/failure';
import type { AssistantPart, StopReason, Usage } from '../ports/message';
import type { Snapshot } from '../prompt/compression-prompt';
import type { ResultView } from '../result-view';
import type { ModeId, PermissionMode, Tier } from '../settings/mode';
import type { Source, Step } from '../tools/tool';
import type { ChangeEntryBody, TaintedEntryBody } from '../writing/change-entry';

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
export interface KeptReference extends ReferenceSent {
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
