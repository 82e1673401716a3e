/** Caps of a turn: how much the agent may stage before it has to stop (rules 6.1). */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';

export const turnCaps = { writes: 25, bytes: 200_000, calls: 40, deletes: 10, identicalFailures: 3 } as const;

export interface WriteCost {
  /** Bytes of text that the model wrote. */
  readonly bytes: number;
  readonly deletes: number;
}

export class WriteCaps {
  private writes = 0;
  private bytes = 0;
  private deletes = 0;
  private readonly failures = new Map<string, number>();

  startTurn(): void {
    this.writes = 0;
    this.bytes = 0;
    this.deletes = 0;
    this.failures.clear();
  }

  /** Counts a write, or says which cap it would pass. */
  spend({ bytes, deletes }: WriteCost): Outcome<void> {
    if (this.writes + 1 > turnCaps.writes) return refuse(words.writing.tooManyWrites(turnCaps.writes));
    if (this.bytes + bytes > turnCaps.bytes) return refuse(words.writing.tooMuchText(turnCaps.bytes / 1_000));
    if (this.deletes + deletes > turnCaps.deletes) return refuse(words.writing.tooManyDeletes(turnCaps.deletes));
    this.writes += 1;
    this.bytes += bytes;
    this.deletes += deletes;
    return succeed(undefined);
  }

  /** Whether the same call may be tried once more. */
  mayTry(key: string): Outcome<void> {
    const failed = this.failures.get(key) ?? 0;
    return failed < turnCaps.identicalFailures ? succeed(undefined) : refuse(words.writing.sameFailure(failed));
  }

  countFailure(key: string): void {
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
  }
}

function refuse(what: string): Outcome<never> {
  return fail({ kind: 'limit', words: what, remedy: words.writing.capRemedy });
}
