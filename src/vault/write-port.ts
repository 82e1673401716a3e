/** Implements WritePort with Obsidian's vault: the only code that changes notes. */
import { type App, type CachedMetadata, TextFileView, type TFile } from 'obsidian';
import { isEqual, nestsTooDeep } from '../core/base/equality';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { BytesDigest, Pause, WritePort } from '../core/writing/changeset/ports';
import { words } from '../text';
import type { VaultChanges } from './changes';
import { bufferOf } from './journal-files';
import { missingNote, toEditorText } from './obsidian-vault';
import type { AppPreferences } from './stack';
import { moveToTrash } from './trash';

export interface WritePortOptions {
  readonly app: App;
  readonly changes: Pick<VaultChanges, 'hearIndexed' | 'expect'>;
  readonly hash: BytesDigest;
  readonly pause: Pause;
  preferences(): AppPreferences;
}

/**
 * Milliseconds: between checks of one thing, between checks of all files of a move, without change until a move counts
 * as settled, and the maximum waits.
 */
const checkInterval = 50;
const moveCheckInterval = 125;
const settledAfter = 500;
const maxWait = { index: 5_000, settle: 10_000, links: 3_000 } as const;

/** Thrown inside Obsidian's atomic read-and-write step to leave the file unchanged. */
class LeftUnchanged extends Error {}

export class ObsidianWritePort implements WritePort {
  /** Notes that Obsidian has not indexed since they were written. */
  private readonly unread = new Set<string>();
  /** Notes in which Obsidian has yet to update links, with the hash of their content until then. */
  private readonly awaited = new Map<string, string | null>();

  constructor(private readonly options: WritePortOptions) {}

  async flush(path: string): Promise<Outcome<void>> {
    const { app, changes } = this.options;
    const views: TextFileView[] = [];
    app.workspace.iterateAllLeaves(({ view }) => {
      if (view instanceof TextFileView && view.file?.path === path) views.push(view);
    });
    for (const view of views) {
      const file = view.file;
      if (file === null) continue;
      const saved = await attempt(path, async () => {
        const [shown, stored] = [view.getViewData(), await app.vault.read(file)].map(toEditorText) as [string, string];
        if (shown === stored || (file.extension === 'canvas' && isSameCanvas(shown, stored))) return true;
        // Other views write their files in their own format, which may change more than the user edited.
        if (file.extension !== 'md') return false;
        await view.save();
        changes.expect([path]);
        return toEditorText(view.getViewData()) === toEditorText(await app.vault.read(file));
      });
      if (!saved.ok) return saved;
      if (!saved.value) return refuse(words.writing.unsavedView(path), words.writing.unsavedViewRemedy);
    }
    return succeed(undefined);
  }

  async readBytes(path: string): Promise<Outcome<Uint8Array>> {
    const { adapter } = this.options.app.vault;
    return attempt(
      path,
      async () => new Uint8Array(await adapter.readBinary(path)),
      async () => !(await adapter.exists(path)),
    );
  }

  async process(path: string, decide: (text: string) => string | null): Promise<Outcome<'written' | 'left'>> {
    const { vault } = this.options.app;
    const file = vault.getFileByPath(path);
    if (file === null) return fail(missingNote(path));
    const release = this.expectIndex(path);
    try {
      await vault.process(file, (text) => {
        const next = decide(text);
        if (next === null) throw new LeftUnchanged();
        return next;
      });
      return succeed('written');
    } catch (thrown) {
      release();
      return thrown instanceof LeftUnchanged ? succeed('left') : fail(refusedByDisk(path, thrown));
    }
  }

  async create(path: string, bytes: Uint8Array): Promise<Outcome<void>> {
    const { vault } = this.options.app;
    const there = await attempt(path, () => vault.adapter.exists(path));
    if (!there.ok) return there;
    if (there.value) return refuse(words.writing.placeTaken(path), words.writing.placeTakenRemedy);
    const release = this.expectIndex(path);
    const made = await attempt(path, async () => void (await vault.createBinary(path, bufferOf(bytes))));
    if (!made.ok) release();
    return made;
  }

