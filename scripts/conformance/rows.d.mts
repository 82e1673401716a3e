/** Types of rows.mjs, for its tests and those of the browser. */
export type Reach = 'request' | 'dom' | 'disk' | 'build';

export interface TestOutcome {
  readonly name: string;
  readonly passed: boolean;
  readonly file: string | null;
}

export interface RowOutcome {
  readonly tests: readonly string[];
  readonly passed: boolean;
  readonly reach: Reach | null;
  readonly reaches: readonly Reach[];
}

export interface Conformance {
  readonly rows: Readonly<Record<string, RowOutcome>>;
  readonly missing: readonly string[];
}

export const reachKinds: readonly Reach[];
export function rowsOfTable(markdown: string): string[];
export function testsOf(report: object): TestOutcome[];
export function addUpRows(known: readonly string[], tests: readonly TestOutcome[]): Conformance;
export function mayClaim(file: string | null): boolean;
export function rowsNamedIn(text: string): string[];
export function claimsIn(text: string): string[];
export function isKnownClaim(claim: string): boolean;
