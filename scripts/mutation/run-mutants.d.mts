/** Types of run-mutants.mjs, for its tests. */
export interface FileResult {
  readonly file: string;
  readonly passed: boolean;
  readonly failures: readonly { readonly name: string; readonly milliseconds: number; readonly timedOut: boolean }[];
}

export interface KnownFile {
  readonly milliseconds: number;
  readonly text: string;
  /** By the full name of a test. */
  readonly durations: Readonly<Record<string, number>>;
}

export interface Verdict {
  readonly verdict: 'killed' | 'survived' | 'undecided';
  readonly by?: string;
  readonly why?: string;
  readonly file: string;
}

export function orderFiles(
  site: { readonly file: string },
  reaching: readonly string[],
  dry: { readonly known: ReadonlyMap<string, KnownFile>; readonly reached: ReadonlyMap<string, boolean> },
): string[];
export function judgeRun(
  run: { readonly files: readonly FileResult[]; readonly ranOut: boolean; readonly code: number | null },
  files: readonly string[],
  known: ReadonlyMap<string, KnownFile>,
): Verdict | null;
export function earlyEnd(run: {
  readonly files: readonly FileResult[];
  readonly ended: boolean;
  readonly ranOut: boolean;
  readonly code: number | null;
}): string | null;
