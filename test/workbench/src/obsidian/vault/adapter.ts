/** What every emulated DataAdapter shares: text coding, queueing, change reports and Unicode names. */
import type { DataAdapter, DataWriteOptions, ListedFiles, Stat } from 'obsidian';
import { normalizeName } from '../base/text';
import { getParentPath, ROOT } from './file-tree';
import { OperationQueue } from './operation-queue';
import { createSlicer } from './slicing';

export interface ListedEntry extends Stat {
  path: string;
}

/** What an adapter did to the disk on behalf of its own caller. */
export type AdapterChange =
  | { kind: 'written' | 'folder'; path: string; stat: Stat }
  | { kind: 'removed'; path: string }
  | { kind: 'renamed'; from: string; to: string };

const encoder = new TextEncoder();
/** The byte order mark stays in the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);
export const decodeText = (bytes: Uint8Array | ArrayBuffer): string => decoder.decode(bytes);
/** The caller may reuse its buffer while the write waits in the queue. */
const copyBytes = (data: ArrayBuffer): Uint8Array => new Uint8Array(data.slice(0));

export class MissingFileError extends Error {
  readonly code = 'ENOENT';
  constructor(operation: string, path: string) {
    super(`ENOENT: no such file or directory, ${operation} '${path}'`);
  }
}

/** Subclasses give the raw operations; their paths are the names as the disk spells them. */
export abstract class EmulatedAdapter implements DataAdapter {
  /** File times are rounded down to a multiple of this; see `Chaos.timeGrain`. */
  timeGrain = 0;
  /** See `Chaos.skipsUnchangedWrites`. */
  skipsUnchangedWrites = false;
  private queue = new OperationQueue();
  private observers = new Set<(change: AdapterChange) => void>();
  /** Names on disk that differ from their normalised form. */
  private spellings = new Map<string, string>();

  abstract getName(): string;
  protected abstract statRaw(path: string): Promise<Stat | null>;
  /** The direct children of a folder, with the root as ''. */
  protected abstract listRaw(path: string): Promise<ListedEntry[]>;
  /** Everything below a folder at any depth. */
  protected abstract listTreeRaw(path: string): Promise<ListedEntry[]>;
  protected abstract readRaw(path: string): Promise<Uint8Array<ArrayBuffer>>;
  protected abstract writeRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat>;
  protected abstract appendRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat>;
  protected abstract mkdirRaw(path: string): Promise<Stat>;
  protected abstract removeRaw(path: string, recursive: boolean): Promise<void>;
  protected abstract renameRaw(from: string, to: string): Promise<void>;
  protected abstract copyRaw(from: string, to: string): Promise<Stat>;
  protected abstract trashRaw(path: string, mode: 'system' | 'local'): Promise<boolean>;
  protected abstract getResourcePathRaw(path: string): string;

  /** Hears of changes made through this adapter; outside changes come to the Vault by `reconcile`. */
  observe(observer: (change: AdapterChange) => void): () => void {
    this.observers.add(observer);
    return () => void this.observers.delete(observer);
  }

  /** What is asked of this adapter, for those who compare the disk with what they know. */
  get operations(): Pick<OperationQueue, 'lookAtRest' | 'quiet' | 'mark' | 'changedSince'> {
    return this.queue;
  }

  async exists(normalizedPath: string, _sensitive?: boolean): Promise<boolean> {
    return (await this.stat(normalizedPath)) !== null;
  }

  stat(normalizedPath: string): Promise<Stat | null> {
    return this.statRaw(this.spell(normalizedPath));
  }

  async list(normalizedPath: string): Promise<ListedFiles> {
    const raw = this.spell(normalizedPath);
    await this.requireFolder(raw, 'scandir', normalizedPath);
    const entries = await this.learn(await this.listRaw(raw));
    const pick = (type: Stat['type']): string[] =>
      entries.filter((entry) => entry.type === type).map(({ path }) => path);
    return { files: pick('file'), folders: pick('folder') };
  }

  async listTree(normalizedPath: string): Promise<ListedEntry[]> {
    return this.learn(await this.listTreeRaw(this.spell(normalizedPath)));
  }

  async read(normalizedPath: string): Promise<string> {
    return decodeText(await this.readRaw(this.spell(normalizedPath)));
  }

  async readBinary(normalizedPath: string): Promise<ArrayBuffer> {
    return (await this.readRaw(this.spell(normalizedPath))).slice().buffer;
  }

  write(normalizedPath: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.storeBytes('writeRaw', normalizedPath, encodeText(data), options);
  }

  writeBinary(normalizedPath: string, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.storeBytes('writeRaw', normalizedPath, copyBytes(data), options);
  }

  append(normalizedPath: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.storeBytes('appendRaw', normalizedPath, encodeText(data), options);
  }

  appendBinary(normalizedPath: string, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.storeBytes('appendRaw', normalizedPath, copyBytes(data), options);
  }

  async process(normalizedPath: string, fn: (data: string) => string, options?: DataWriteOptions): Promise<string> {
    let text = '';
    await this.change(normalizedPath, async (path) => {
      const before = decodeText(await this.readRaw(path));
      text = fn(before);
      if (text === before && this.skipsUnchangedWrites) return null;
      return this.writeRaw(path, encodeText(text), options);
    });
    return text;
  }

  getResourcePath(normalizedPath: string): string {
    return this.getResourcePathRaw(this.spell(normalizedPath));
  }

