/** The keys of a review card, and the context that its parts share. */
import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DecisionPart, Review, ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { nameOf } from '../components/controls';
import { isWaiting, type ReviewState } from '../state/review-state';

export interface FocusStops {
  readonly root: RefObject<HTMLDivElement | null>;
  readonly current: string;
  readonly editing: string | null;
  readonly edit: (stop: string | null) => void;
  readonly focusFirst: () => void;
  /** Whether the focus came with the keyboard, so that the keys are named. */
  readonly hasKeys: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onFocusOut: (event: FocusEvent) => void;
}

const selector = '[data-stop]';
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** useReviewKeys: the keys of a review card. The focus moves from stop to stop; one key acts on the focused stop. */
export function useReviewKeys(review: Review, model: ReviewState): FocusStops {
  const root = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('');
  const [hasKeys, setHasKeys] = useState(false);
  const editing = isWaiting(review) ? (model.edits.value.get(review.id)?.stop ?? null) : null;
  const returnTo = useRef<string | null>(null);
  const stops = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])];

  useLayoutEffect(() => {
    const all = stops();
    if (!all.some(({ dataset }) => dataset.stop === current)) setCurrent(all[0]?.dataset.stop ?? '');
    // The list of changes may have changed since editing began.
    if (editing !== null && !all.some(({ dataset }) => dataset.stop === editing)) model.edit(review, null);
    if (editing !== null || returnTo.current === null) return;
    all.find(({ dataset }) => dataset.stop === returnTo.current)?.focus();
    returnTo.current = null;
  });

  const edit = (stop: string | null): void => {
    if (stop === null) returnTo.current = editing;
    // A second editor would discard what is written in the first.
    else if (editing !== null) return;
    model.edit(review, stop);
  };
  const move = (from: HTMLElement, by: number | 'first' | 'last'): void => {
    const all = stops();
    const index = by === 'first' ? 0 : by === 'last' ? all.length - 1 : all.indexOf(from) + by;
    const next = all[index];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };

  /** Acts on a key; returns false for a key that means nothing here. */
  const act = (key: string, stop: HTMLElement, change: ReviewedChange): boolean => {
    const step = steps[key];
    if (step !== undefined) move(stop, step);
    else if (key === 'Home' || key === 'End') move(stop, key === 'Home' ? 'first' : 'last');
    else if (key === 'o') model.fold(review, change, !model.isOpen(review, change));
    else if (isWaiting(review)) return decide(key, stop, change);
    else if (key === 'u') void takeBack(change);
    else return false;
    return true;
  };
  /** Acts on a key in a review that waits for the user; returns false for a key that means nothing there. */
  const decide = (key: string, stop: HTMLElement, change: ReviewedChange): boolean => {
    switch (key) {
      case 'a':
      case 'r': {
        const name = nameOf(stop);
        model.decide(change.change.id, partOf(stop.dataset.part ?? ''), key === 'a', name);
        return true;
      }
      case 'w':
        stop.closest('.docent-review-change')?.querySelector<HTMLElement>('.docent-review-why')?.focus();
        return true;
      case 'e':
        return startEdit(stop, change);
      case 'Enter':
        void model.apply();
        return true;
      default:
        return false;
    }
  };
  const takeBack = ({ state, change }: ReviewedChange): Promise<void> | undefined => {
    if (state === 'applied') return model.undo(review.id, change.id);
    return state === 'undone' ? model.redo(review.id, change.id) : undefined;
  };
  const startEdit = ({ dataset }: HTMLElement, change: ReviewedChange): boolean => {
    if (dataset.editable === undefined) return false;
    model.fold(review, change, true);
    edit(dataset.stop ?? null);
    return true;
  };

  return {
    root,
    current,
    editing,
    edit,
    focusFirst: () => {
      const first = stops()[0];
      first?.scrollIntoView({ block: 'start' });
      first?.focus({ preventScroll: true });
    },
    hasKeys,
    onFocusIn: ({ target }) => {
      const element = target as HTMLElement;
      const stop = element.closest<HTMLElement>(selector)?.dataset.stop;
      if (stop !== undefined && stop !== current) setCurrent(stop);
      // Under a mouse that is pressed, a line more would move what it is on.
      if (element.matches(':focus-visible')) setHasKeys(true);
    },
    onFocusOut: ({ relatedTarget }) => {
      if (root.current?.contains(relatedTarget as Node | null) !== true) setHasKeys(false);
    },
    onKeyDown: (event) => {
      const target = event.target as HTMLElement;
      const stop = target.closest<HTMLElement>(selector);
      if (stop === null || event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
      // A key that is held moves on, but acts once: it would undo and redo a note until it is let go.
      if (event.repeat && steps[event.key] === undefined) return;
      // A focused button or check box handles these keys itself.
      if (target !== stop && (event.key === 'Enter' || event.key === ' ')) return;
      const change = review.changes.find((each) => each.change.id === stop.dataset.change);
      if (change === undefined || !act(event.key, stop, change)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

function partOf(part: string): DecisionPart {
  return part === 'all' || part === 'move' ? part : { hunk: Number(part) };
}

function isTyping(element: HTMLElement): boolean {
  return element.matches('textarea, input:not([type=checkbox]), [contenteditable=true]');
}

/** Returns the keys that the legend names. */
export function legendOf(review: Review): readonly (readonly [keys: readonly string[], does: string])[] {
  const { keys } = words.review;
  const move = [keys.move, keys.moveWords] as const;
  const open = [['o'], keys.open] as const;
  if (!isWaiting(review)) return [move, open, [['u'], keys.undo]];
  return [
    move,
    [['a'], keys.accept],
    [['r'], keys.reject],
    [['w'], keys.why],
    [['e'], keys.edit],
    open,
    [[keys.enter], keys.apply],
  ];
}

export interface ReviewScene {
  readonly review: Review;
  readonly model: ReviewState;
  /** The stop that the Tab key leads to; the arrow keys move it. */
  readonly current: string;
  /** The stop whose text is being edited; null for none. */
  readonly editing: string | null;
  readonly edit: (stop: string | null) => void;
  readonly openNote: (path: string) => void;
  readonly send: (text: string) => void;
}

const SceneContext = createContext<ReviewScene | null>(null);

export const ReviewSceneProvider = SceneContext.Provider;

export function useScene(): ReviewScene {
  const scene = useContext(SceneContext);
  if (scene === null) throw new Error('Drawn outside a review.');
  return scene;
}

/** Attributes that the key handler reads from the focused stop. */
export function focusProps(scene: ReviewScene, change: string, part: 'all' | 'move' | number) {
  const stop = stopOf(change, part);
  return {
    'data-stop': stop,
    'data-change': change,
    'data-part': String(part),
    tabIndex: scene.current === stop ? 0 : -1,
  };
}

export function stopOf(change: string, part: 'all' | 'move' | number): string {
  return `${change}/${part}`;
}
