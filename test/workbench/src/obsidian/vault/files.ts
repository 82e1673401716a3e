/** Files and folders as the Vault's tree holds them. */
import type { FileStats } from 'obsidian';
import type { Vault } from './vault';

export abstract class TAbstractFile {
  vault!: Vault;
  path = '';
  name = '';
  parent: TFolder | null = null;
  deleted = false;

  /** Moves the name along with the path; the tree keeps its own indexes right. */
  setPath(path: string): void {
    this.path = path;
    this.name = path.slice(path.lastIndexOf('/') + 1);
  }
}

export class TFile extends TAbstractFile {
  stat: FileStats = { ctime: 0, mtime: 0, size: 0 };
  basename = '';
  extension = '';

  override setPath(path: string): void {
    super.setPath(path);
    const dot = this.name.lastIndexOf('.');
    const named = dot > 0 && dot < this.name.length - 1;
    this.basename = named ? this.name.slice(0, dot) : this.name;
    this.extension = named ? this.name.slice(dot + 1).toLowerCase() : '';
  }
}

export class TFolder extends TAbstractFile {
  children: TAbstractFile[] = [];

  isRoot(): boolean {
    return this.path === '/';
  }
}
