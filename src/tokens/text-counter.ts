/** TextCounter: counts texts exactly without holding up the screen, wherever the work is done. */
import type { PackedRanks } from './packed-ranks';

export interface TextCounter {
  /** One number a text, in order; null for a text that cannot be counted. Rejects when the counter is of no use. */
  count(texts: readonly string[]): Promise<readonly (number | null)[]>;
  close(): void;
}

export interface CountingParts {
  /** What the build leaves in main.js for counting; not touched before the first count. */
  readonly ranks: () => PackedRanks;
  /** The code of a worker that runs `serveCounts`. */
  readonly workerCode: () => string;
  /** Acts once after that many milliseconds unless the returned function is called before. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
}
