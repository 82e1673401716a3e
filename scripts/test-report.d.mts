/** Types of test-report.mjs, for its tests. */
export interface SuiteCounts {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
  readonly share: number;
}

export function readSuites(
  report: object,
  names: readonly string[],
  options?: { emptyIsFine?: boolean },
): SuiteCounts[];
export function secondTries(
  report: object,
): { readonly fullName: string; readonly status: string; readonly reason: string }[];
export function failedTests(report: object): string[];
export function reportTimes(
  target: string,
  run: {
    readonly start: number;
    readonly phases: readonly { readonly name: string; readonly seconds: number }[];
    readonly reports: readonly object[];
  },
): Promise<void>;
