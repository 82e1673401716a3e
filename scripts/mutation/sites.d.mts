/** Types of sites.mjs, for its tests. */
export interface Site {
  /** Stays the same when the file changes elsewhere. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly form: 'expression' | 'statement' | 'member';
}

export function findSites(file: string, text: string): Site[];
export function drawSites(sites: readonly Site[], sample: number, seed: string): Site[];
export function parses(file: string, text: string): boolean;
