/** Types of mutants.mjs, for its tests. */
import type { TestFile, Verdict } from './judge.mjs';

export interface Mutant {
  readonly id: string;
  /** Empty for a list entry without a row. */
  readonly rows: readonly string[];
  /** For a list entry: the names that a test's title may use. */
  readonly names?: readonly string[];
  /** For a list entry: the name of its list in the sources. */
  readonly array?: string;
  readonly file: string;
  readonly append?: string;
  readonly find?: string;
  readonly replace?: string;
}

export interface MutantReport {
  readonly mutants: readonly Verdict[];
  readonly survivors: readonly string[];
  readonly unguarded: readonly string[];
}

export function allMutants(): Mutant[];
export function chooseMutants(
  mutants: readonly Mutant[],
  options?: { readonly only?: string; readonly sample?: number; readonly seed?: string },
): Mutant[];
export function checkMutants(mutants: readonly Mutant[]): Promise<void>;
export function runMutants(
  mutants: readonly Mutant[],
  options?: { readonly processes?: number; readonly report?: (verdict: Verdict) => void },
): Promise<MutantReport>;
export function unguardedRows(tests: readonly TestFile[], mutants: readonly Mutant[]): string[];
export function printMutants(report: MutantReport): void;
