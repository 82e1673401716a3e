/**
 * RankTable: maps the bytes of an encoding's tokens to ranks, in flat arrays, which fill three times as fast as a map
 * of strings.
 */

/** The rank of bytes that are not a token. */
export const unmerged = 0x7fffffff;

/** Average bytes per token for the initial size; the array grows if needed. */
const usualBytes = 8;

export class RankTable {
  /** Tokens so far. */
  size = 0;
  /** Bytes in the longest token. */
  maxTokenLength = 1;
  /** All tokens in sequence, and the start of each; the last start is the end. */
  private bytes: Uint8Array;
  private readonly starts: Int32Array;
  /** Ranks plus one, by the hash of their bytes; a collision uses the next free slot. */
  private readonly slots: Int32Array;

  /** @param maxTokens how many tokens will be added */
  constructor(maxTokens: number) {
    this.bytes = new Uint8Array(maxTokens * usualBytes);
    this.starts = new Int32Array(maxTokens + 1);
    // At least twice as many slots as tokens, so that few collide.
    this.slots = new Int32Array(2 ** (33 - Math.clz32(maxTokens)));
  }

  /** Adds the next rank for one byte. */
  addByte(byte: number): void {
    const start = this.starts[this.size] ?? 0;
    this.reserve(start + 1);
    this.bytes[start] = byte;
    this.add(start, start + 1);
  }

  /** Adds the next rank for the joined bytes of two lower ranks. */
  addPair(first: number, second: number): void {
    const start = this.starts[this.size] ?? 0;
    this.reserve(start + 2 * this.maxTokenLength);
    this.add(start, this.copy(second, this.copy(first, start)));
  }

  /** Returns the rank of the bytes from start to end, or `unmerged`. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.maxTokenLength) return unmerged;
    const mask = this.slots.length - 1;
    for (let slot = hash(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const rank = (this.slots[slot] ?? 0) - 1;
      if (rank < 0) return unmerged;
      const from = this.starts[rank] ?? 0;
      if ((this.starts[rank + 1] ?? 0) - from === length && this.isAt(from, bytes, start, end)) return rank;
    }
  }

  private isAt(from: number, bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.bytes[from + at - start] !== bytes[at]) return false;
    return true;
  }

  /** Copies the bytes of a token and returns their end. */
  private copy(rank: number, to: number): number {
    const { bytes } = this;
    const end = this.starts[rank + 1] ?? 0;
    let at = to;
    for (let from = this.starts[rank] ?? 0; from < end; from += 1) bytes[at++] = bytes[from] ?? 0;
    return at;
  }

  private add(start: number, end: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash(this.bytes, start, end) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    this.size += 1;
    slots[slot] = this.size;
    this.starts[this.size] = end;
    this.maxTokenLength = Math.max(this.maxTokenLength, end - start);
  }

  private reserve(end: number): void {
    if (end <= this.bytes.length) return;
    const longer = new Uint8Array(2 * end);
    longer.set(this.bytes);
    this.bytes = longer;
  }
}

/** FNV-1a, with its high bits mixed into the low ones, which select the slot. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
