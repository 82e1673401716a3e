/** Keeps the Vault's tree in step with the disk and says what changed. */
import type { Stat } from 'obsidian';
import type { AdapterChange, EmulatedAdapter, ListedEntry } from './adapter';
import type { Chaos } from './chaos';
import { Delivery } from './delivery';
import { TFile, TFolder, type TAbstractFile } from './files';
import { FileTree, getParentPath, isHiddenPath, ROOT, toFileStats } from './file-tree';
import { createSlicer } from './slicing';
import type { Vault } from './vault';

export class VaultTree {
  readonly tree: FileTree;
  readonly delivery: Delivery;

  constructor(
    private vault: Vault,
    private adapter: EmulatedAdapter,
    private chaos: Chaos,
  ) {
    this.tree = new FileTree(vault);
    this.delivery = new Delivery(chaos);
  }

  async load(): Promise<void> {
    const pause = createSlicer();
    for (const entry of this.chaos.arrange(await this.adapter.listTree(ROOT))) {
      if (!isHiddenPath(entry.path)) this.add(entry.path, entry);
      const turn = pause();
      if (turn) await turn;
    }
    await this.delivery.delivered();
  }

  /** Follows an operation of our own adapter, which has been done already. */
  apply(change: AdapterChange): void {
    if (change.kind === 'renamed') return this.followRename(change.from, change.to);
    if (isHiddenPath(change.path)) return;
    if (change.kind === 'removed') return this.remove(change.path);
    const present = this.tree.get(change.path);
    if (present instanceof TFile && change.stat.type === 'file') this.modify(present, change.stat);
    else if (!present) this.add(change.path, change.stat);
  }

  /**
   * Compares one path, and all below a folder, with the disk. The vault's own operations report their results
   * themselves, so what was read while one was in progress is ignored.
   */
  async reconcile(path: string): Promise<void> {
    if (path !== ROOT && isHiddenPath(path)) return;
    const { operations } = this.adapter;
    const { seen: stat, mark } = await operations.lookAtRest(path, () => this.adapter.stat(path));
    if (!stat) return this.removeVanished(path, mark);
    if (path !== ROOT) this.compare(path, stat);
    if (stat.type === 'folder') await this.reconcileBelow(path);
  }

  private async reconcileBelow(path: string): Promise<void> {
    const { operations } = this.adapter;
    const mark = await operations.quiet();
    const listed = await this.adapter.listTree(path).catch(async (thrown: unknown) => {
      // A folder may vanish between the look at it and its list.
      if (await this.adapter.stat(path)) throw thrown;
      return null;
    });
    if (listed === null) return this.removeVanished(path, mark);
    const entries = listed.filter((entry) => !isHiddenPath(entry.path));
    const present = new Set(entries.map((entry) => entry.path));
    const known = this.tree.get(path);
    const deleted: string[] = [];
    const look = (file: TAbstractFile): void => {
      if (file !== known && !present.has(file.path)) deleted.push(file.path);
      else if (file instanceof TFolder) for (const child of file.children) look(child);
    };
    if (known) look(known);
    for (const missing of deleted) if (!operations.changedSince(mark, missing)) this.remove(missing);
    const pause = createSlicer();
    for (const entry of entries) {
      if (!operations.changedSince(mark, entry.path)) this.compare(entry.path, entry);
      const turn = pause();
      if (turn) await turn;
    }
  }

  /** If a whole folder was deleted, removes the highest missing folder. */
  private async removeVanished(path: string, mark: number): Promise<void> {
    let highest = path;
    for (let parent = getParentPath(path); parent !== ROOT; parent = getParentPath(parent)) {
      if (await this.adapter.stat(parent)) break;
      highest = parent;
    }
    const { operations } = this.adapter;
    if (operations.changedSince(mark, path) || operations.changedSince(mark, highest)) return;
    this.remove(highest);
  }

  private compare(path: string, stat: Stat): void {
    const present = this.tree.get(path);
    if (present && present instanceof TFolder !== (stat.type === 'folder')) this.remove(path);
    else if (present instanceof TFile) {
      if (present.stat.mtime !== stat.mtime || present.stat.size !== stat.size) this.modify(present, stat);
      return;
    }
    if (!this.tree.get(path)) this.add(path, stat);
  }

  private add(path: string, stat: Stat | ListedEntry): void {
    if (this.tree.get(path)) return;
    const announce = (file: TAbstractFile): void => this.announce('create', file);
    if (stat.type === 'folder') this.tree.addFolder(path, announce);
    else this.tree.addFile(path, stat, announce);
  }

  private modify(file: TFile, stat: Stat): void {
    file.stat = toFileStats(stat);
    this.announce('modify', file);
  }

  private remove(path: string): void {
    const removed = this.tree.remove(path);
    if (this.chaos.reversesFolderEvents) removed.reverse();
    for (const file of removed) this.announce('delete', file);
  }

  private followRename(from: string, to: string): void {
    if (isHiddenPath(to)) return isHiddenPath(from) ? undefined : this.remove(from);
    if (isHiddenPath(from)) return void this.reconcile(to);
    const moved = this.tree.move(from, to, (file) => this.announce('create', file));
    if (this.chaos.reversesFolderEvents) moved.reverse();
    for (const [file, oldPath] of moved) this.announce('rename', file, oldPath);
  }

  private announce(name: string, ...data: unknown[]): void {
    this.delivery.send(() => this.vault.trigger(name, ...data));
  }
}
