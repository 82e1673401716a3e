/** Types of bundle-node.mjs, for its tests. */
export function bundleNode(entry: string): Promise<string>;
export function stampOf(places: readonly string[]): string;
