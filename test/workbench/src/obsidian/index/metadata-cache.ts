/** The asynchronous index of notes: metadata per file, and which links lead where. */
import type { CachedMetadata } from 'obsidian';
import { Events, type BoundEvent } from '../base/events';
import { TFile, type TAbstractFile } from '../vault/files';
import { type CanvasLink, findCanvasLinks } from './canvas';
import { findLinkTargets, toLinktext } from './link-resolution';
import { getAllTags, getLinkpath } from './links';
import { parseNote } from './parse-note';
import { createSlicer } from '../vault/slicing';
import type { Vault } from '../vault/vault';
import { isIgnoredPath } from '../vault/vault-preferences';

type Links = Record<string, Record<string, number>>;

const READ_AT_ONCE = 32;
const DUE_AT_ONCE = 2000;

const INDEXED = new Set(['md', 'canvas']);

/**
 * What was read of short texts. Notes with the same text share it, as in Obsidian, and so do apps that are opened one
 * after another over the same vault.
 */
const known = new Map<string, CachedMetadata>();
const MAX_KNOWN = 1000;
/** The engine hashes longer texts by their length alone. */
const MAX_KNOWN_LENGTH = 16_000;

function readNote(text: string): CachedMetadata {
  if (text.length > MAX_KNOWN_LENGTH) return parseNote(text);
  const cache = known.get(text) ?? parseNote(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, cache);
  return cache;
}

/** The name a link is looked up by: the last part of its path, without `.md`, in lower case. */
const toLookupName = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.md$/i, '')
    .toLowerCase();

export class MetadataCache extends Events {
  resolvedLinks: Links = {};
  unresolvedLinks: Links = {};
  /** True once the first pass over the vault is done. */
  initialized = false;
  private caches = new Map<string, CachedMetadata>();
  /** Canvases have links and no metadata. */
  private canvases = new Map<string, CanvasLink[]>();
  private unindexed = new Map<TFile, number>();
  private unresolved = new Set<TFile>();
  private linkers = new Map<string, Set<string>>();
  private namesBySource = new Map<string, Set<string>>();
  private loaded = false;
  private working = false;
  private announced = false;
  private hasChanges = false;
  private ended = false;

  constructor(private vault: Vault) {
    super();
    vault.on('create', (file: TAbstractFile) => this.follow(file));
    vault.on('modify', (file: TAbstractFile) => this.enqueue(file));
    vault.on('delete', (file: TAbstractFile) => this.forget(file));
    vault.on('rename', (file: TAbstractFile, oldPath: string) => this.move(file, oldPath));
    vault.on('loaded', () => {
      this.loaded = true;
      void this.work();
    });
  }

  getFileCache(file: TFile): CachedMetadata | null {
    return this.getCache(file.path);
  }

  getCache(path: string): CachedMetadata | null {
    return this.caches.get(path) ?? null;
  }

  getFirstLinkpathDest(linkpath: string, sourcePath: string): TFile | null {
    return findLinkTargets(this.vault, linkpath, sourcePath)[0] ?? null;
  }

  fileToLinktext(file: TFile, _sourcePath: string, omitMdExtension = true): string {
    return toLinktext(this.vault, file, omitMdExtension);
  }

  /** Not in the API, but plugins call it: whether "Excluded files" covers a path. */
  isUserIgnored(path: string): boolean {
    return isIgnoredPath(path, this.vault.getConfig('userIgnoreFilters'));
  }

