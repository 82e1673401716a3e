/** GoalBook: the goals as the log tells of them, and the queue in which changes are judged and written, one at a time. */
import { type Outcome, succeed } from '../ports/failure';
import type { GoalEntryBody, GoalEvent } from '../session/goal-entry';
import { foldGoals } from './fold-goals';
import { eventFor, type GoalPort, type GoalRequest } from './goal-request';
import { type GoalState, noGoalState } from './goal-state';
import { type AppendGoalEvent, type GoalLog, type MakeEvent, recordGoalEvent } from './record-goal-event';

type Source = Pick<GoalEntryBody, 'origin' | 'answer'>;

export class GoalBook implements GoalPort {
  private held = { count: 0, state: noGoalState };
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: GoalLog,
    private readonly append: AppendGoalEvent,
  ) {}

  get state(): GoalState {
    const { entries } = this.log;
    if (entries.length !== this.held.count) this.held = { count: entries.length, state: foldGoals(entries) };
    return this.held.state;
  }

  act(event: GoalEvent, source: Source = { origin: 'user' }): Promise<Outcome<GoalState>> {
    return this.enqueue(() => succeed(event), source);
  }

  request(request: GoalRequest, source: Source = { origin: 'model-tool' }): Promise<Outcome<GoalState>> {
    return this.enqueue((state) => eventFor(state, request), source);
  }

  /** Each event is made only when those asked for before it are written, so that it fits what they left. */
  enqueue(make: MakeEvent, source: Source): Promise<Outcome<GoalState>> {
    const record = (): Promise<Outcome<GoalState>> => recordGoalEvent(this.append, this, make, source);
    const next = this.tail.then(record, record);
    this.tail = next;
    return next;
  }
}
