/** A vault in memory whose reads take a given time each, any number of them side by side. */
import { MemoryAdapter } from 'obsidian-workbench/jest';

export class SlowAdapter extends MemoryAdapter {
  /** Milliseconds. */
  readTime = 0;
  reads = 0;

  protected override async readRaw(path: string): Promise<Uint8Array<ArrayBuffer>> {
    this.reads += 1;
    if (this.readTime > 0) await new Promise((resolve) => setTimeout(resolve, this.readTime));
    return super.readRaw(path);
  }
}
