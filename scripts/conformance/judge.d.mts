/** Types of judge.mjs, for its tests. */
import type { Mutant } from './mutants.mjs';

export interface TestFile {
  readonly file: string;
  readonly text: string;
}

export interface Verdict {
  readonly id: string;
  readonly rows: readonly string[];
  readonly killed: boolean;
  /** Full names of the tests that noticed. */
  readonly by: readonly string[];
  /** The outcome of a survivor's tests. */
  readonly why?: string;
}

export function readTests(): Promise<TestFile[]>;
type Judged = Pick<Mutant, 'id' | 'rows' | 'names' | 'array'>;

export function keysOf(mutant: Pick<Mutant, 'rows' | 'names'>): readonly string[];
export function namesKey(text: string, keys: readonly string[]): boolean;
export function judge(mutant: Judged, report: object | null, failedBefore?: ReadonlySet<string>): Verdict;
