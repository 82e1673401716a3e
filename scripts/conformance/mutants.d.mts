/** Types of conformance-mutants.mjs, for its tests. */
import type { TestFile, Verdict } from './judge.mjs';

export interface Mutant {
  readonly id: string;
  /** Empty for an entry of a list that stands for no row. */
  readonly rows: readonly string[];
  /** Of an entry of a list: what the title of a test may call it by. */
  readonly names?: readonly string[];
  /** Of an entry: the name of its list in the sources. */
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
  options?: { readonly processes?: number; readonly tell?: (verdict: Verdict) => void },
): Promise<MutantReport>;
export function unguardedRows(tests: readonly TestFile[], mutants: readonly Mutant[]): string[];
export function printMutants(report: MutantReport): void;
