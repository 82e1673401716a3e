/** PackedRanks: an encoding as the build packs it (scripts/pack-ranks.mjs), and as it is once unpacked. */

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
  /** By the token's bytes, a character each; a lower rank is merged earlier. */
  readonly rankOf: ReadonlyMap<string, number>;
  /** Bytes in the longest token. */
  readonly longest: number;
}
