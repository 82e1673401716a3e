/** EventApp: a vault of Obsidian without texts, whose events come when a test delivers them. Made for many notes. */
import { type App, type CachedMetadata, type EventRef, TFile, TFolder } from 'obsidian';

type Listener = (...values: unknown[]) => void;

export class EventApp {
  readonly folders = new Map<string, TFolder>();
  readonly files = new Map<string, TFile>();
  readonly records = new Map<string, CachedMetadata>();
  /** Events that wait; each is delivered once, in any order. */
  readonly events: (() => void)[] = [];
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly root: TFolder;

  constructor() {
    this.root = makeFolder('/', null);
  }

  /** What Docent takes for Obsidian's app. */
  readonly app = {
    vault: {
      configDir: '.obsidian',
      getName: () => 'Events',
      getRoot: () => this.root,
      getFiles: () => [...this.files.values()],
      getAllFolders: () => [...this.folders.values()],
      getFileByPath: (path: string) => this.files.get(path) ?? null,
      getFolderByPath: (path: string) => this.folders.get(path) ?? null,
      getAbstractFileByPath: (path: string) => this.files.get(path) ?? this.folders.get(path) ?? null,
      cachedRead: () => Promise.resolve(''),
      adapter: { exists: () => Promise.resolve(false) },
      on: (name: string, listener: Listener) => this.listen(name, listener),
      offref: (reference: EventRef) => this.release(reference),
    },
    metadataCache: {
      resolvedLinks: {},
      getFileCache: (file: TFile) => this.records.get(file.path) ?? null,
      getFirstLinkpathDest: () => null,
      on: (name: string, listener: Listener) => this.listen(`index ${name}`, listener),
      offref: (reference: EventRef) => this.release(reference),
    },
    workspace: {
      iterateAllLeaves: () => undefined,
      on: (name: string, listener: Listener) => this.listen(`workspace ${name}`, listener),
      offref: (reference: EventRef) => this.release(reference),
    },
  } as unknown as App;

  create(path: string, modified: number, size = 10): void {
    const parent = this.folderAt(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const file = Object.assign(Object.create(TFile.prototype) as TFile, { stat: { size, mtime: modified, ctime: 0 } });
    place(file, path);
    file.parent = parent;
    parent.children.push(file);
    this.files.set(path, file);
    this.send('create', file);
  }

  createFolder(path: string): void {
    this.folderAt(path);
  }

  modify(path: string, modified: number, size = 10): void {
    const file = this.files.get(path);
    if (file === undefined) return;
    file.stat = { size, mtime: modified, ctime: 0 };
    this.send('modify', file);
  }

  /** @param record null removes what is known */
  index(path: string, record: CachedMetadata | null, isReported = true): void {
    const file = this.files.get(path);
    if (file === undefined) return;
    if (record === null) this.records.delete(path);
    else this.records.set(path, record);
    if (isReported) this.send('index changed', file);
    if (isReported) this.send('index resolve', file);
    this.send('index resolved');
  }

  remove(path: string): void {
    const item = this.files.get(path) ?? this.folders.get(path);
    if (item === undefined) return;
    if (item instanceof TFolder) for (const child of [...item.children]) this.remove(child.path);
    item.parent?.children.splice(item.parent.children.indexOf(item), 1);
    this.files.delete(path);
    this.folders.delete(path);
    this.records.delete(path);
    this.send('delete', item);
  }

  rename(from: string, to: string): void {
    const item = this.files.get(from) ?? this.folders.get(from);
    if (item === undefined || this.isTaken(to) || `${to}/`.startsWith(`${from}/`)) return;
    const parent = this.folderAt(to.slice(0, Math.max(0, to.lastIndexOf('/'))));
    item.parent?.children.splice(item.parent.children.indexOf(item), 1);
    item.parent = parent;
    parent.children.push(item);
    this.move(item, to);
  }

  isTaken(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }

  /** @param choose the index of the waiting event that comes next */
  deliver(choose: (waiting: number) => number = () => 0): void {
    while (this.events.length > 0) this.events.splice(choose(this.events.length), 1)[0]?.();
  }

  private move(item: TFile | TFolder | TFolder['children'][number], to: string): void {
    const from = item.path;
    place(item, to);
    if (item instanceof TFile) {
      this.files.delete(from);
      this.files.set(to, item);
      const record = this.records.get(from);
      this.records.delete(from);
      if (record !== undefined) this.records.set(to, record);
    } else if (item instanceof TFolder) {
      this.folders.delete(from);
      this.folders.set(to, item);
      for (const child of item.children) this.move(child, `${to}/${child.name}`);
    }
    this.send('rename', item, from);
  }

  private folderAt(path: string): TFolder {
    if (path === '') return this.root;
    const known = this.folders.get(path);
    if (known !== undefined) return known;
    const parent = this.folderAt(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const folder = makeFolder(path, parent);
    parent.children.push(folder);
    this.folders.set(path, folder);
    this.send('create', folder);
    return folder;
  }

  private send(name: string, ...values: unknown[]): void {
    this.events.push(() => this.listeners.get(name)?.forEach((listener) => listener(...values)));
  }

  private listen(name: string, listener: Listener): EventRef {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return { name, listener } as unknown as EventRef;
  }

  private release(reference: EventRef): void {
    const { name, listener } = reference as unknown as { name: string; listener: Listener };
    this.listeners.get(name)?.delete(listener);
  }
}

function makeFolder(path: string, parent: TFolder | null): TFolder {
  const folder = Object.assign(Object.create(TFolder.prototype) as TFolder, { children: [], parent });
  folder.isRoot = () => parent === null;
  place(folder, path);
  return folder;
}

function place(item: TFile | TFolder | TFolder['children'][number], path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  Object.assign(item, { path, name });
  if (item instanceof TFile) Object.assign(item, { basename: name.slice(0, dot), extension: name.slice(dot + 1) });
}