  /** Not in the API, but plugins call it: every tag with the number of its uses. */
  getTags(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const cache of this.caches.values()) {
      for (const tag of getAllTags(cache) ?? []) counts[tag] = (counts[tag] ?? 0) + 1;
    }
    return counts;
  }

  /** Resolves once everything known so far is indexed and its links are resolved. */
  async indexed(): Promise<void> {
    await this.vault.delivered();
    if (!this.busy && (this.initialized || !this.loaded)) return;
    await new Promise<void>((resolve) => {
      const ref = this.on('resolved', () => {
        this.offref(ref);
        resolve();
      });
    });
    await this.indexed();
  }

  protected override arrange(refs: BoundEvent[]): BoundEvent[] {
    return this.vault.chaos.arrange(refs);
  }

  private get busy(): boolean {
    return this.working || this.unindexed.size > 0 || this.unresolved.size > 0;
  }

  private follow(file: TAbstractFile): void {
    if (file instanceof TFile) this.resolveLinkers(file.path);
    this.enqueue(file);
  }

  private enqueue(file: TAbstractFile): void {
    if (!(file instanceof TFile) || !INDEXED.has(file.extension) || file.deleted) return;
    this.unindexed.set(file, Date.now() + this.vault.chaos.indexDelay());
    void this.work();
  }

  private forget(file: TAbstractFile): void {
    if (!(file instanceof TFile)) return;
    const previous = this.caches.get(file.path) ?? null;
    this.unindexed.delete(file);
    this.unresolved.delete(file);
    this.drop(file.path);
    this.resolveLinkers(file.path);
    this.trigger('deleted', file, previous);
  }

  private move(file: TAbstractFile, oldPath: string): void {
    if (!(file instanceof TFile)) return;
    const cache = this.caches.get(oldPath);
    const canvas = this.canvases.get(oldPath);
    this.drop(oldPath);
    if (cache && file.extension === 'md') this.caches.set(file.path, cache);
    if (canvas && file.extension === 'canvas') this.canvases.set(file.path, canvas);
    if (this.caches.has(file.path) || this.canvases.has(file.path)) this.unresolved.add(file);
    else this.enqueue(file);
    this.resolveLinkers(oldPath);
    this.resolveLinkers(file.path);
    void this.work();
  }

  private drop(path: string): void {
    this.caches.delete(path);
    this.canvases.delete(path);
    delete this.resolvedLinks[path];
    delete this.unresolvedLinks[path];
    this.noteNames(path, new Set());
  }

  /** A file that comes, goes or moves changes what links to its name mean. */
  private resolveLinkers(path: string): void {
    for (const source of this.linkers.get(toLookupName(path)) ?? []) {
      const file = this.vault.getFileByPath(source);
      if (file) this.unresolved.add(file);
    }
    if (this.unresolved.size) void this.work();
  }

  /** Stops indexing because the app is closed: files that are still queued are never indexed. */
  end(): void {
    this.ended = true;
  }

  private async work(): Promise<void> {
    if (this.working || this.ended) return;
    this.working = true;
    const pause = createSlicer();
    // The first step waits, so that whoever caused it has finished before listeners are called.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (;;) {
      await this.untilDue();
      if (this.ended) return;
      await this.indexDue(pause);
      if (this.unindexed.size) continue;
      await this.resolveAll(pause);
      if (this.unindexed.size || this.unresolved.size) continue;
      break;
    }
    this.working = false;
    if (!this.loaded) return;
    this.initialized = true;
    if (this.announced && !this.hasChanges) return;
    this.announced = true;
    this.hasChanges = false;
    this.trigger('resolved');
  }

  /** Looks again from time to time, since a later change may be due earlier. */
  private async untilDue(): Promise<void> {
    let first = Infinity;
    for (const time of this.unindexed.values()) first = Math.min(first, time);
    const wait = first - Date.now();
    if (wait > 0 && wait < Infinity) await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 50)));
  }

  private async indexDue(pause: () => Promise<void> | undefined): Promise<void> {
    const now = Date.now();
    const due: TFile[] = [];
    for (const [file, time] of this.unindexed) {
      if (time <= now) due.push(file);
      if (due.length === DUE_AT_ONCE) break;
    }
    for (let start = 0; start < due.length; start += READ_AT_ONCE) {
      const batch = due.slice(start, start + READ_AT_ONCE);
      for (const file of batch) this.unindexed.delete(file);
      const texts = await Promise.all(batch.map((file) => this.vault.adapter.read(file.path).catch(() => null)));
      for (const [index, file] of batch.entries()) {
        const text = texts[index];
        if (typeof text === 'string' && !file.deleted) this.index(file, text);
        await pause();
      }
    }
  }

  private index(file: TFile, text: string): void {
    this.unresolved.add(file);
    if (file.extension === 'canvas') {
      this.canvases.set(file.path, findCanvasLinks(text));
      return;
    }
    const cache = readNote(text);
    this.caches.set(file.path, cache);
    this.trigger('changed', file, text, cache);
  }

  private async resolveAll(pause: () => Promise<void> | undefined): Promise<void> {
    for (const file of this.unresolved) {
      this.unresolved.delete(file);
      this.resolve(file);
      await pause();
    }
  }

  private resolve(file: TFile): void {
    const found = this.linksOf(file);
    if (!found || file.deleted) return;
    const resolved: Record<string, number> = (this.resolvedLinks[file.path] = {});
    const unresolved: Record<string, number> = (this.unresolvedLinks[file.path] = {});
    const names = new Set<string>();
    for (const { link } of found) {
      const path = getLinkpath(link);
      if (path !== '') names.add(toLookupName(path));
      const target = this.getFirstLinkpathDest(path, file.path);
      const missing = file.extension === 'canvas' ? path.replace(/^\//, '') : path;
      if (target) resolved[target.path] = (resolved[target.path] ?? 0) + 1;
      else unresolved[missing] = (unresolved[missing] ?? 0) + 1;
    }
    this.noteNames(file.path, names);
    this.hasChanges = true;
    this.trigger('resolve', file);
  }

  /** Links to a heading of the note itself count as links to the note. */
  private linksOf(file: TFile): readonly { link: string }[] | undefined {
    const cache = this.caches.get(file.path);
    if (!cache) return this.canvases.get(file.path);
    return [...(cache.links ?? []), ...(cache.embeds ?? []), ...(cache.frontmatterLinks ?? [])];
  }

  /** Not in the API: the link paths of a canvas. */
  getCanvasLinks(path: string): readonly CanvasLink[] {
    return this.canvases.get(path) ?? [];
  }

  private noteNames(source: string, names: Set<string>): void {
    for (const name of this.namesBySource.get(source) ?? []) {
      const linkers = this.linkers.get(name);
      linkers?.delete(source);
      if (linkers?.size === 0) this.linkers.delete(name);
    }
    if (names.size) this.namesBySource.set(source, names);
    else this.namesBySource.delete(source);
    for (const name of names) {
      const linkers = this.linkers.get(name);
      if (linkers) linkers.add(source);
      else this.linkers.set(name, new Set([source]));
    }
  }
}
