/**
 * The contract as one script for the developer console of a real Obsidian. It leaves the function `observeVault(app)`,
 * which works in a folder of its own and answers with its observations as JSON.
 */
export function contractScript(): Promise<string>;

/** What one case saw in the emulator and where it was recorded; undefined where it did not run. */
export interface Difference {
  readonly name: string;
  readonly emulator: unknown;
  readonly recorded: unknown;
}

/** The cases whose observations are not the emulator's. */
export function compareObservations(recorded: Readonly<Record<string, unknown>>): Promise<Difference[]>;
