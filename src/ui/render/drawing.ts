/** What the writers of one block share. */
import type { Token } from 'marked';
import type { RenderContext } from './render-context';

export interface InlinePlace {
  readonly depth: number;
  /** Links do not nest: inside one, other links and images are words. */
  readonly insideLink: boolean;
}

export interface Drawing {
  readonly context: RenderContext;
  /** Tokens of inline text. */
  readonly inline: (text: string) => Token[];
  /** Highlighting, which waits until the block is finished. */
  readonly afterwards: (() => void)[];
}

/** Writes the words of a link into its element. */
export type WriteLabel = (element: HTMLElement) => void;