  async ensureFolders(path: string): Promise<Outcome<readonly string[]>> {
    const { vault } = this.options.app;
    return attempt(path, async () => {
      const made: string[] = [];
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
        const folder = path.slice(0, end);
        if (vault.getFolderByPath(folder) !== null || (await vault.adapter.exists(folder))) continue;
        await vault.createFolder(folder);
        made.push(folder);
      }
      return made;
    });
  }

  async removeEmptyFolder(folder: string): Promise<void> {
    const { adapter } = this.options.app.vault;
    // The adapter throws for a folder that is not empty, which then stays.
    await adapter.rmdir(folder, false).catch(() => undefined);
  }

  async rename(from: string, to: string): Promise<Outcome<void>> {
    const { app } = this.options;
    const file = app.vault.getFileByPath(from);
    if (file === null) return fail(missingNote(from));
    const links = linksTo(app, file);
    const before = new Map<string, string | null>();
    for (const source of links.keys()) before.set(source, await this.hashOf(source));
    const renamed = await attempt(from, () => app.fileManager.renameFile(file, to));
    if (!renamed.ok || !this.options.preferences().updatesLinks) return renamed;
    for (const source of brokenSources(app, file, links)) this.awaited.set(source, before.get(source) ?? null);
    return renamed;
  }

  async trash(path: string): Promise<Outcome<void>> {
    const { app } = this.options;
    const file = app.vault.getFileByPath(path);
    if (file === null) return fail(missingNote(path));
    return attempt(path, () => moveToTrash(app, file, this.options.preferences().deletesForGood));
  }

  linkSources(path: string): readonly string[] {
    return linkSourcesOf(this.options.app, path);
  }

  async indexed(paths: readonly string[]): Promise<void> {
    await this.wait(maxWait.index, () => Promise.resolve(!paths.some((path) => this.unread.has(path))));
  }

  async settled(paths: readonly string[]): Promise<void> {
    for (let left = Infinity; this.awaited.size > 0 && this.awaited.size < left;) {
      left = this.awaited.size;
      // Many files take Obsidian long, so each one that it has updated begins the wait again.
      await this.wait(maxWait.links, async () => (await this.countAwaited(paths)) < left, moveCheckInterval);
    }
    this.awaited.clear();
    let last = '';
    let since = 0;
    const isQuiet = async (): Promise<boolean> => {
      const now = (await Promise.all(paths.map((path) => this.hashOf(path)))).join();
      since = now === last ? since + moveCheckInterval : 0;
      last = now;
      return since >= settledAfter;
    };
    await this.wait(maxWait.settle, isQuiet, moveCheckInterval);
  }

  /** Returns in how many of these files Obsidian has yet to update links, and no longer waits for the others. */
  private async countAwaited(paths: readonly string[]): Promise<number> {
    const moved = new Set(paths);
    const isUpdated = async ([path, before]: readonly [string, string | null]): Promise<boolean> =>
      !moved.has(path) || (await this.hashOf(path)) !== before;
    await Promise.all([...this.awaited].map(async (each) => (await isUpdated(each)) && this.awaited.delete(each[0])));
    return this.awaited.size;
  }

  private async hashOf(path: string): Promise<string | null> {
    const bytes = await this.readBytes(path);
    return bytes.ok ? this.options.hash(bytes.value) : null;
  }

  /** Marks a note as not indexed until Obsidian indexes it again. */
  private expectIndex(path: string): () => void {
    if (!/\.md$/i.test(path)) return () => {};
    this.unread.add(path);
    const release = this.options.changes.hearIndexed((heard) => {
      if (heard !== path) return;
      this.unread.delete(path);
      release();
    });
    return () => {
      this.unread.delete(path);
      release();
    };
  }

  private async wait(maxTime: number, isOver: () => Promise<boolean>, every = checkInterval): Promise<void> {
    for (let waited = 0; waited < maxTime && !(await isOver()); waited += every) await this.options.pause(every);
  }
}

/** Whether two texts are the same canvas: a view writes its own in a layout of its own, and names also what it lacks. */
function isSameCanvas(one: string, other: string): boolean {
  try {
    const [values, others] = [one, other].map((text) => ({
      ...{ nodes: [], edges: [] },
      ...(JSON.parse(text === '' ? '{}' : text) as object),
    }));
    return !nestsTooDeep(values) && isEqual(values, others);
  } catch {
    return false;
  }
}

async function attempt<Value>(
  path: string,
  action: () => Promise<Value>,
  isMissing: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Outcome<Value>> {
  try {
    return succeed(await action());
  } catch (thrown) {
    return fail((await isMissing().catch(() => false)) ? missingNote(path) : refusedByDisk(path, thrown));
  }
}

function refusedByDisk(path: string, thrown: unknown): Failure {
  return {
    kind: 'storage',
    words: words.writing.diskRefused(path, messageOf(thrown)),
    remedy: words.writing.diskRefusedRemedy,
  };
}

function refuse(what: string, remedy: string): Outcome<never> {
  return fail({ kind: 'refused', words: what, remedy });
}

// Which files Obsidian updates when another file moves, and which of them are still to be updated.

/** Returns files with links to this one, and every canvas, because not every Obsidian indexes the links in canvases. */
function linkSourcesOf({ vault, metadataCache }: Pick<App, 'vault' | 'metadataCache'>, path: string): string[] {
  const sources = new Set<string>();
  for (const [source, targets] of Object.entries(metadataCache.resolvedLinks)) {
    if (Object.hasOwn(targets, path)) sources.add(source);
  }
  for (const { extension, path: canvas } of vault.getFiles()) if (extension === 'canvas') sources.add(canvas);
  sources.delete(path);
  return [...sources].sort();
}

/** Returns notes with an unresolved link whose last part is this name, in lower case and without `.md`. */
export function danglingSourcesOf({ metadataCache }: App, name: string): string[] {
  return Object.entries(metadataCache.unresolvedLinks).flatMap(([source, targets]) =>
    Object.keys(targets).some((target) => lastPart(target) === name) ? [source] : [],
  );
}

/** Maps each note to its links that lead to a file, as they are written. */
function linksTo({ vault, metadataCache }: App, file: TFile): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, readonly string[]>();
  for (const source of linkSourcesOf({ vault, metadataCache }, file.path)) {
    const note = vault.getFileByPath(source);
    const cache = note === null ? null : metadataCache.getFileCache(note);
    const own = linksIn(cache).filter((link) => metadataCache.getFirstLinkpathDest(link, source) === file);
    if (own.length > 0) links.set(source, own);
  }
  return links;
}

/** Returns notes whose links led to the file but no longer do under its new path. */
function brokenSources({ metadataCache }: App, file: TFile, links: ReadonlyMap<string, readonly string[]>): string[] {
  return [...links].flatMap(([source, own]) =>
    own.some((link) => metadataCache.getFirstLinkpathDest(link, source) !== file) ? [source] : [],
  );
}

function linksIn(cache: CachedMetadata | null): string[] {
  const all = [...(cache?.links ?? []), ...(cache?.embeds ?? []), ...(cache?.frontmatterLinks ?? [])];
  return all.map(({ link }) => link.replace(/[#^|].*$/s, '')).filter((link) => link !== '');
}

function lastPart(link: string): string {
  return link
    .replace(/[#^|].*$/s, '')
    .replace(/^.*\//, '')
    .replace(/\.md$/i, '')
    .toLowerCase();
}
