/** PackedRanks: an encoding as the build packs it (scripts/pack-ranks.mjs), and as it is once unpacked. */
import type { RankTable } from './rank-table';

export interface PackedRanks {
  /** The regular expression that cuts text into pieces, which are merged one by one. */
  readonly pattern: string;
  /** How many tokens there are. */
  readonly tokens: number;
  /** The tokens in the digits of a range coder. */
  readonly digits: string;
}

export interface Ranks {
  readonly pattern: string;
  /** A lower rank is merged earlier. */
  readonly table: RankTable;
}
