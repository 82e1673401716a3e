/** TurnInput: what a turn runs on, and the events it yields. */
import type { ContextPorts } from '../context/prepare-chat-turn';
import type { Hooks } from '../hooks/hooks';
import type { SentEscapes } from '../markup/escapes';
import type { StateNotes } from '../ports/device';
import type { Failure, Outcome } from '../ports/failure';
import type { ToolCallPart, Usage } from '../ports/message';
import type { Model, SpendingVerdict } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { Addition, EntryBody, Mention, ResultView, Source, Step } from '../session/entry';
import type { Tool, ToolResult, TurnToolContext } from '../tools/tool';
import type { WritingPorts } from '../writing/apply/write-steps';

export interface TurnInput {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly vault: Vault;
  readonly place: TurnToolContext;
  /** What the chat has sent escaped; each request of the turn is added to it. */
  readonly sent: SentEscapes;
  readonly hooks: Pick<Hooks, 'beforeModel'>;
  /**
   * Plans the next request from the current log; facts stay those of the turn's start.
   * @param further an entry that is planned for as if it were the last one of the log
   */
  plan(further?: EntryBody): RequestPlan | Promise<RequestPlan>;
  /**
   * Returns the context to append to a result.
   * @param earlier context appended to results that are not in the log yet
   */
  appendContext(result: CallResult, earlier: readonly Addition[]): Promise<ResultContext>;
  /** Returns the ids of the calls of earlier answers; absent where ids need not be unique. */
  callIds?(): Set<string>;
  /** Stores an entry; the turn ends if that fails. */
  record(body: EntryBody): Promise<Outcome<unknown>>;
  /** Returns a notice about the price of the request, or why it must not be sent; null for neither. */
  spending?(plan: RequestPlan): SpendingVerdict | null;
  /**
   * Returns how the turn continues after the model refused the request as too long: 'reopen' if the model is now known
   * to hold less, 'retry' with a smaller request, null if it did both before.
   */
  narrow?(plan: RequestPlan): 'reopen' | 'retry' | null;
  /** Called after the results of an answer's calls are stored; stores or applies the changes they staged. */
  endStep?(): Promise<Outcome<unknown>>;
  /** See `TurnPorts`. */
  readonly watchAway?: () => () => boolean;
  readonly signal: AbortSignal;
}

/** Why a turn is over. */
export type TurnEnd =
  | 'complete'
  | 'stopped'
  | 'interrupted'
  | 'failed'
  | 'limit'
  /** The model holds less than was assumed: the turn is to be opened again, for a smaller context window. */
  | 'narrowed';

/** TurnEvent: everything that a view can see of a running turn. */
export type TurnEvent =
  | { readonly type: 'request-planned'; readonly plan: RequestPlan }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The request was refused for now and is sent again automatically after that time; words say why. */
  | { readonly type: 'waiting'; readonly words: string; readonly milliseconds: number }
  /** A sentence about the connection or the price; the turn continues. */
  | { readonly type: 'notice'; readonly words: string }
  /** An answer of the model is complete; tool calls may follow. */
  | { readonly type: 'answer-ended'; readonly usage?: Usage }
  | { readonly type: 'tool-call-started'; readonly call: ToolCallPart; readonly title: string }
  | {
      readonly type: 'tool-call-ended';
      readonly callId: string;
      readonly text: string;
      readonly isError: boolean;
      readonly sources: readonly Source[];
      readonly view?: ResultView;
      readonly additions?: readonly Addition[];
      /** What a subagent did for it, and the tokens its requests used. */
      readonly steps?: readonly Step[];
      readonly usage?: Usage;
      readonly images?: readonly Mention[];
    }
  /** One sentence on what a hook of another plugin did or failed to do; the turn continues. */
  | { readonly type: 'hook-reported'; readonly words: string }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'turn-ended'; readonly end: TurnEnd };

export interface CallResult extends ToolResult {
  readonly call: ToolCallPart;
  readonly isError: boolean;
}

export interface TurnPorts extends ContextPorts {
  readonly hooks: Hooks;
  /** Saves unsaved text of open notes, so that a turn reads what the user sees. Rejects if a note cannot be saved. */
  flush(): Promise<void>;
  /** Called with the system prompt of each turn that is sent. */
  promptSent?(system: string): void;
  /** Notes an event for the diagnostics. */
  note(words: string): void;
  /** Where states are saved before a compaction; if absent, none is saved. */
  readonly states?: StateNotes;
  /** Redraws an image of a server and stores it with the chat; without it, the model gets a text note for each. */
  readonly addImage?: (
    file: { readonly name: string; readonly bytes: Uint8Array },
    conversation: string,
  ) => Promise<Outcome<Mention>>;
  /** Stages and applies changes; if absent, nothing can be written. */
  readonly writing?: WritingPorts;
  /**
   * Begins to watch the app; what it returns says whether the app has been in the background since. A phone ends
   * connections there.
   */
  readonly watchAway?: () => () => boolean;
  /** Returns the model with this id, or why it cannot be used. */
  model(id: string): Outcome<Model>;
}

export interface ResultContext {
  readonly additions: readonly Addition[];
  /** Sentences about what could not be appended. */
  readonly reports: readonly string[];
}
