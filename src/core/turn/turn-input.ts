/** TurnInput: what a turn runs on, put together before it starts. */
import type { Hooks } from '../hooks/hooks';
import type { Outcome } from '../ports/failure';
import type { Model, SpendingVerdict } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { Addition, EntryBody } from '../session/entry';
import type { Tool, TurnPlace } from '../tools/tool';
import type { Accompanied } from './accompany-result';
import type { CallResult } from './run-tool-calls';

export interface TurnInput {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly vault: Vault;
  readonly place: TurnPlace;
  readonly hooks: Pick<Hooks, 'beforeModel'>;
  /**
   * Plans the next request from the log as it then stands; facts stay those of the turn's start.
   * @param further an entry that is planned for as if it stood at the log's end
   */
  plan(further?: EntryBody): RequestPlan | Promise<RequestPlan>;
  /** What comes along with a result; `earlier` came along with results that are not in the log yet. */
  accompany(result: CallResult, earlier: readonly Addition[]): Promise<Accompanied>;
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
