/** How a write that was cut off can be settled: what was there, what was to be, or what is there now. */
export type UnclearChoice = 'before' | 'after' | 'as-is';
