/** The Vault of the API over an emulated adapter: the tree of files, serialised writes and their events. */
import type { DataWriteOptions } from 'obsidian';
import { Events, type BoundEvent } from '../base/events';
import { normalizePath } from '../base/text';
import { MissingFileError, type EmulatedAdapter } from './adapter';
import { createChaos, type Chaos } from './chaos';
import { attachRewriter } from './chaos-rewriter';
import { TAbstractFile, TFile, TFolder } from './files';
import { isHiddenPath } from './file-tree';
import { OperationQueue } from './operation-queue';
import { VaultPreferences, type PreferenceValues } from './vault-preferences';
import { VaultTree } from './vault-tree';

export interface VaultOptions {
  chaos?: Chaos;
  preferences?: VaultPreferences;
}

interface CachedText {
  mtime: number;
  size: number;
  text: string;
}

const CACHED_TEXTS = 500;

export class Vault extends Events {
  configDir = '.obsidian';
  readonly chaos: Chaos;
  readonly preferences: VaultPreferences;
  private readonly queue = new OperationQueue();
  private readonly files: VaultTree;
  private readonly texts = new Map<string, CachedText>();

  constructor(
    readonly adapter: EmulatedAdapter,
    { chaos = createChaos(null), preferences = new VaultPreferences() }: VaultOptions = {},
  ) {
    super();
    this.chaos = chaos;
    this.preferences = preferences;
    adapter.timeGrain = chaos.timeGrain;
    adapter.skipsUnchangedWrites = chaos.skipsUnchangedWrites;
    this.files = new VaultTree(this, adapter, chaos);
    adapter.observe((change) => {
      if ('path' in change) this.texts.delete(change.path);
      this.files.apply(change);
    });
    if (chaos.rewritesOnSave) attachRewriter(this);
  }

  /** Reads preferences and tree; `create` fires for everything that is found, then `loaded` (not in the API). */
  async load(): Promise<void> {
    await this.preferences.load(this.adapter, this.configDir);
    await this.files.load();
    this.trigger('loaded');
  }

  /** Takes over what another program did at this path, or anywhere below it. */
  reconcile(path: string): Promise<void> {
    return this.files.reconcile(normalizePath(path));
  }

  /** Resolves once every event of a change made so far has reached its listeners. */
  delivered(): Promise<void> {
    return this.files.delivery.delivered();
  }

  getConfig<K extends keyof PreferenceValues>(key: K): PreferenceValues[K] {
    return this.preferences.get(key);
  }

  setConfig<K extends keyof PreferenceValues>(key: K, value: PreferenceValues[K] | undefined): void {
    this.preferences.set(key, value);
    this.trigger('config-changed', key);
  }

  getName(): string {
    return this.adapter.getName();
  }

  getRoot(): TFolder {
    return this.files.tree.root;
  }

  getAbstractFileByPath(path: string): TAbstractFile | null {
    return this.files.tree.get(path);
  }

  getFileByPath(path: string): TFile | null {
    const file = this.files.tree.get(path);
    return file instanceof TFile ? file : null;
  }

  getFolderByPath(path: string): TFolder | null {
    const folder = this.files.tree.get(path);
    return folder instanceof TFolder ? folder : null;
  }

  /** Not in the API: returns every file with this name in any folder, ignoring case. */
  getFilesNamed(name: string): TFile[] {
    return this.files.tree.named(name);
  }

  getAllLoadedFiles(): TAbstractFile[] {
    return this.files.tree.all();
  }

  getAllFolders(includeRoot = false): TFolder[] {
    return this.getAllLoadedFiles().filter(
      (file): file is TFolder => file instanceof TFolder && (includeRoot || !file.isRoot()),
    );
  }

  getFiles(): TFile[] {
    return this.files.tree.files(() => true);
  }

  getMarkdownFiles(): TFile[] {
    return this.files.tree.files((file) => file.extension === 'md');
  }

