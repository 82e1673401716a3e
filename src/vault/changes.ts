/** The only subscriber to vault events: counts changes at once and reports them in batches. */
import type { App, EventRef, TAbstractFile } from 'obsidian';
import { subscribeTo } from '../core/base/async';

export interface VaultChange {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed' | 'indexed';
  /** The path before a rename. */
  readonly oldPath?: string;
}

/** Returns every path in a batch, including paths before a rename. */
export function pathsOf(batch: readonly VaultChange[]): string[] {
  return batch.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
}

/** What the events since a position were about. */
export interface Touched {
  /** Files and folders, also under the paths before a rename. */
  readonly paths: ReadonlySet<string>;
  /** Whether Obsidian finished indexing. */
  readonly isIndexed: boolean;
}

/** The maximum number of events whose paths are known. */
const maxTouches = 20_000;

/** Milliseconds without a change after which a batch is sent. */
const quietDelay = 250;
/** Milliseconds after its first change by which a batch is sent at the latest. */
const maxDelay = 1000;

export class VaultChanges {
  private count = 0;
  /** The paths of the last events, those of Docent's own files included; null for the end of an indexing. */
  private touches: (string | null)[] = [];
  /** How many events were forgotten. */
  private forgotten = 0;
  private pending: VaultChange[] = [];
  private timer: number | null = null;
  private firstAt = 0;
  private lastAt = 0;
  private references: (() => void)[] = [];
  private watched: (() => void)[] = [];
  private readonly indexListeners = new Set<(path: string) => void>();
  private readonly listeners = new Set<(batch: readonly VaultChange[]) => void>();

  /** @param ignores matches paths of Docent's own files, which never count as a change */
  constructor(
    private readonly app: App,
    private readonly ignores: (path: string) => boolean,
  ) {}

  /** Increases with every change. Null before `start`, when nothing derived from the vault may be cached. */
  get revision(): number | null {
    return this.references.length === 0 ? null : this.count;
  }

  /** Grows with every event, before it is reported. Null before `start`. */
  get position(): number | null {
    return this.references.length === 0 ? null : this.forgotten + this.touches.length;
  }

  /** Returns what was touched since a position; null if that is not known, and anything may have changed. */
  touchedSince(position: number): Touched | null {
    if (position < this.forgotten) return null;
    const since = this.touches.slice(position - this.forgotten);
    const paths = new Set(since.filter((path) => path !== null));
    return { paths, isIndexed: since.includes(null) };
  }

  /**
   * Starts to listen, once. Called when the chat view first opens, so that starting Obsidian costs nothing.
   * @param first receives every batch before all other listeners, for caches that the others rely on
   */
  start(first: (batch: readonly VaultChange[]) => void): void {
    if (this.references.length > 0) return;
    this.listeners.add(first);
    const { vault, metadataCache } = this.app;
    const inVault = (reference: EventRef): void => void this.references.push(() => vault.offref(reference));
    const inIndex = (reference: EventRef): void => void this.references.push(() => metadataCache.offref(reference));
    inVault(vault.on('create', (file) => this.add(file, 'created')));
    inVault(vault.on('modify', (file) => this.add(file, 'modified')));
    inVault(vault.on('delete', (file) => this.add(file, 'deleted')));
    inVault(vault.on('rename', (file, oldPath) => this.add(file, 'renamed', oldPath)));
    inIndex(metadataCache.on('changed', (file) => this.add(file, 'indexed')));
    inIndex(metadataCache.on('deleted', (file) => this.add(file, 'indexed')));
    inIndex(metadataCache.on('resolve', (file) => this.add(file, 'indexed')));
    // What was indexed before the vault was followed has no events of its own.
    inIndex(metadataCache.on('resolved', () => this.touch(null)));
  }

  /**
   * Reports changes in one folder from now on, even before the chat view opens, because commands follow the notes in
   * it. Until a change matches, it costs one path comparison per event.
   */
  watchFolder(folder: () => string, listener: () => void): void {
    this.watch(folder, listener, (report) => {
      const { metadataCache } = this.app;
      const reference = metadataCache.on('changed', ({ path }) => report(path));
      return () => metadataCache.offref(reference);
    });
  }

  /**
   * Reports in the same way changes of files that Obsidian does not index, with the names of the files and folders right
   * in the folder that changed or have what changed.
   */
  watchFiles(folder: () => string, listener: (names: ReadonlySet<string>) => void): void {
    this.watch(folder, listener, (report) => {
      const { vault } = this.app;
      const reference = vault.on('modify', ({ path }) => report(path));
      return () => vault.offref(reference);
    });
  }

