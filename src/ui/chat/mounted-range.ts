/**
 * MountedRange: which items of a long chat are in the page. Those around the view are; for the others there is as much
 * room as they took when they were measured last, or as much as is usual.
 */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** How many items are mounted; at the end, and in a chat that has no more, as many as `maxMounted`. */
const mountedItems = 30;
const maxMounted = 40;
/** With fewer at the end of a chat that has become shorter, older ones are mounted: the view would be empty. */
const minMounted = 26;
/**
 * How many are mounted first at the end of a chat that opens: what a view shows. The others follow in as many tasks as
 * that takes, so that none is long.
 */
const itemsAtOnce = 4;
/** How many mounted items are outside the view before others are mounted. */
const margin = 4;
/** Pixels above an item that is looked for. */
const aboveItem = 8;
/** Pixels of an item when none has been measured. */
const usualHeight = 120;

interface Identified {
  readonly id: string;
}

interface Anchor {
  readonly place: string | undefined;
  readonly top: number;
}

export class MountedRange {
  /** The place of the first mounted item; null for as many as there are at the end, which begin at `tail`. */
  private first: number | null = null;
  /** How many are mounted from the first one on. */
  private span = mountedItems;
  private tail = 0;
  /** How many of the newest items are mounted at most, while a chat opens. */
  private opened = Infinity;
  private readonly heights = new Map<string, number>();
  private sum = 0;
  private items: readonly Identified[] = [];
  /** The mounted item at the top of the view, and where its top is in the view. */
  private anchor: Anchor | null = null;
  /** Where the list was scrolled to when the anchor was found; null if it is to be scrolled to the anchor. */
  private position: number | null = null;

  constructor(private readonly changed: () => void) {}

  /** Takes on the items as they are now; those that someone reads stay mounted while others are added. */
  show(items: readonly Identified[], isFollowing: boolean): { readonly from: number; readonly to: number } {
    const { length } = items;
    if (!isFollowing && this.first === null && this.items.length > 0 && length > maxMounted) {
      this.mount(this.from, maxMounted);
    }
    if (length <= maxMounted) this.tail = 0;
    else if (length - this.tail > maxMounted || length - this.tail < minMounted) this.tail = length - mountedItems;
    this.items = items;
    return { from: this.from, to: this.to };
  }

  /** Takes on that so many items were added before the others, which stay mounted where they are. */
  addBefore(count: number): void {
    this.tail += count;
    if (this.first !== null) this.first += count;
    const place = this.anchor?.place;
    if (this.anchor !== null && place !== undefined)
      this.anchor = { ...this.anchor, place: `${Number(place) + count}` };
  }

  /** Whether the newest item is mounted. */
  get isAtEnd(): boolean {
    return this.to === this.items.length;
  }

  /** Whether what is mounted next is new in the chat, and no older item. */
  get mountsNewOnly(): boolean {
    return this.isAtEnd && !this.isOpening;
  }

  /** Mounts only what a view shows of the end, until `openMore` mounts more. */
  open(): void {
    this.opened = itemsAtOnce;
  }

  /** Whether items at the end are still to be mounted. */
  get isOpening(): boolean {
    return this.first === null && this.from > this.tail;
  }

  /** Mounts more items at the end when the list is drawn next. */
  openMore(): void {
    this.opened += itemsAtOnce;
    if (!this.isOpening) this.opened = Infinity;
  }

  /** Mounts the newest items when the list is drawn next. */
  toEnd(): void {
    this.first = null;
    this.anchor = null;
    this.position = null;
  }

  /** Mounts an item and those around it when the list is drawn next, with that item at the top of the view. */
  toPlace(place: number, length: number): void {
    const wanted = Math.max(0, place - Math.floor(mountedItems / 2));
    this.mount(length <= maxMounted || wanted >= length - mountedItems ? null : wanted, mountedItems);
    this.anchor = { place: `${place}`, top: aboveItem };
    this.position = null;
  }

  /** Pixels of the items between two places. */
  room(from: number, to: number): number {
    let room = 0;
    for (let place = from; place < to; place += 1) room += this.heightAt(place);
    return room;
  }

  /** Measures what is mounted, and puts what the reader looks at back where it was. */
  settle(list: HTMLElement, isFollowing: boolean): void {
    if (list.clientHeight === 0) return;
    const gap = Number.parseFloat(list.win.getComputedStyle(list).rowGap) || 0;
    for (const element of mountedIn(list)) {
      const { id } = this.items[placeOf(element)] ?? {};
      if (id !== undefined) this.keep(id, element.offsetHeight === 0 ? 0 : element.offsetHeight + gap);
    }
    // The list was scrolled, and the event that says so has not come yet: what is in view now stays.
    if (this.position !== null && Math.abs(list.scrollTop - this.position) >= 1) this.anchor = anchorIn(shownIn(list));
    const element = isFollowing
      ? undefined
      : mountedIn(list).find(({ dataset }) => dataset['place'] === this.anchor?.place);
    const moved = element === undefined || this.anchor === null ? 0 : topIn(list, element) - this.anchor.top;
    if (Math.abs(moved) >= 1) list.scrollTop += moved;
    this.anchor ??= anchorIn(shownIn(list));
    this.position = list.scrollTop;
  }