  static recurseChildren(root: TFolder, cb: (file: TAbstractFile) => any): void {
    const waiting: TAbstractFile[] = [root];
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      cb(file);
      if (file instanceof TFolder) waiting.push(...[...file.children].reverse());
    }
  }

  create(path: string, data: string, options?: DataWriteOptions): Promise<TFile> {
    return this.createWith(path, (normalized) => this.adapter.write(normalized, data, options));
  }

  createBinary(path: string, data: ArrayBuffer, options?: DataWriteOptions): Promise<TFile> {
    return this.createWith(path, (normalized) => this.adapter.writeBinary(normalized, data, options));
  }

  createFolder(path: string): Promise<TFolder> {
    const normalized = normalizePath(path);
    return this.queue.onPath(normalized, async () => {
      if (await this.adapter.exists(normalized)) throw new Error('Folder already exists.');
      await this.adapter.mkdir(normalized);
      return this.getFolderByPath(normalized) as TFolder;
    });
  }

  read(file: TFile): Promise<string> {
    return this.adapter.read(file.path);
  }

  async cachedRead(file: TFile): Promise<string> {
    const { mtime, size } = file.stat;
    const cached = this.texts.get(file.path);
    if (cached && cached.mtime === mtime && cached.size === size) return cached.text;
    const text = await this.adapter.read(file.path);
    this.texts.delete(file.path);
    this.texts.set(file.path, { mtime, size, text });
    if (this.texts.size > CACHED_TEXTS) this.texts.delete(this.texts.keys().next().value!);
    return text;
  }

  readBinary(file: TFile): Promise<ArrayBuffer> {
    return this.adapter.readBinary(file.path);
  }

  getResourcePath(file: TFile): string {
    const path = this.adapter.getResourcePath(file.path);
    return `${path}${path.includes('?') ? '&' : '?'}${file.stat.mtime}`;
  }

  modify(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    return this.change(file, () => this.adapter.write(file.path, data, options));
  }

  modifyBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.change(file, () => this.adapter.writeBinary(file.path, data, options));
  }

  append(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    return this.change(file, () => this.adapter.append(file.path, data, options));
  }

  appendBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.change(file, () => this.adapter.appendBinary(file.path, data, options));
  }

  process(file: TFile, fn: (data: string) => string, options?: DataWriteOptions): Promise<string> {
    return this.queue.onPath(file.path, () => this.adapter.process(file.path, fn, options));
  }

  delete(file: TAbstractFile, force = false): Promise<void> {
    return this.queue.onStructure(async () => {
      if (!(file instanceof TFolder)) return this.adapter.remove(file.path);
      const below = force ? [] : await this.adapter.listTree(file.path);
      if (below.some(({ path }) => isHiddenPath(path))) {
        throw new Error(`ENOTEMPTY: directory not empty, rmdir '${file.path}'`);
      }
      await this.adapter.rmdir(file.path, true);
    });
  }

  trash(file: TAbstractFile, system: boolean): Promise<void> {
    return this.queue.onStructure(async () => {
      if (system && (await this.adapter.trashSystem(file.path))) return;
      await this.adapter.trashLocal(file.path);
    });
  }

  rename(file: TAbstractFile, newPath: string): Promise<void> {
    return this.queue.onStructure(() => this.adapter.rename(file.path, normalizePath(newPath)));
  }

  copy<T extends { path: string }>(file: T, newPath: string): Promise<T> {
    const normalized = normalizePath(newPath);
    return this.queue.onStructure(async () => {
      await this.adapter.copy(file.path, normalized);
      if ((file as unknown) instanceof TFolder) await this.files.reconcile(normalized);
      return this.getAbstractFileByPath(normalized) as unknown as T;
    });
  }

  protected override arrange(refs: BoundEvent[]): BoundEvent[] {
    return this.chaos.arrange(refs);
  }

  private createWith(path: string, write: (normalized: string) => Promise<void>): Promise<TFile> {
    const normalized = normalizePath(path);
    return this.queue.onPath(normalized, async () => {
      if (await this.adapter.exists(normalized)) throw new Error('File already exists.');
      await write(normalized);
      // A hidden file is written, but the tree has no object for it.
      return this.getFileByPath(normalized) as TFile;
    });
  }

  private change(file: TFile, work: () => Promise<void>): Promise<void> {
    return this.queue.onPath(file.path, async () => {
      if (!(await this.adapter.exists(file.path))) throw new MissingFileError('open', file.path);
      await work();
    });
  }
}
