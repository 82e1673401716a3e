/** A vault held in memory, with snapshots, outside changes and faults for crash tests. */
import type { DataWriteOptions, Stat } from 'obsidian';
import { decodeText, EmulatedAdapter, encodeText, MissingFileError, type ListedEntry } from './adapter';
import { CrashError, type AdapterOperation, type FaultPlan, type Tear } from './faults';
import { createSlicer } from './slicing';

export * from './faults';

interface MemoryEntry extends Omit<Stat, 'size'> {
  bytes: Uint8Array<ArrayBuffer>;
}

export type MemorySnapshot = ReadonlyMap<string, Readonly<MemoryEntry>>;

export interface MemoryAdapterOptions {
  files?: Record<string, string | Uint8Array>;
  name?: string;
  now?: () => number;
  /** Whether the system has a trash that takes files. */
  systemTrash?: boolean;
}

const NOTHING = new Uint8Array(0);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export class MemoryAdapter extends EmulatedAdapter {
  /** What was moved to the system's trash, by its old path. */
  readonly trashed = new Map<string, Uint8Array>();
  private entries = new Map<string, MemoryEntry>();
  private children = new Map<string, Set<string>>([['', new Set()]]);
  private plan: FaultPlan | null = null;
  private count = 0;
  private latestTime = 0;
  private readonly options: Required<Omit<MemoryAdapterOptions, 'files'>>;

  constructor({ files = {}, name = 'Emulated vault', now = Date.now, systemTrash = true }: MemoryAdapterOptions = {}) {
    super();
    this.options = { name, now, systemTrash };
    for (const [path, data] of Object.entries(files)) this.writeOutside(path, data);
  }

  get fault(): FaultPlan | null {
    return this.plan;
  }

  set fault(plan: FaultPlan | null) {
    this.plan = plan;
    this.count = 0;
  }

  /** Operations asked for since the fault plan was last set. */
  get operationCount(): number {
    return this.count;
  }

  getName(): string {
    return this.options.name;
  }

  snapshot(): MemorySnapshot {
    return new Map([...this.entries].map(([path, entry]) => [path, { ...entry }]));
  }

  restore(snapshot: MemorySnapshot): void {
    this.entries.clear();
    this.children = new Map([['', new Set()]]);
    for (const [path, entry] of snapshot) this.put(path, { ...entry });
  }

  /** Changes the disk as another program would: nothing is reported. Missing folders are made. */
  writeOutside(path: string, data: string | Uint8Array, options: DataWriteOptions = {}): void {
    if (folderOf(path)) this.mkdirOutside(folderOf(path));
    this.store(path, typeof data === 'string' ? encodeText(data) : new Uint8Array(data), options);
  }

  mkdirOutside(path: string): void {
    if (this.entries.has(path)) return;
    if (folderOf(path)) this.mkdirOutside(folderOf(path));
    const time = this.tick();
    this.put(path, { type: 'folder', bytes: NOTHING, ctime: time, mtime: time });
  }

  removeOutside(path: string): void {
    for (const child of [...(this.children.get(path) ?? [])]) this.removeOutside(child);
    this.entries.delete(path);
    this.children.delete(path);
    this.children.get(folderOf(path))?.delete(path);
  }

  renameOutside(from: string, to: string): void {
    const entry = this.entries.get(from);
    if (!entry) throw new MissingFileError('rename', from);
    if (folderOf(to)) this.mkdirOutside(folderOf(to));
    const below = [...(this.children.get(from) ?? [])];
    this.put(to, entry);
    for (const child of below) this.renameOutside(child, to + child.slice(from.length));
    if (from !== to) this.removeOutside(from);
  }

  /** The text on the disk now, past every fault; undefined if there is no such file. */
  textAt(path: string): string | undefined {
    const entry = this.entries.get(path);
    return entry?.type === 'file' ? decodeText(entry.bytes) : undefined;
  }

  paths(): string[] {
    return [...this.entries.keys()];
  }

  override async stat(normalizedPath: string): Promise<Stat | null> {
    await this.strike('stat', normalizedPath);
    return super.stat(normalizedPath);
  }

  protected async statRaw(path: string): Promise<Stat | null> {
    if (path === '') return { type: 'folder', ctime: 0, mtime: 0, size: 0 };
    const entry = this.entries.get(path);
    return entry ? toStat(entry) : null;
  }

  protected async listRaw(path: string): Promise<ListedEntry[]> {
    await this.strike('list', path);
    return this.describe(this.children.get(path) ?? []);
  }

  protected async listTreeRaw(path: string): Promise<ListedEntry[]> {
    await this.strike('list', path);
    if (path === '') return this.describe(this.entries.keys());
    const below: string[] = [];
    const collect = (folder: string): void => {
      for (const child of this.children.get(folder) ?? []) {
        below.push(child);
        collect(child);
      }
    };
    collect(path);
    return this.describe(below);
  }

  protected async readRaw(path: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.strike('read', path);
    const entry = this.entries.get(path);
    if (entry?.type !== 'file') throw new MissingFileError('open', path);
    return entry.bytes;
  }

  protected async writeRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    await this.strike('write', path, (tear) => this.tearWrite(path, NOTHING, bytes, tear));
    return this.store(path, new Uint8Array(bytes), options);
  }

  protected async appendRaw(path: string, bytes: Uint8Array, options?: DataWriteOptions): Promise<Stat> {
    const before = this.entries.get(path)?.bytes ?? NOTHING;
    await this.strike('append', path, (tear) => this.tearWrite(path, before, bytes, tear));
    return this.store(path, join(before, bytes), options);
  }

  protected async mkdirRaw(path: string): Promise<Stat> {
    await this.strike(
      'mkdir',
      path,
      whenFull(() => this.mkdirOutside(path)),
    );
    this.mkdirOutside(path);
    return toStat(this.entries.get(path)!);
  }

  protected async removeRaw(path: string): Promise<void> {
    await this.strike(
      'remove',
      path,
      whenFull(() => this.removeOutside(path)),
    );
    this.removeOutside(path);
  }

  protected async renameRaw(from: string, to: string): Promise<void> {
    await this.strike(
      'rename',
      from,
      whenFull(() => this.renameOutside(from, to)),
    );
    this.renameOutside(from, to);
  }

  protected async copyRaw(from: string, to: string): Promise<Stat> {
    await this.strike(
      'copy',
      from,
      whenFull(() => this.copyOutside(from, to)),
    );
    this.copyOutside(from, to);
    return toStat(this.entries.get(to)!);
  }

  protected async trashRaw(path: string, mode: 'system' | 'local'): Promise<boolean> {
    if (mode === 'system' && !this.options.systemTrash) return false;
    const work = mode === 'system' ? () => this.moveToSystemTrash(path) : () => this.moveToLocalTrash(path);
    await this.strike('trash', path, whenFull(work));
    work();
    return true;
  }

  protected getResourcePathRaw(path: string): string {
    return `app://emulated/${path.split('/').map(encodeURIComponent).join('/')}`;
  }

  private async strike(operation: AdapterOperation, path: string, tearWith?: (tear: Tear) => void): Promise<void> {
    if (!this.plan) return;
    const fault = this.plan(operation, path, ++this.count);
    if (fault === 'pass') return;
    if (fault instanceof Error) throw fault;
    tearWith?.(fault.tear);
    throw new CrashError();
  }

  private tearWrite(path: string, before: Uint8Array, bytes: Uint8Array, tear: Tear): void {
    if (tear === 'none') return;
    const part = {
      empty: NOTHING,
      half: bytes.slice(0, bytes.length >> 1),
      nul: new Uint8Array(bytes.length),
      full: bytes,
    }[tear];
    this.store(path, join(before, part));
  }

  private moveToSystemTrash(path: string): void {
    for (const below of [path, ...this.paths().filter((other) => other.startsWith(`${path}/`))]) {
      const entry = this.entries.get(below);
      if (entry?.type === 'file') this.trashed.set(below, entry.bytes);
    }
    this.removeOutside(path);
  }

  private moveToLocalTrash(path: string): void {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    let target = `.trash/${name}`;
    for (let number = 2; this.entries.has(target); number++) {
      target = `.trash/${name.slice(0, dot)} ${number}${name.slice(dot)}`;
    }
    this.renameOutside(path, target);
  }

  private copyOutside(from: string, to: string): void {
    const entry = this.entries.get(from)!;
    if (entry.type === 'file') return void this.store(to, entry.bytes);
    this.mkdirOutside(to);
    for (const child of [...(this.children.get(from) ?? [])]) this.copyOutside(child, to + child.slice(from.length));
  }

  private store(path: string, bytes: Uint8Array<ArrayBuffer>, options: DataWriteOptions = {}): Stat {
    const time = this.tick();
    const ctime = options.ctime ?? this.entries.get(path)?.ctime ?? time;
    const entry: MemoryEntry = { type: 'file', bytes, ctime, mtime: options.mtime ?? time };
    this.put(path, entry);
    return toStat(entry);
  }

  private put(path: string, entry: MemoryEntry): void {
    this.entries.set(path, entry);
    if (entry.type === 'folder' && !this.children.has(path)) this.children.set(path, new Set());
    this.children.get(folderOf(path))?.add(path);
  }

  /** Slowly enough for other work; what vanishes in between is left out. */
  private async describe(paths: Iterable<string>): Promise<ListedEntry[]> {
    const pause = createSlicer();
    const described: ListedEntry[] = [];
    for (const path of paths) {
      const entry = this.entries.get(path);
      if (entry) described.push({ path, ...toStat(entry) });
      const turn = pause();
      if (turn) await turn;
    }
    return described;
  }

  /** Strictly rising, unless chaos asks for coarse times. */
  private tick(): number {
    this.latestTime = Math.max(this.options.now(), this.latestTime + 1);
    return this.roundTime(this.latestTime);
  }
}

const toStat = ({ type, bytes, ctime, mtime }: MemoryEntry): Stat => ({ type, ctime, mtime, size: bytes.length });

const join = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
};

const whenFull =
  (work: () => void) =>
  (tear: Tear): void => {
    if (tear === 'full') work();
  };
