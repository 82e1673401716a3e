/** Serialises work per path, and work on the structure (renames, removals) against everything. */
export class OperationQueue {
  private tails = new Map<string, Promise<unknown>>();
  private structure: Promise<unknown> = Promise.resolve();
  private running = 0;
  private asked = 0;
  private lastStructure = 0;
  private readonly lastOnPath = new Map<string, number>();

  /** Runs after everything asked before on the same path. */
  onPath<T>(path: string, work: () => Promise<T>): Promise<T> {
    this.lastOnPath.set(path, ++this.asked);
    const before = this.lastAsked(path);
    const result = before.then(work, work);
    const tail = this.follow(result);
    this.tails.set(path, tail);
    void tail.then(() => {
      if (this.tails.get(path) === tail) this.tails.delete(path);
    });
    return result;
  }

  /** Runs after everything asked before, and before everything asked after. */
  onStructure<T>(work: () => Promise<T>): Promise<T> {
    this.lastStructure = ++this.asked;
    const before = Promise.all([this.structure, ...this.tails.values()]);
    const result = before.then(work, work);
    this.structure = this.follow(result);
    this.tails.clear();
    return result;
  }

  private follow(result: Promise<unknown>): Promise<unknown> {
    this.running += 1;
    const done = (): void => void (this.running -= 1);
    return result.then(done, done);
  }

  /** What was seen of a path while nothing that may change it was under way, and the mark of that moment. */
  async lookAtRest<T>(path: string, look: () => Promise<T>): Promise<{ seen: T; mark: number }> {
    for (;;) {
      const last = this.lastAsked(path);
      await last;
      if (last !== this.lastAsked(path)) continue;
      const mark = this.mark();
      const seen = await look();
      if (!this.changedSince(mark, path)) return { seen, mark };
    }
  }

  private lastAsked(path: string): Promise<unknown> {
    return this.tails.get(path) ?? this.structure;
  }

  /** The mark of a moment when nothing at all is under way. By the time it arrives, something may have been asked. */
  async quiet(): Promise<number> {
    while (this.running > 0) await Promise.all([this.structure, ...this.tails.values()]);
    return this.mark();
  }

  /** Grows with everything asked; take one before looking at the disk. */
  mark(): number {
    return this.asked;
  }

  /** Whether something was asked since the mark that may have changed the path. */
  changedSince(mark: number, path: string): boolean {
    return Math.max(this.lastStructure, this.lastOnPath.get(path) ?? 0) > mark;
  }
}
