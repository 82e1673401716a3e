import type { Cut } from '../../scripts/build/weave-defences.mjs';
import type { Tries } from './rows/row';

export interface Defence {
  readonly id: string;
  /** What it does, in words for people. */
  readonly words: string;
  readonly cuts: readonly Cut[];
  /** The row that has effects without it. */
  readonly row: string;
  /** The part of the row that does. */
  readonly tries: Tries;
}

export const defences: readonly Defence[];
