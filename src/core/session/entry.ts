/** SessionEntry: one record of a conversation's append-only log; what the model and the pane see are folds over these. */
import type { EditorState } from '../editor-state';
import type { Failure } from '../failure';
import type { Mention } from '../mentions/mention';
import type { AssistantPart, StopReason, Usage } from '../message';
import type { ModeId } from '../mode';
import type { Source } from '../tools/tool';

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
  readonly tier?: 'auto' | 1 | 2 | 3 | 4 | 5;
  readonly contextNotes?: readonly string[];
  readonly selectedPrompt?: string | null;
  readonly selectedWorkspace?: string | null;
}

/** One section's text as it stands in a message. */
export interface ZonePart {
  readonly section: string;
  readonly text: string;
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
    }
  /** What was sent around the user's message before it, kept as sent, so that history never changes (design 5). */
  | {
      readonly kind: 'turn-zone';
      readonly before: readonly ZonePart[];
      readonly after: readonly ZonePart[];
      readonly mode: ModeId;
      /** The open notes as the model was told of them. */
      readonly editor: EditorState | null;
    }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'choices'; readonly choices: ChatChoices }
  | { readonly kind: 'title'; readonly title: string };

export type SessionEntry = EntryHeader & EntryBody;
