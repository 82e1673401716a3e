/** The one source of unpredictability: everything Obsidian does not promise is drawn from here. */

export interface Chaos {
  /** `null` is calm: every answer below is its plain default. */
  readonly seed: number | null;
  /** Milliseconds before listeners hear of a vault change; 0 calls them within the operation. */
  eventDelay(): number;
  /** The order in which the listeners of one event are called. */
  arrange<T>(listeners: T[]): T[];
  /** Milliseconds between a change and the start of its indexing. */
  indexDelay(): number;
  /** Milliseconds for which an editor keeps typed text in its buffer before saving it. */
  saveDelay(): number;
  /** When links to a renamed file follow: at once, after this many milliseconds, or never. */
  linkUpdate(): number | 'never';
  /** File times are multiples of this many milliseconds, so quick writes share one; 0 keeps them distinct. */
  readonly timeGrain: number;
  /** A simulated third-party plugin touches the `modified` property of a note after each save. */
  readonly rewritesOnSave: boolean;
  /** Deleting goes past every trash. */
  readonly permanentTrash: boolean;
  /** Restored background tabs hold a placeholder until they are shown. */
  readonly defersLeaves: boolean;
  /** Reverses the order between events about a folder and those about its content. */
  readonly reversesFolderEvents: boolean;
  /** `process` leaves the disk alone when the text comes back as it was. */
  readonly skipsUnchangedWrites: boolean;
  /** A number in [0, 1). */
  random(): number;
}

const CALM: Omit<Chaos, 'seed'> = {
  eventDelay: () => 0,
  arrange: (listeners) => listeners,
  indexDelay: () => 4,
  saveDelay: () => 2000,
  linkUpdate: () => 0,
  timeGrain: 0,
  rewritesOnSave: false,
  permanentTrash: false,
  defersLeaves: true,
  reversesFolderEvents: false,
  skipsUnchangedWrites: false,
  random: () => 0,
};

export function createChaos(seed: number | null): Chaos {
  if (seed === null) return { ...CALM, seed };
  const random = createRandom(seed);
  const chance = (probability: number): boolean => random() < probability;
  const upTo = (limit: number): number => Math.floor(random() * (limit + 1));
  const linkUpdates = (['now', 'late', 'never'] as const)[upTo(2)];
  return {
    seed,
    random,
    timeGrain: [0, 1000, 2000][upTo(2)] ?? 0,
    rewritesOnSave: chance(0.5),
    permanentTrash: chance(0.3),
    defersLeaves: chance(0.5),
    reversesFolderEvents: chance(0.5),
    skipsUnchangedWrites: chance(0.5),
    eventDelay: () => upTo(50),
    // Most indexing is quick; one change in five takes up to two seconds.
    indexDelay: () => (chance(0.2) ? upTo(2000) : upTo(50)),
    saveDelay: () => upTo(2000),
    linkUpdate: () => (linkUpdates === 'never' ? 'never' : linkUpdates === 'late' ? upTo(1500) : 0),
    arrange: (listeners) => {
      const mixed = [...listeners];
      for (let index = mixed.length - 1; index > 0; index--) {
        const other = upTo(index);
        [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
      }
      return mixed;
    },
  };
}

/** A small generator with 32 bits of state; the same seed gives the same sequence on every machine. */
export function createRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
