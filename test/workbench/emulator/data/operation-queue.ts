/** Serialises work per path, and work on the structure (renames, removals) against everything. */
export class OperationQueue {
  private tails = new Map<string, Promise<unknown>>();
  private structure: Promise<unknown> = Promise.resolve();
  private readonly asked = new Map<string, number>();
  private structuresAsked = 0;

  /** Runs after everything asked before on the same path. */
  onPath<T>(path: string, work: () => Promise<T>): Promise<T> {
    this.asked.set(path, (this.asked.get(path) ?? 0) + 1);
    const before = this.tails.get(path) ?? this.structure;
    const result = before.then(work, work);
    const tail = result.then(ignore, ignore);
    this.tails.set(path, tail);
    void tail.then(() => {
      if (this.tails.get(path) === tail) this.tails.delete(path);
    });
    return result;
  }

  /** Runs after everything asked before, and before everything asked after. */
  onStructure<T>(work: () => Promise<T>): Promise<T> {
    this.structuresAsked += 1;
    const before = Promise.all([this.structure, ...this.tails.values()]);
    const result = before.then(work, work);
    this.structure = result.then(ignore, ignore);
    this.tails.clear();
    return result;
  }

  /** Resolves once everything asked so far on the path is done. */
  async settled(path: string): Promise<void> {
    await (this.tails.get(path) ?? this.structure);
  }

  /** Grows with everything asked that may change the path: what was read at another revision may be old. */
  revision(path: string): number {
    return this.structuresAsked + (this.asked.get(path) ?? 0);
  }
}

const ignore = (): void => {};
