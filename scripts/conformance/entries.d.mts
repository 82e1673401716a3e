/** Types of entries.mjs, for its tests. */
import type { Mutant } from './mutants.mjs';

export type EntryMutant = Omit<Mutant, 'rows'>;

export function entryMutants(read?: (file: string) => string): EntryMutant[];
