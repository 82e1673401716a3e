/**
 * Returns the contract as one script for the developer console of a real Obsidian. The script defines the function
 * `observeVault(app)`, which works in a folder of its own and returns its observations as JSON.
 */
export function contractScript(): Promise<string>;

/** The observations of one case; undefined where the case did not run. */
export interface Difference {
  readonly name: string;
  readonly emulator: unknown;
  readonly recorded: unknown;
}

/** Returns the cases whose recorded observations differ from those of the emulator. */
export function compareObservations(recorded: Readonly<Record<string, unknown>>): Promise<Difference[]>;
