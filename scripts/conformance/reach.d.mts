/** Types of reach.mjs, for its tests. */
import type { Conformance } from './rows.mjs';

export interface MissingCompared {
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly failures: readonly string[];
}

export function readConformance(reports: readonly object[]): Promise<Conformance>;
export function readListedMissing(): Promise<string[]>;
export function compareMissing(missing: readonly string[], listed: readonly string[]): MissingCompared;
export function judgeReach(
  reports: readonly object[],
  output?: string,
): Promise<MissingCompared & { readonly conformance: Conformance }>;
