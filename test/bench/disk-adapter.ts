/** A vault in a real folder, read in place: what is written stays in memory, and the folder is never touched. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataWriteOptions, Stat } from 'obsidian';
import { EmulatedAdapter, type ListedEntry, MemoryAdapter, MissingFileError } from 'obsidian-workbench/jest';
import { listVault, readEntryStat } from 'obsidian-workbench/server';

export class DiskAdapter extends EmulatedAdapter {
  private readonly written = new MemoryAdapter();

  /** @param folder the vault's real path */
  constructor(private readonly folder: string) {
    super();
  }

  getName(): string {
    return path.basename(this.folder);
  }

  protected async statRaw(file: string): Promise<Stat | null> {
    return (await this.written.stat(file)) ?? readEntryStat(path.join(this.folder, file));
  }

  protected async listRaw(folder: string): Promise<ListedEntry[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const entries = await this.listTreeRaw(folder);
    return entries.filter((entry) => !entry.path.slice(prefix.length).includes('/'));
  }

  protected async listTreeRaw(folder: string): Promise<ListedEntry[]> {
    const onDisk = await listVault(this.folder, folder).catch(() => []);
    const inMemory = await this.written.listTree(folder).catch(() => []);
    return [...new Map([...onDisk, ...inMemory].map((entry) => [entry.path, entry])).values()];
  }

  protected async readRaw(file: string): Promise<Uint8Array<ArrayBuffer>> {
    const held = await this.written.stat(file);
    if (held?.type === 'file') return new Uint8Array(await this.written.readBinary(file));
    try {
      return new Uint8Array(await readFile(path.join(this.folder, file)));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') throw new MissingFileError('open', file);
      throw thrown;
    }
  }

  protected async writeRaw(file: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    this.written.writeOutside(file, bytes, options);
    return (await this.written.stat(file)) as Stat;
  }

  protected async appendRaw(file: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    const before = await this.readRaw(file).catch(() => new Uint8Array());
    return this.writeRaw(file, Buffer.concat([before, bytes]), options);
  }

  protected async mkdirRaw(folder: string): Promise<Stat> {
    this.written.mkdirOutside(folder);
    return (await this.written.stat(folder)) as Stat;
  }

  protected removeRaw(file: string): Promise<void> {
    return this.refuse(file);
  }

  protected renameRaw(from: string): Promise<void> {
    return this.refuse(from);
  }

  protected copyRaw(from: string): Promise<Stat> {
    return this.refuse(from);
  }

  protected trashRaw(file: string): Promise<boolean> {
    return this.refuse(file);
  }

  protected getResourcePathRaw(file: string): string {
    return `app://disk/${file}`;
  }

  private async refuse(file: string): Promise<never> {
    throw new Error(`EROFS: this vault is only read, '${file}'`);
  }
}
