/** Types of conformance-rows.mjs, for its tests. */
export interface TestOutcome {
  readonly name: string;
  readonly passed: boolean;
}

export interface Conformance {
  readonly rows: Readonly<Record<string, { readonly tests: readonly string[]; readonly passed: boolean }>>;
  readonly missing: readonly string[];
}

export function rowsOfTable(markdown: string): string[];
export function testsOf(report: object): TestOutcome[];
export function addUpRows(known: readonly string[], tests: readonly TestOutcome[]): Conformance;
export function rowsNamedIn(text: string): string[];