  /** Missing parents are made as well; making a folder that exists changes nothing. */
  mkdir(normalizedPath: string): Promise<void> {
    return this.queue.onStructure(async () => {
      const missing: string[] = [];
      for (let path = normalizedPath; path !== ROOT && path !== ''; path = getParentPath(path)) {
        const stat = await this.statRaw(this.spell(path));
        if (stat?.type === 'file') throw new Error(`EEXIST: file already exists, mkdir '${path}'`);
        if (stat) break;
        missing.unshift(path);
      }
      for (const path of missing) this.report({ kind: 'folder', path, stat: await this.mkdirRaw(this.spell(path)) });
    });
  }

  trashSystem(normalizedPath: string): Promise<boolean> {
    return this.trash(normalizedPath, 'system');
  }

  async trashLocal(normalizedPath: string): Promise<void> {
    await this.trash(normalizedPath, 'local');
  }

  rmdir(normalizedPath: string, recursive: boolean): Promise<void> {
    return this.queue.onStructure(async () => {
      const path = this.spell(normalizedPath);
      if ((await this.statRaw(path))?.type !== 'folder') throw new MissingFileError('rmdir', normalizedPath);
      if (!recursive && (await this.listRaw(path)).length) {
        throw new Error(`ENOTEMPTY: directory not empty, rmdir '${normalizedPath}'`);
      }
      await this.removeRaw(path, recursive);
      this.report({ kind: 'removed', path: normalizedPath });
    });
  }

  remove(normalizedPath: string): Promise<void> {
    return this.queue.onStructure(async () => {
      const path = this.spell(normalizedPath);
      const stat = await this.statRaw(path);
      if (!stat) throw new MissingFileError('unlink', normalizedPath);
      if (stat.type === 'folder') throw new Error(`EPERM: operation not permitted, unlink '${normalizedPath}'`);
      await this.removeRaw(path, false);
      this.report({ kind: 'removed', path: normalizedPath });
    });
  }

  rename(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    return this.queue.onStructure(async () => {
      if (normalizedPath === normalizedNewPath) return;
      const [from, to] = [this.spell(normalizedPath), this.spell(normalizedNewPath)];
      const stat = await this.statRaw(from);
      if (!stat) throw new MissingFileError('rename', normalizedPath);
      const other = await this.statRaw(to);
      // Where letter case makes no difference, the new spelling already finds the file itself.
      const itself = from.toLowerCase() === to.toLowerCase() && JSON.stringify(other) === JSON.stringify(stat);
      if (other && !itself) throw new Error('Destination file already exists!');
      await this.requireParent(normalizedNewPath, 'rename');
      await this.renameRaw(from, to);
      this.forgetSpelling(normalizedPath);
      this.report({ kind: 'renamed', from: normalizedPath, to: normalizedNewPath });
    });
  }

  copy(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    return this.queue.onStructure(async () => {
      const [from, to] = [this.spell(normalizedPath), this.spell(normalizedNewPath)];
      if (!(await this.statRaw(from))) throw new MissingFileError('copyfile', normalizedPath);
      if (await this.statRaw(to)) throw new Error('Destination file already exists!');
      await this.requireParent(normalizedNewPath, 'copyfile');
      this.report({ kind: 'written', path: normalizedNewPath, stat: await this.copyRaw(from, to) });
    });
  }

  protected roundTime(time: number): number {
    return this.timeGrain > 0 ? Math.floor(time / this.timeGrain) * this.timeGrain : time;
  }

  private storeBytes(
    operation: 'writeRaw' | 'appendRaw',
    path: string,
    bytes: Uint8Array,
    options?: DataWriteOptions,
  ): Promise<void> {
    return this.change(path, (rawPath) => this[operation](rawPath, bytes, options));
  }

  private change(path: string, work: (rawPath: string) => Promise<Stat | null>): Promise<void> {
    return this.queue.onPath(path, async () => {
      await this.requireParent(path, 'open');
      const stat = await work(this.spell(path));
      if (stat) this.report({ kind: 'written', path, stat });
    });
  }

  private trash(path: string, mode: 'system' | 'local'): Promise<boolean> {
    return this.queue.onStructure(async () => {
      if (!(await this.statRaw(this.spell(path)))) throw new MissingFileError('trash', path);
      const done = await this.trashRaw(this.spell(path), mode);
      if (done) this.report({ kind: 'removed', path });
      return done;
    });
  }

  private requireParent(path: string, operation: string): Promise<void> {
    return this.requireFolder(this.spell(getParentPath(path)), operation, path);
  }

  /** @throws unless the folder is there; a disk that says so of each operation itself needs no question before it */
  protected async requireFolder(rawPath: string, operation: string, asked: string): Promise<void> {
    if (rawPath !== '' && (await this.statRaw(rawPath))?.type !== 'folder')
      throw new MissingFileError(operation, asked);
  }

  private report(change: AdapterChange): void {
    for (const observer of this.observers) observer(change);
  }

  private spell(path: string): string {
    if (path === ROOT || path === '') return '';
    if (this.spellings.size === 0) return path;
    const known = this.spellings.get(path);
    if (known !== undefined) return known;
    const parent = this.spell(getParentPath(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    return parent === '' ? name : `${parent}/${name}`;
  }

  private async learn(entries: ListedEntry[]): Promise<ListedEntry[]> {
    const pause = createSlicer();
    for (const entry of entries) {
      const turn = pause();
      if (turn) await turn;
      const path = normalizeName(entry.path);
      if (path === entry.path) continue;
      this.spellings.set(path, entry.path);
      entry.path = path;
    }
    return entries;
  }

  private forgetSpelling(path: string): void {
    for (const known of [...this.spellings.keys()]) {
      if (known === path || known.startsWith(`${path}/`)) this.spellings.delete(known);
    }
  }
}