  /** Follows the reader: mounts what comes into view. */
  scrolled(list: HTMLElement): void {
    const height = list.clientHeight;
    const shown = shownIn(list);
    const [top, bottom] = [shown[0]?.element, shown.at(-1)?.element];
    this.anchor = anchorIn(shown);
    this.position = list.scrollTop;
    if (this.items.length <= maxMounted || height === 0) return;
    const [from, to] =
      top === undefined || bottom === undefined
        ? this.placesAt(list.scrollTop, height)
        : [placeOf(top), placeOf(bottom) + 1];
    const isNear = (from - this.from < margin && this.from > 0) || (this.to - to < margin && !this.isAtEnd);
    if (!isNear) return;
    const last = this.items.length - mountedItems;
    const wanted = Math.max(0, Math.floor((from + to - mountedItems) / 2));
    const first = wanted >= last ? null : wanted;
    if (first === this.first) return;
    this.mount(first, mountedItems);
    this.changed();
  }

  private mount(first: number | null, span: number): void {
    this.opened = Infinity;
    this.first = first;
    this.span = span;
  }

  private get from(): number {
    const { length } = this.items;
    return Math.min(this.first ?? Math.max(this.tail, length - this.opened), length);
  }

  private get to(): number {
    const { length } = this.items;
    return this.first === null ? length : Math.min(length, this.first + this.span);
  }

  private heightAt(place: number): number {
    const { id = '' } = this.items[place] ?? {};
    return this.heights.get(id) ?? (this.heights.size === 0 ? usualHeight : this.sum / this.heights.size);
  }

  private keep(id: string, height: number): void {
    this.sum += height - (this.heights.get(id) ?? 0);
    this.heights.set(id, height);
  }

  /** The places of the items that a view shows in which none is mounted. */
  private placesAt(top: number, height: number): [number, number] {
    let [place, end] = [0, 0];
    while (place < this.items.length && end + this.heightAt(place) <= top) end += this.heightAt(place++);
    const from = place;
    while (place < this.items.length && end < top + height) end += this.heightAt(place++);
    return [from, place];
  }
}

/** Returns the range of a list in the page, which is drawn again when other items are to be mounted. */
export function useMountedRange(
  list: { readonly current: HTMLElement | null },
  isFollowing: () => boolean,
): MountedRange {
  const [, redraw] = useReducer(() => ({}), {});
  const range = useRef<MountedRange | null>(null);
  if (range.current === null) {
    range.current = new MountedRange(() => redraw(undefined));
    range.current.open();
  }
  const { current } = range;
  useLayoutEffect(() => {
    if (list.current !== null) current.settle(list.current, isFollowing());
  });
  useEffect(() => {
    if (!current.isOpening) return;
    const { win } = list.current ?? {};
    const timer = win?.setTimeout(() => {
      current.openMore();
      redraw(undefined);
    });
    return () => win?.clearTimeout(timer);
  });
  return current;
}

/**
 * Puts the list back to its position, and follows what came since, whenever it gets a size: a hidden view has none, one
 * that is moved to another place of the app begins at its top, and a box that grows takes room from it. Who reads the
 * end of a long answer, and so does not follow, stays at it.
 */
export function useShown(
  list: { readonly current: HTMLElement | null },
  position: { current: number | null },
  follow: () => void,
  isFollowing: () => boolean,
): void {
  useEffect(() => {
    const { current: element } = list;
    if (element === null) return;
    const { ResizeObserver: Observer } = element.win as Window & Partial<Pick<typeof window, 'ResizeObserver'>>;
    if (Observer === undefined) return;
    let height = element.clientHeight;
    const observer = new Observer(() => {
      const isAtEnd = element.scrollTop + height >= element.scrollHeight - 1 && element.clientHeight < height;
      height = element.clientHeight;
      if (height === 0) return;
      const { current: before } = position;
      const isLost = element.scrollTop === 0 && before !== null && before > 0;
      if (isLost) position.current = null;
      follow();
      if (isAtEnd && !isFollowing()) {
        element.scrollTop = element.scrollHeight;
        position.current = element.scrollTop;
      }
      // Someone reads who does not follow.
      if (isLost && position.current === null) element.scrollTop = position.current = before;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

function mountedIn(list: HTMLElement): HTMLElement[] {
  return Array.from(list.children).filter(
    (child): child is HTMLElement => child.instanceOf(HTMLElement) && child.dataset['place'] !== undefined,
  );
}

/** Returns the mounted items in the view, with where each begins in it. */
function shownIn(list: HTMLElement): { readonly element: HTMLElement; readonly top: number }[] {
  return mountedIn(list)
    .map((element) => ({ element, top: topIn(list, element) }))
    .filter(({ element, top }) => top < list.clientHeight && top + element.offsetHeight > 0);
}

function anchorIn([first]: ReturnType<typeof shownIn>): Anchor | null {
  return first === undefined ? null : { place: first.element.dataset['place'], top: first.top };
}

function placeOf({ dataset }: HTMLElement): number {
  return Number(dataset['place']);
}

/** Pixels from the top of the view to the top of an item. */
function topIn(list: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - list.getBoundingClientRect().top;
}
