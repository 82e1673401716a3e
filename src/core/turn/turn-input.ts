/** TurnInput: what a turn runs on, put together before it starts. */
import type { ContextPorts } from '../context/prepare-chat-turn';
import type { Hooks } from '../hooks/hooks';
import type { StateNotes } from '../ports/device';
import type { Failure, Outcome } from '../ports/failure';
import type { ToolCallPart, Usage } from '../ports/message';
import type { Model, SpendingVerdict } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { Addition, EntryBody, ResultView, Source, Step } from '../session/entry';
import type { Tool, ToolResult, TurnToolContext } from '../tools/tool';
import type { WritingPorts } from '../writing/apply/write-steps';

export interface TurnInput {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly vault: Vault;
  readonly place: TurnToolContext;
  readonly hooks: Pick<Hooks, 'beforeModel'>;
  /**
   * Plans the next request from the log as it then stands; facts stay those of the turn's start.
   * @param further an entry that is planned for as if it stood at the log's end
   */
  plan(further?: EntryBody): RequestPlan | Promise<RequestPlan>;
  /** What comes along with a result; `earlier` came along with results that are not in the log yet. */
  accompany(result: CallResult, earlier: readonly Addition[]): Promise<ResultContext>;
  /** Stores an entry; the turn goes no further when that fails. */
  record(body: EntryBody): Promise<Outcome<unknown>>;
  /** What is to be said of the price before the request goes out, or why it must not. */
  spending?(plan: RequestPlan): SpendingVerdict | null;
  /** The model could not hold this request: later ones are planned for less room. False when that was done already. */
  narrow?(plan: RequestPlan): boolean;
  /** Called when the results of an answer's calls are stored: what they staged is stored as well, or applied. */
  endStep?(): Promise<Outcome<unknown>>;
  readonly signal: AbortSignal;
}

/** Why a turn is over. */
export type TurnEnd = 'complete' | 'stopped' | 'interrupted' | 'failed' | 'limit';

/** TurnEvent: everything the pane can see of a running turn. */
export type TurnEvent =
  | { readonly type: 'request-planned'; readonly plan: RequestPlan }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The request was refused for now and is sent again by itself after that long; words say why. */
  | { readonly type: 'waiting'; readonly words: string; readonly milliseconds: number }
  /** Something that the user should know of the connection or of what the chat costs; the turn goes on. */
  | { readonly type: 'notice'; readonly words: string }
  /** An answer of the model is whole; tool calls may follow. */
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
      /** What a sub-agent did for it, and what its requests took. */
      readonly steps?: readonly Step[];
      readonly usage?: Usage;
    }
  /** What a hook of another plugin did or failed to do, in one sentence; the turn goes on. */
  | { readonly type: 'hook-reported'; readonly words: string }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'turn-ended'; readonly end: TurnEnd };

export interface CallResult extends ToolResult {
  readonly call: ToolCallPart;
  readonly isError: boolean;
}

export interface TurnPorts extends ContextPorts {
  readonly hooks: Hooks;
  /** Saves what was typed into open notes, so that a turn reads what the user sees. Rejects when a note cannot be saved. */
  flush(): Promise<void>;
  /** Told the system prompt of each turn that goes out. */
  promptSent?(system: string): void;
  /** Notes an event for the diagnostics. */
  note(words: string): void;
  /** Where states are saved before a compaction; without it none is. */
  readonly states?: StateNotes;
  /** How changes are staged and applied; without it nothing can be written. */
  readonly writing?: WritingPorts;
  /** The model of this id, or why it cannot be used. */
  model(id: string): Outcome<Model>;
}

export interface ResultContext {
  readonly additions: readonly Addition[];
  /** Sentences about what could not come along. */
  readonly reports: readonly string[];
}
