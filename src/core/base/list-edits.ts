/** Sorted lists that replace one another: edits instead of a new sort, and what was edited between two of them. */
import { type Steps, takeSteps } from './async';

/** Replaces items at a position. The edits of one batch apply one after another, at growing positions. */
export interface ListEdit<Item> {
  readonly at: number;
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

type Compare<Item> = (a: Item, b: Item) => number;
type Batch<Item> = readonly ListEdit<Item>[];

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders records by their names, the same on every device. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

/** Returns how many items at the start of a sorted list satisfy a condition that none after them satisfies. */
export function countLeading<Item>(list: readonly Item[], leads: (item: Item) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (leads(list[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a list sorted in code unit order has a text. */
export function hasText(list: readonly string[], text: string): boolean {
  return list[countLeading(list, (each) => each < text)] === text;
}

/**
 * Sorts in steps: slices of the list, then pairs of sorted lists into one. A step sorts a slice, or merges four, which
 * takes no longer.
 */
export function* sortInSteps<Item>(items: readonly Item[], compare: Compare<Item>, slice: number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += slice) {
    runs.push(items.slice(start, start + slice).sort(compare));
    yield slice;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare, slice));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(a: readonly Item[], b: readonly Item[], compare: Compare<Item>, slice: number): Steps<Item[]> {
  const merged: Item[] = [];
  for (let [inA, inB] = [0, 0]; merged.length < a.length + b.length;) {
    const takesB = inA === a.length || (inB < b.length && compare(a[inA] as Item, b[inB] as Item) > 0);
    merged.push((takesB ? b[inB] : a[inA]) as Item);
    if (takesB) inB += 1;
    else inA += 1;
    if (merged.length % (slice * 4) === 0) yield slice;
  }
  return merged;
}

/** Returns the items of a list sorted by path whose path begins with a prefix, which is empty or ends in a slash. */
export function below<Item extends { readonly path: string }>(list: readonly Item[], prefix: string): readonly Item[] {
  if (prefix === '') return list;
  // `0` is the character after the slash.
  const end = `${prefix.slice(0, -1)}0`;
  return list.slice(
    countLeading(list, ({ path }) => path < prefix),
    countLeading(list, ({ path }) => path < end),
  );
}

/** Returns the items of a list sorted by path that are at some paths. */
export function* takeAt<Item extends { readonly path: string }>(
  list: readonly Item[],
  finding: Steps<string[]>,
): Steps<Item[]> {
  const paths = (yield* finding).sort(compareText);
  return paths.flatMap((path) => {
    const item = list[countLeading(list, (each) => each.path < path)];
    return item?.path === path ? [item] : [];
  });
}

/**
 * Returns the edits that remove and add items, without looking at the others.
 * @param removed ones that are not in the list are ignored
 * @param compare the order of the list, in which no two of its items are equal
 */
export function editsFor<Item>(
  list: readonly Item[],
  removed: readonly Item[],
  added: readonly Item[],
  compare: Compare<Item>,
): Batch<Item> {
  const edits: ListEdit<Item>[] = [];
  let shift = 0;
  let [removedAt, addedAt] = [-1, -1];
  for (const { lost, found, item } of pairUp(removed, added, compare)) {
    const place = findPlace(list, item, compare, 0, list.length);
    const there = list[place];
    const isRemoved = lost && place !== removedAt && there !== undefined && compare(there, item) === 0;
    const leaving = isRemoved ? [there] : [];
    // The item before it took this place: both are one replacement.
    const before = isRemoved && found.length === 0 && place === addedAt ? edits.pop() : undefined;
    if (before !== undefined) edits.push({ at: before.at, removed: leaving, added: before.added });
    else if (leaving.length + found.length > 0) edits.push({ at: place + shift, removed: leaving, added: found });
    shift += found.length - leaving.length;
    if (isRemoved) [removedAt, addedAt] = [place, -1];
    else if (found.length > 0) addedAt = place;
  }
  return edits;
}

interface Pair<Item> {
  readonly item: Item;
  /** Whether the item is to be removed. */
  readonly lost: boolean;
  /** The item that is to be added, if any. */
  readonly found: readonly Item[];
}

/** Returns the items in order; a removed one and an added one that are equal are a pair, whose place is searched once. */
function pairUp<Item>(removed: readonly Item[], added: readonly Item[], compare: Compare<Item>): Pair<Item>[] {
  const lost = [...removed].sort(compare);
  const found = [...added].sort(compare);
  const pairs: Pair<Item>[] = [];
  let next = 0;
  const addBefore = (item: Item): void => {
    for (let other = found[next]; other !== undefined && compare(other, item) < 0; other = found[next]) {
      pairs.push({ item: other, lost: false, found: [other] });
      next += 1;
    }
  };
  for (const item of lost) {
    addBefore(item);
    const other = found[next];
    const isPair = other !== undefined && compare(other, item) === 0;
    pairs.push({ item, lost: true, found: isPair ? [other] : [] });
    if (isPair) next += 1;
  }
  return [...pairs, ...found.slice(next).map((item) => ({ item, lost: false, found: [item] }))];
}

/** Returns how many items of a sorted list come before another one, which is at least `low` and at most `high`. */
function findPlace<Item>(list: readonly Item[], item: Item, compare: Compare<Item>, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(list[middle] as Item, item) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Edits beyond which copying a list costs less than moving its items for each. */
const maxMoves = 48;

type Applied<Item> = readonly (Pick<ListEdit<Item>, 'at' | 'added'> & Pick<ListEdit<unknown>, 'removed'>)[];

/** Applies a batch to a list, or to one of values made from its items. Changes the list, or returns another. */
export function applyEdits<Item, Value>(list: Value[], edits: Applied<Item>, make: (item: Item) => Value): Value[] {
  if (!hasFewMoves(edits)) return editedCopy(list, edits, make);
  // First all that leaves, from the back: a list that is full would be copied to make room for what is added.
  let shift = edits.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
  for (let last = edits.length - 1; last >= 0; last -= 1) {
    const { at, removed, added } = edits[last] as Applied<Item>[number];
    shift -= added.length - removed.length;
    if (isReplacement(removed, added)) list[at - shift] = make(added[0] as Item);
    else if (removed.length > 0) list.splice(at - shift, removed.length);
  }
  for (const { at, removed, added } of edits) {
    if (added.length > 0 && !isReplacement(removed, added)) list.splice(at, 0, ...added.map(make));
  }
  return list;
}

function isReplacement({ length: removed }: readonly unknown[], { length: added }: readonly unknown[]): boolean {
  return removed === 1 && added === 1;
}

function hasFewMoves(edits: Applied<unknown>): boolean {
  return edits.filter(({ removed, added }) => removed.length !== added.length).length <= maxMoves;
}

/** Pieces of a list that are joined at once; a call takes only so many. */
const maxPieces = 1_000;

/** Applies a batch to a copy of a list, made of whole pieces: each costs about what one item would. */
function editedCopy<Item, Value>(list: readonly Value[], edits: Applied<Item>, make: (item: Item) => Value): Value[] {
  const joined: Value[][] = [];
  let pieces: Value[][] = [];
  const join = (): void => {
    joined.push(new Array<Value>().concat(...pieces));
    pieces = [];
  };
  const take = (piece: Value[]): void => {
    if (pieces.push(piece) === maxPieces) join();
  };
  let from = 0;
  let length = 0;
  for (const { at, removed, added } of edits) {
    const end = from + at - length;
    if (end > from) take(list.slice(from, end));
    if (added.length > 0) take(added.map(make));
    from = end + removed.length;
    length = at + added.length;
  }
  join();
  return new Array<Value>().concat(...joined, list.slice(from));
}

/** Returns a list after a batch, and leaves it as it is. */
export function withEdits<Item>(list: readonly Item[], edits: Batch<Item>): Item[] {
  const itself = (item: Item): Item => item;
  return hasFewMoves(edits) ? applyEdits(list.slice(), edits, itself) : editedCopy(list, edits, itself);
}

// Histories: the batches between the lists that replaced one another.

/** Items in the batches of one history; older batches are forgotten. */
const maxItems = 8_000;

interface History {
  readonly batches: Batch<unknown>[];
  /** How many batches were forgotten. */
  forgotten: number;
  items: number;
}

interface Place {
  readonly history: History;
  /** How many batches came before the list. */
  readonly at: number;
}

const histories = new WeakMap<readonly unknown[], Place>();

/** Returns the list after the edits; `editsBetween` knows them from then on. */
export function editList<Item>(list: readonly Item[], edits: Batch<Item>): readonly Item[] {
  const next = withEdits(list, edits);
  const known = placeOf(list);
  // A list that was replaced before begins a history of its own.
  const isNewest = known.at === known.history.forgotten + known.history.batches.length;
  if (!isNewest) histories.delete(list);
  const { history, at } = isNewest ? known : placeOf(list);
  history.batches.push(edits);
  history.items += sizeOf(edits);
  while (history.items > maxItems && history.batches.length > 0) {
    history.items -= sizeOf(history.batches.shift() ?? []);
    history.forgotten += 1;
  }
  histories.set(next, { history, at: at + 1 });
  return next;
}

function sizeOf(edits: Batch<unknown>): number {
  return edits.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
}

/** Returns how many items some batches remove and add. */
export function countItems(batches: readonly Batch<unknown>[]): number {
  return batches.reduce((sum, edits) => sum + sizeOf(edits), 0);
}

/** Returns the batches that made a list from an earlier one, oldest first; null if that is not known. */
export function editsBetween<Item>(before: readonly Item[], after: readonly Item[]): readonly Batch<Item>[] | null {
  if (before === after) return [];
  const [first, last] = [histories.get(before), histories.get(after)];
  if (first === undefined || first.history !== last?.history || first.at > last.at) return null;
  const { batches, forgotten } = first.history;
  return first.at < forgotten ? null : (batches.slice(first.at - forgotten, last.at - forgotten) as Batch<Item>[]);
}

/** Values that are made from the files at some paths. */
export interface MadeFromFiles<Value> {
  /**
   * Returns the value under a key; makes it again if a file was touched whose path begins with one of those that
   * `make` returned with it.
   */
  get(files: readonly PathItem[], key: string, make: () => readonly [value: Value, from: readonly string[]]): Value;
}

type PathItem = { readonly path: string };

/** The maximum number of values that are held for one vault. */
const maxValues = 64;

/** Holds values made from a few of the files of sorted lists; what an edit does not touch stays as it is. */
export function holdMadeFromFiles<Value>(): MadeFromFiles<Value> {
  interface Held {
    files: readonly PathItem[];
    readonly values: Map<string, readonly [Value, readonly string[]]>;
  }
  const histories = new WeakMap<object, Held>();
  const heldFor = (files: readonly PathItem[]): Held => {
    const history = historyOf(files);
    const held: Held = histories.get(history) ?? { files, values: new Map() };
    histories.set(history, held);
    const batches = editsBetween<PathItem>(held.files, files);
    held.files = files;
    if (batches === null) held.values.clear();
    else for (const [key, [, from]] of held.values) if (hasTouched(batches, from)) held.values.delete(key);
    return held;
  };
  return {
    get: (files, key, make) => {
      const { values } = heldFor(files);
      const known = values.get(key);
      if (known !== undefined) return known[0];
      if (values.size >= maxValues) values.clear();
      const made = make();
      values.set(key, made);
      return made[0];
    },
  };
}

/** Whether a batch removes or adds a file whose path begins with one of these. */
function hasTouched(batches: readonly Batch<PathItem>[], beginnings: readonly string[]): boolean {
  const begins = ({ path }: PathItem): boolean => beginnings.some((beginning) => path.startsWith(beginning));
  return batches.some((edits) => edits.some(({ removed, added }) => removed.some(begins) || added.some(begins)));
}

/** Returns one object for a list and all that are made from it by edits. */
export function historyOf(list: readonly unknown[]): object {
  return placeOf(list).history;
}

function placeOf(list: readonly unknown[]): Place {
  const known = histories.get(list);
  if (known !== undefined) return known;
  const place = { history: { batches: [], forgotten: 0, items: 0 }, at: 0 };
  histories.set(list, place);
  return place;
}

/** Items that are judged in one step, of a few milliseconds, and what it counts for in a work budget. */
const itemsInStep = 4_000;
const unitsInStep = 1_000_000;

interface FilteredList<Item> {
  readonly from: readonly Item[];
  readonly rules: object;
  readonly filtered: readonly Item[];
}

export interface FollowingList<Item> {
  readonly current: () => readonly Item[];
  /** Makes the list in steps if it was not made yet. */
  readonly prepare: () => Steps<void>;
}

/**
 * Filters a sorted list. Once it is filtered, judges only the items of edits, again at each edit; all of them if the
 * rules change, or if it is not known what was edited. A list of which nothing is left out is returned itself.
 * @param rules called at each use; the same object means the same rules
 * @param judge returns what decides whether an item is in the list; `showAll` if all of them are
 * @param filter returns the items of a whole list that `judge` lets in, where there is a faster way than to ask of each
 */
export function followList<Item, Rules extends object>(
  list: () => readonly Item[],
  rules: () => Rules,
  judge: (rules: Rules) => (item: Item) => boolean,
  compare: Compare<Item>,
  filter?: (from: readonly Item[], rules: Rules) => Steps<readonly Item[]>,
): FollowingList<Item> {
  let last: FilteredList<Item> | null = null;
  const filterAll = (from: readonly Item[], now: Rules, shows = judge(now)): Steps<readonly Item[]> =>
    filter?.(from, now) ?? judgeAll(from, shows);
  const prepare = function* (): Steps<void> {
    if (last !== null) return;
    const [from, now] = [list(), rules()];
    const filtered = yield* filterAll(from, now);
    // What changes in between is judged again, like all that is edited.
    last ??= { from, rules: now, filtered };
  };
  const current = (): readonly Item[] => {
    const from = list();
    const now = rules();
    if (last?.from === from && last.rules === now) return last.filtered;
    const shows = judge(now);
    const batches = last?.rules === now ? editsBetween<Item>(last.from, from) : null;
    const filtered =
      last === null || batches === null
        ? takeSteps(filterAll(from, now, shows))
        : filterBatches(batches, last, from, shows, compare);
    last = { from, rules: now, filtered };
    return filtered;
  };
  return { current, prepare };
}

/** Returns the filtered list after batches that made a list from the one it was filtered from. */
function filterBatches<Item>(
  batches: readonly Batch<Item>[],
  last: FilteredList<Item>,
  from: readonly Item[],
  shows: (item: Item) => boolean,
  compare: Compare<Item>,
): readonly Item[] {
  const isWhole = last.filtered === last.from;
  if (isWhole && batches.every((batch) => batch.every(({ added }) => added.every(shows)))) return from;
  // The whole list goes on for others: the one without some of its items begins a history of its own.
  let filtered = isWhole ? last.from.slice() : last.filtered;
  let { length } = last.from;
  for (const batch of batches) {
    const edits = filterEdits(batch, filtered, length - filtered.length, shows, compare);
    if (edits.length > 0) filtered = editList(filtered, edits);
    length += batch.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
  }
  return filtered;
}

export function showAll(): boolean {
  return true;
}

/** Returns the items of a list that are to be shown, in steps; the list itself if they are all. */
export function* judgeAll<Item>(
  from: readonly Item[],
  shows: (item: Item, at: number) => boolean,
): Steps<readonly Item[]> {
  if (shows === showAll) return from;
  let filtered = null as Item[] | null;
  yield* inSteps(from, (item, at) => {
    if (!shows(item, at)) filtered ??= from.slice(0, at);
    else filtered?.push(item);
  });
  return filtered ?? from;
}

/** Does something with each item of a list, in steps of a few milliseconds. */
export function* inSteps<Item>(items: readonly Item[], act: (item: Item, at: number) => void): Steps<void> {
  for (let start = 0; start < items.length; start += itemsInStep) {
    if (start > 0) yield unitsInStep;
    const end = Math.min(start + itemsInStep, items.length);
    for (let at = start; at < end; at += 1) act(items[at] as Item, at);
  }
}

/**
 * Returns the edits of a filtered list that follow from those of the whole one.
 * @param hidden how many items of the whole list are not in the filtered one, both before the edits
 */
function filterEdits<Item>(
  batch: Batch<Item>,
  filtered: readonly Item[],
  hidden: number,
  shows: (item: Item) => boolean,
  compare: Compare<Item>,
): ListEdit<Item>[] {
  const edits: ListEdit<Item>[] = [];
  let [shift, wholeShift] = [0, 0];
  for (const { at, removed, added } of batch) {
    const first = removed[0] ?? added[0];
    if (first === undefined) continue;
    // An item is at most as many places further to the front as items are hidden.
    const high = Math.min(at - wholeShift, filtered.length);
    const place = findPlace(filtered, first, compare, Math.max(0, at - wholeShift - hidden), high);
    const lost: Item[] = [];
    for (const item of removed) if (filtered[place + lost.length] === item) lost.push(item);
    const found = added.filter(shows);
    if (lost.length + found.length > 0) edits.push({ at: place + shift, removed: lost, added: found });
    shift += found.length - lost.length;
    wholeShift += added.length - removed.length;
  }
  return edits;
}
