/** Moves through a chat: a bar that finds words in it, from question to question, and to its end. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TranscriptItem } from '../../core/chat/transcript';
import {
  findInChat,
  foldForFind,
  type FoundPassage,
  maxFound,
  placesBeforeFolding,
  placesOf,
} from '../../core/chat/find-in-chat';
import { words } from '../../text';
import { IconButton, isOfInputMethod } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';

/** What the bar begins with. */
export interface FindStart {
  /** Empty for what the user types. */
  readonly words: string;
  /** The message from which on they are shown; null for the newest passage. */
  readonly message: string | null;
}

interface FindBarProps {
  readonly model: OpenChatState;
  readonly start: FindStart;
  readonly onClose: () => void;
}

/** Milliseconds without typing after which the search starts. */
const findAfter = 120;
/** Frames within which a passage is drawn and in view once its message is mounted, and how long it has to stay there. */
const maxFrames = 60;
const minRestingFrames = 6;

/** FindBar: the words, how many passages have them, and the way from one to the next. */
export function FindBar({ model, start, onClose }: FindBarProps) {
  const say = words.find;
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(start.words);
  const [found, setFound] = useState<readonly FoundPassage[]>([]);
  const [current, setCurrent] = useState(0);
  const searched = useRef('');
  const giveUp = useRef<(() => void) | undefined>(undefined);
  const items = model.state.value?.items;
  // Before the next key: what is typed at once belongs here.
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      void findInChat(items ?? [], query, abort.signal).then((all) => {
        if (abort.signal.aborted) return;
        setFound(all);
        // New words begin at the newest passage; what is said since leaves the reader where they are.
        if (searched.current !== query)
          setCurrent(query === start.words ? firstOf(all, items, start) : Math.max(0, all.length - 1));
        searched.current = query;
      });
    }, findAfter);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [query, items, start]);
  const at = Math.min(current, found.length - 1);
  const passage = found[at];
  // What is typed since then has not been found yet: an empty box would mark all of a message.
  const wanted = foldForFind(searched.current);
  useEffect(() => {
    const element = bar.current;
    if (element === null || passage === undefined) return;
    const { win } = element;
    const stop = showPassage(model, element, wanted, passage);
    giveUp.current = stop;
    return () => {
      stop();
      clearMarks(win);
    };
  }, [passage?.place, passage?.nth, wanted]);
  const step = (by: number): void => {
    if (found.length > 0) setCurrent((at + by + found.length) % found.length);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // In the box, Enter goes on; on a button, it presses that.
    const isStep = event.key === 'Enter' && event.target === input.current;
    if (isOfInputMethod(event) || (!isStep && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    // The bar is removed a moment later, and must not scroll until then.
    if (event.key === 'Escape') giveUp.current?.();
    if (event.key === 'Escape') onClose();
    else step(event.shiftKey ? -1 : 1);
  };
  // Until the first search of these words has ended, nothing is known of them.
  const isKnown = query.trim() !== '' && (found.length > 0 || searched.current === query);
  const count = isKnown ? say.count(at + 1, found.length, found.length >= maxFound) : '';
  return (
    <div class="docent-find" role="search" ref={bar} onKeyDown={onKeyDown}>
      <input
        type="search"
        ref={input}
        placeholder={words.commandNames['find-in-chat']}
        aria-label={words.commandNames['find-in-chat']}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <span class="docent-find-count" role="status">
        {count}
      </span>
      <IconButton icon="chevron-up" label={say.previous} onClick={() => step(-1)} disabled={found.length === 0} />
      <IconButton icon="chevron-down" label={say.next} onClick={() => step(1)} disabled={found.length === 0} />
      <IconButton icon="x" label={say.close} onClick={onClose} />
    </div>
  );
}

/** Returns the first passage from the message on that was asked for; the newest one without it. */
function firstOf(
  all: readonly FoundPassage[],
  items: readonly TranscriptItem[] | undefined,
  { message }: FindStart,
): number {
  const from = message === null ? -1 : (items?.findIndex(({ id }) => id === message) ?? -1);
  const first = from < 0 ? -1 : all.findIndex(({ place }) => place >= from);
  return Math.max(0, first < 0 ? all.length - 1 : first);
}

/**
 * Brings a passage into the page and into view, and marks it, until it has stayed there for some frames: the transcript
 * measures and scrolls what was mounted for it. The returned function gives up.
 */
function showPassage(model: OpenChatState, bar: HTMLElement, wanted: string, { place, nth }: FoundPassage): () => void {
  const { win } = bar;
  let frame = 0;
  let left = maxFrames;
  let restingFrames = 0;
  let marked: Range | null = null;
  const look = (): void => {
    const list = listOf(bar);
    if (marked === null || marked.collapsed || !marked.startContainer.isConnected) {
      const item = list?.querySelector<HTMLElement>(`.docent-item[data-place="${place}"]`) ?? null;
      const ranges = item === null ? [] : rangesIn(item, wanted);
      marked = ranges[Math.min(nth, ranges.length - 1)] ?? null;
      if (marked !== null) mark(win, ranges, marked);
    }
    const isSeen = list !== null && marked !== null && bringIntoView(list, marked);
    restingFrames = isSeen ? restingFrames + 1 : 0;
    left -= 1;
    if (left > 0 && restingFrames < minRestingFrames) frame = win.requestAnimationFrame(look);
  };
  model.place.value = place;
  frame = win.requestAnimationFrame(look);
  return () => win.cancelAnimationFrame(frame);
}

function listOf(element: HTMLElement): HTMLElement | null {
  return element.closest('.docent-pane')?.querySelector<HTMLElement>('.docent-transcript') ?? null;
}

/** Returns the passages of what an item says, tool calls and buttons excepted. */
function rangesIn(item: HTMLElement, wanted: string): Range[] {
  const said = Array.from(item.querySelectorAll('.docent-user-text, .docent-markdown'));
  return said.flatMap((element) => {
    const nodes: { readonly node: Node; readonly start: number }[] = [];
    // Code has a button of its own.
    const walker = element.doc.createTreeWalker(element, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
      parentElement?.closest('button') == null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
    );
    let text = '';
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes.push({ node, start: text.length });
      text += node.nodeValue ?? '';
    }
    const folded = foldForFind(text);
    // Folding makes a text shorter that has letters apart from their accents, as one copied from a PDF may.
    const places = folded.length === text.length ? undefined : placesBeforeFolding(text);
    if (places === null) return [];
    let index = 0;
    const pointAt = (offset: number): [Node, number] => {
      while ((nodes[index + 1]?.start ?? Infinity) <= offset) index += 1;
      return [nodes[index]!.node, offset - nodes[index]!.start];
    };
    return placesOf(wanted, folded).map((at) => {
      const range = element.doc.createRange();
      const end = at + wanted.length;
      range.setStart(...pointAt(places?.[at] ?? at));
      const [last, length] = pointAt((places?.[end] ?? end) - 1);
      range.setEnd(last, length + 1);
      return range;
    });
  });
}