  private watch(
    folder: () => string,
    listener: (names: ReadonlySet<string>) => void,
    hearContent: (report: (path: string) => void) => () => void,
  ): void {
    let timer: number | null = null;
    let names = new Set<string>();
    const report = (...paths: readonly (string | undefined)[]): void => {
      const prefix = `${folder()}/`;
      for (const path of paths) {
        if (path?.startsWith(prefix) === true) names.add(path.slice(prefix.length).split('/', 1).join());
      }
      if (timer !== null || names.size === 0) return;
      timer = window.setTimeout(() => {
        const reported = names;
        [timer, names] = [null, new Set()];
        listener(reported);
      }, quietDelay);
    };
    const { vault } = this.app;
    const references = [
      vault.on('create', ({ path }) => report(path)),
      vault.on('delete', ({ path }) => report(path)),
      vault.on('rename', ({ path }, oldPath) => report(path, oldPath)),
    ];
    const release = hearContent(report);
    this.watched.push(() => {
      for (const reference of references) vault.offref(reference);
      release();
      if (timer !== null) window.clearTimeout(timer);
    });
  }

  /**
   * Reports each rename of a file or folder at once, even before the chat view opens, until the returned function is
   * called.
   */
  followMoves(listener: (from: string, to: string) => void): () => void {
    const { vault } = this.app;
    const reference = vault.on('rename', ({ path }, oldPath) => listener(oldPath, path));
    const release = (): void => vault.offref(reference);
    this.watched.push(release);
    return () => {
      release();
      this.watched = this.watched.filter((each) => each !== release);
    };
  }

  /** Reports each edit of a note in an editor of the app before it is saved, even before the chat view opens. */
  followEdits(listener: (path: string, text: () => string) => void): void {
    const { workspace } = this.app;
    const references = [
      workspace.on('quick-preview', ({ path }, data) => listener(path, () => data)),
      workspace.on('editor-change', (editor, { file }) => {
        if (file !== null) listener(file.path, () => editor.getValue());
      }),
    ];
    this.watched.push(() => references.forEach((reference) => workspace.offref(reference)));
  }

  /** Counts a change of files whose events may not have arrived yet. */
  expect(paths: readonly string[]): void {
    this.count += 1;
    for (const path of paths) this.touch(path);
  }

  stop(): void {
    for (const release of [...this.references.splice(0), ...this.watched.splice(0)]) release();
    if (this.timer !== null) window.clearTimeout(this.timer);
    this.timer = null;
    this.pending = [];
    this.listeners.clear();
    this.indexListeners.clear();
  }

  subscribe(listener: (batch: readonly VaultChange[]) => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Reports at once each note that Obsidian has indexed, until the returned function is called. */
  hearIndexed(listener: (path: string) => void): () => void {
    return subscribeTo(this.indexListeners, listener);
  }

  private touch(path: string | null): void {
    this.touches.push(path);
    if (this.touches.length <= maxTouches) return;
    // The newest half is known on: whoever read the vault lately has to look at those only.
    this.forgotten += this.touches.splice(0, maxTouches / 2).length;
  }

  private add(file: TAbstractFile, kind: VaultChange['kind'], oldPath?: string): void {
    if (oldPath !== undefined) this.touch(oldPath);
    this.touch(file.path);
    if (this.ignores(file.path) && (oldPath === undefined || this.ignores(oldPath))) return;
    this.count += 1;
    if (kind === 'indexed') for (const listener of [...this.indexListeners]) listener(file.path);
    this.pending.push({ path: file.path, kind, ...(oldPath === undefined ? {} : { oldPath }) });
    this.lastAt = Date.now();
    if (this.timer !== null) return;
    this.firstAt = this.lastAt;
    this.timer = window.setTimeout(() => this.flushIfQuiet(), quietDelay);
  }

  /** Waits on after later changes, unless the clock was set back. One timer serves a storm of them. */
  private flushIfQuiet(): void {
    const due = Math.min(this.lastAt + quietDelay, this.firstAt + maxDelay);
    const now = Date.now();
    if (now >= due || now < this.lastAt) this.flush();
    else this.timer = window.setTimeout(() => this.flushIfQuiet(), due - now);
  }

  private flush(): void {
    this.timer = null;
    const batch = this.pending.splice(0);
    for (const listener of this.listeners) listener(batch);
  }
}
