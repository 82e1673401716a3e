/** Types of entries.mjs, for the tests. */
export const rowsOfEntries: Readonly<Record<string, readonly string[]>>;
export const unreachableEntries: Readonly<Record<string, string>>;
