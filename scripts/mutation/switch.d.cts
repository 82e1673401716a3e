/** Types of switch.cjs, for its tests. */
import type { Site } from './sites.mjs';

export function applySite(text: string, site: Site): string;
export function weave(text: string, sites: readonly (Site & { readonly number: number })[]): string;
export function weaveFile(text: string, file: string): string;
