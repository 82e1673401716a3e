/** The tree of visible files, with an index by name for link resolution; it knows no disk and fires no events. */
import type { FileStats } from 'obsidian';
import { TAbstractFile, TFile, TFolder } from './files';
import type { Vault } from './vault';

export const ROOT = '/';

export const getParentPath = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash > 0 ? path.slice(0, slash) : ROOT;
};

/** Any segment that starts with a dot keeps a path out of the tree. */
export const isHiddenPath = (path: string): boolean => path.startsWith('.') || path.includes('/.');

export class FileTree {
  readonly root = new TFolder();
  private byPath = new Map<string, TAbstractFile>();
  private byName = new Map<string, Set<TFile>>();

  constructor(private vault: Vault) {
    this.root.vault = vault;
    this.root.setPath(ROOT);
    this.root.name = '';
    this.byPath.set(ROOT, this.root);
  }

  get(path: string): TAbstractFile | null {
    return this.byPath.get(path) ?? null;
  }

  all(): TAbstractFile[] {
    return [...this.byPath.values()];
  }

  files(fits: (file: TFile) => boolean): TFile[] {
    const found: TFile[] = [];
    for (const file of this.byPath.values()) if (file instanceof TFile && fits(file)) found.push(file);
    return found;
  }

  /** Returns every file with this name, ignoring case. */
  named(name: string): TFile[] {
    return [...(this.byName.get(name.toLowerCase()) ?? [])];
  }

  addFolder(path: string, onAdded: (file: TAbstractFile) => void): TFolder {
    const present = this.byPath.get(path);
    if (present instanceof TFolder) return present;
    return this.insert(new TFolder(), path, onAdded);
  }

  /** Missing parents are added, and reported, first. */
  addFile(path: string, stat: FileStats, onAdded: (file: TAbstractFile) => void): TFile {
    const file = new TFile();
    file.stat = toFileStats(stat);
    return this.insert(file, path, onAdded);
  }

  /** Detaches a file or folder with all it holds; the result lists them, the content before its folder. */
  remove(path: string): TAbstractFile[] {
    const root = this.byPath.get(path);
    if (!root || root === this.root) return [];
    const removed: TAbstractFile[] = [];
    const detach = (file: TAbstractFile): void => {
      if (file instanceof TFolder) for (const child of [...file.children]) detach(child);
      this.forget(file);
      file.deleted = true;
      removed.push(file);
    };
    detach(root);
    root.parent?.children.splice(root.parent.children.indexOf(root), 1);
    for (const file of removed) file.parent = null;
    return removed;
  }

  /** Gives a file or folder a new path, keeping object identity; the result pairs every mover with its old path. */
  move(from: string, to: string, onAdded: (file: TAbstractFile) => void): [TAbstractFile, string][] {
    const root = this.byPath.get(from);
    if (!root || root === this.root) return [];
    const moved: [TAbstractFile, string][] = [];
    const shift = (file: TAbstractFile, path: string): void => {
      const old = file.path;
      this.forget(file);
      file.setPath(path);
      this.remember(file);
      moved.push([file, old]);
      if (file instanceof TFolder) for (const child of file.children) shift(child, `${path}/${child.name}`);
    };
    root.parent?.children.splice(root.parent.children.indexOf(root), 1);
    root.parent = this.addFolder(getParentPath(to), onAdded);
    root.parent.children.push(root);
    shift(root, to);
    return moved;
  }

  private insert<T extends TAbstractFile>(file: T, path: string, onAdded: (file: TAbstractFile) => void): T {
    const parent = this.addFolder(getParentPath(path), onAdded);
    file.vault = this.vault;
    file.setPath(path);
    file.parent = parent;
    parent.children.push(file);
    this.remember(file);
    onAdded(file);
    return file;
  }

  private remember(file: TAbstractFile): void {
    this.byPath.set(file.path, file);
    if (!(file instanceof TFile)) return;
    const name = file.name.toLowerCase();
    const named = this.byName.get(name);
    if (named) named.add(file);
    else this.byName.set(name, new Set([file]));
  }

  private forget(file: TAbstractFile): void {
    this.byPath.delete(file.path);
    if (!(file instanceof TFile)) return;
    const name = file.name.toLowerCase();
    const named = this.byName.get(name);
    named?.delete(file);
    if (named?.size === 0) this.byName.delete(name);
  }
}

export const toFileStats = ({ ctime, mtime, size }: FileStats): FileStats => ({ ctime, mtime, size });
