/** PairHeap: pairs of neighbours that wait to be merged, the lowest rank first, then from left to right. */

export class PairHeap {
  size = 0;
  private readonly keys: Float64Array;
  private readonly places: number;

  /** A merge takes one pair out and puts two in at most, and there are fewer merges than bytes. */
  constructor(bytes: number) {
    this.keys = new Float64Array(2 * bytes + 2);
    this.places = bytes + 1;
  }

  /** The rank of the first pair. */
  get rank(): number {
    return Math.floor((this.keys[0] ?? 0) / this.places);
  }

  /** Where the first pair starts. */
  get start(): number {
    return (this.keys[0] ?? 0) - this.rank * this.places;
  }

  push(rank: number, start: number): void {
    const { keys } = this;
    const key = rank * this.places + start;
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = keys[parent] ?? 0;
      if (other <= key) break;
      keys[at] = other;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the first pair out. */
  drop(): void {
    const { keys } = this;
    this.size -= 1;
    const { size } = this;
    const key = keys[size] ?? 0;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child += 1;
      const other = keys[child] ?? 0;
      if (other >= key) break;
      keys[at] = other;
      at = child;
    }
    keys[at] = key;
  }
}
