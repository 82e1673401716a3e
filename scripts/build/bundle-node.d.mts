/** Types of bundle-node.mjs, for its tests. */
import type { BuildOptions } from 'esbuild';

export const forNode: BuildOptions;
export function bundleNode(entry: string): Promise<string>;
export function stampOf(places: readonly string[]): string;