const marks = ['docent-find', 'docent-find-current'] as const;

/** Marks by the browser’s own highlights, which change no element; an old browser has none. */
function mark(win: Window, all: readonly Range[], current: Range): void {
  const { CSS: css, Highlight: make } = win as Window & Partial<Pick<typeof window, 'CSS' | 'Highlight'>>;
  if (css?.highlights === undefined || make === undefined) return;
  css.highlights.set(marks[0], new make(...all));
  css.highlights.set(marks[1], new make(current));
}

function clearMarks(win: Window): void {
  const { CSS: css } = win as Window & Partial<Pick<typeof window, 'CSS'>>;
  for (const name of marks) css?.highlights?.delete(name);
}

/** Scrolls to a passage unless it is in view; returns whether it was. */
function bringIntoView(list: HTMLElement, range: Range): boolean {
  const [view, passage] = [list.getBoundingClientRect(), range.getBoundingClientRect()];
  const isSeen = passage.top >= view.top && passage.bottom <= view.bottom;
  if (!isSeen) list.scrollTop += passage.top - view.top - list.clientHeight / 3;
  return isSeen;
}

/** Goes from the message in view to the question before or after it; after the last one, to the end. */
export function goToQuestion(model: OpenChatState, root: HTMLElement, by: -1 | 1): void {
  const list = root.querySelector<HTMLElement>('.docent-transcript');
  if (list === null) return;
  const top = list.getBoundingClientRect().top + 12;
  const shown = Array.from(list.querySelectorAll<HTMLElement>('.docent-item[data-place]'));
  const first = shown.find((element) => element.getBoundingClientRect().bottom > top);
  const { items = [] } = model.state.peek() ?? {};
  const from = first === undefined ? items.length : Number(first.dataset['place']);
  for (let place = from + by; place >= 0 && place < items.length; place += by) {
    if (items[place]?.type !== 'user') continue;
    model.place.value = place;
    return;
  }
  if (by > 0) model.place.value = 'end';
}
