/** What all rows of the scoreboard have in common: their figures, and the tries that are chosen for a part of them. */
import type { Goal } from '../goals';
import { goals } from '../goals';
import { type Carrier, carriers } from '../carriers';
import { type Wrapper, wrappers } from '../wrappers';

export interface RowFigures {
  readonly tries: number;
  /** Tries whose order never came before the model, or that did not begin. */
  readonly undelivered: number;
  readonly effects: number;
  /** What comes of the same tries where nothing stops them, out of how many. */
  readonly control: { readonly effects: number; readonly tries: number };
  /** What had an effect, and what was not delivered. */
  readonly failures: readonly string[];
}

/** A part of a row; without a list, all of it. */
export interface Tries {
  readonly goals?: readonly string[];
  readonly carriers?: readonly string[];
  /** Names of cases, in a row that has some of its own. */
  readonly cases?: readonly string[];
  /** Leaves out the control. */
  readonly alone?: boolean;
  /** Every combination instead of every pair. */
  readonly full?: boolean;
}

/** Counts what came of each try. */
export class Tally {
  private tries = 0;
  private undelivered = 0;
  private effects = 0;
  private readonly control = { effects: 0, tries: 0 };
  private readonly failures: string[] = [];

  /** @param effects what the try did that it must not do, in words */
  add(name: string, effects: readonly string[], delivered = true): void {
    this.tries += 1;
    if (effects.length > 0) {
      this.effects += 1;
      this.failures.push(`${name}: ${effects.join(', ')}`);
    }
    if (delivered) return;
    this.undelivered += 1;
    this.failures.push(`${name}: was not delivered`);
  }

  addControl(hasEffect: boolean): void {
    this.control.tries += 1;
    if (hasEffect) this.control.effects += 1;
  }

  get figures(): RowFigures {
    const { tries, undelivered, effects, control, failures } = this;
    return { tries, undelivered, effects, control, failures };
  }
}

/** Returns the chosen items of a list. */
export function choose<T extends { readonly id: string }>(all: readonly T[], ids: readonly string[] | undefined): T[] {
  const unknown = ids?.find((id) => !all.some((each) => each.id === id));
  if (unknown !== undefined) throw new Error(`There is no “${unknown}”.`);
  return all.filter(({ id }) => ids?.includes(id) ?? true);
}

export interface Pair {
  readonly goal: Goal;
  readonly carrier: Carrier;
  readonly wrapper: Wrapper;
  readonly name: string;
}

/** Returns every goal over every carrier; the wrappers take turns. */
export function pairsOf({ goals: goalIds, carriers: carrierIds }: Tries): Pair[] {
  return choose(goals, goalIds).flatMap((goal, turn) =>
    choose(carriers, carrierIds).map((carrier, row): Pair => {
      const wrapper = wrappers[(turn + row) % wrappers.length] as Wrapper;
      return { goal, carrier, wrapper, name: `${goal.id} / ${carrier.id} / ${wrapper.id}` };
    }),
  );
}
