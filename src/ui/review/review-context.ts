/** ReviewContext: what the parts of a review card share. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Review } from '../../core/writing/review/review';
import type { ReviewModel } from '../state/review-state';

export interface ReviewScene {
  readonly review: Review;
  readonly model: ReviewModel;
  /** The stop that the Tab key leads to; the arrow keys move it. */
  readonly current: string;
  /** The stop whose text is being edited. */
  readonly editing: string | null;
  readonly edit: (stop: string | null) => void;
  readonly openNote: (path: string) => void;
}

const SceneContext = createContext<ReviewScene | null>(null);

export const ReviewSceneProvider = SceneContext.Provider;

export function useScene(): ReviewScene {
  const scene = useContext(SceneContext);
  if (scene === null) throw new Error('Drawn outside a review.');
  return scene;
}

/** What the keys of the card read at the stop that has the focus. */
export function stopProps(scene: ReviewScene, change: string, part: 'all' | 'move' | number) {
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
