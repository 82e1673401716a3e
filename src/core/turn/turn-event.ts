/** TurnEvent: everything the pane can see of a running turn. */
import type { Failure } from '../ports/failure';
import type { ToolCallPart, Usage } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import type { Addition, ResultView, Source, Step } from '../session/entry';

/** Why a turn is over. */
export type TurnEnd = 'complete' | 'stopped' | 'interrupted' | 'failed' | 'limit';

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
