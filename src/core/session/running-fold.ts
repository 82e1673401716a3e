/**
 * Running folds: what a fold has made of a log so far, to which only the entries that were added since are put. A log's
 * `entries` is one array that only grows, so the array is the key of what was made of it, and every reader of a log
 * shares one state.
 */

/** How a fold goes over items. The same items give the same state, however many of them came at once. */
export interface FoldSteps<Item, State> {
  /**
   * Returns the state before the first item.
   * @param items all of them; what is read there must hold until `isRestart`
   */
  start(items: readonly Item[]): State;
  /** Returns the state with one more item; may change the given state. */
  add(state: State, item: Item): State;
  /** Returns a state of its own for a log that continues this one; without it, such a log is folded whole. */
  copy?(state: State): State;
  /** Whether the item changes what earlier ones mean, so that all are folded again. */
  isRestart?(state: State, item: Item): boolean;
}

interface Reached<State> {
  count: number;
  state: State;
}

/** Logs that continue another one, with how many items of it they begin with. */
const continued = new WeakMap<readonly unknown[], { readonly base: readonly unknown[]; readonly count: number }>();

/** Returns a copy that others can be folded over as far as this one. */
export function copyOfLog<Item>(items: readonly Item[]): Item[] {
  const copy = [...items];
  continued.set(copy, { base: items, count: items.length });
  return copy;
}

/** Returns the items with one more, in an array of its own. */
export function continueWith<Item>(items: readonly Item[], further: Item): readonly Item[] {
  const longer = copyOfLog(items);
  longer.push(further);
  return longer;
}

/** Returns the fold as a function of the items. What it returns is valid until items are added. */
export function runningFold<Item, State>(steps: FoldSteps<Item, State>): (items: readonly Item[]) => State {
  const known = new WeakMap<readonly Item[], Reached<State>>();
  const mustRestart = ({ count, state }: Reached<State>, items: readonly Item[]): boolean => {
    if (count > items.length) return true;
    for (let index = count; steps.isRestart !== undefined && index < items.length; index += 1) {
      if (steps.isRestart(state, items[index]!)) return true;
    }
    return false;
  };
  const reachBefore = (items: readonly Item[]): Reached<State> | undefined => {
    const { base, count } = continued.get(items) ?? {};
    if (base === undefined || steps.copy === undefined || base.length !== count) return undefined;
    return { count, state: steps.copy(fold(base as readonly Item[])) };
  };
  const fold = (items: readonly Item[]): State => {
    let reached = known.get(items) ?? reachBefore(items);
    if (reached === undefined || mustRestart(reached, items)) reached = { count: 0, state: steps.start(items) };
    for (; reached.count < items.length; reached.count += 1) {
      reached.state = steps.add(reached.state, items[reached.count]!);
    }
    known.set(items, reached);
    return reached.state;
  };
  return fold;
}

/** Returns the last item with the property, found from the end without a copy of the items. */
export function findLast<Item, Found extends Item>(
  items: readonly Item[],
  isFound: (item: Item) => item is Found,
): Found | undefined;
export function findLast<Item>(items: readonly Item[], isFound: (item: Item) => boolean): Item | undefined;
export function findLast<Item>(items: readonly Item[], isFound: (item: Item) => boolean): Item | undefined {
  return items[findLastIndex(items, isFound)];
}

/** Returns the index of the last item with the property; -1 if none has it. */
export function findLastIndex<Item>(
  items: readonly Item[],
  isFound: (item: Item) => boolean,
  end = items.length,
): number {
  let index = end - 1;
  while (index >= 0 && !isFound(items[index]!)) index -= 1;
  return index;
}
