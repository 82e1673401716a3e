/** Implements the Vault port with Obsidian's vault and index: the lowest layer of the stack. */
import { type App, type CachedMetadata, parseYaml, stringifyYaml, TextFileView, TFile, TFolder } from 'obsidian';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { propertyTags } from '../core/markdown/note-tags';
import type { DiskVault, FileEntry, NoteOutline, NoteText } from '../core/ports/vault';
import { words } from '../text';
import type { VaultChanges } from './changes';

/** Bytes; a larger file is reported with its size and not read. */
const maxFile = 100_000_000;

export class ObsidianVault implements DiskVault {
  private readonly listed: {
    files?: Cached<readonly FileEntry[]>;
    folders?: Cached<readonly string[]>;
    twins?: Cached<Twins>;
    backlinks?: Cached<Backlinks>;
  } = {};

  constructor(
    private readonly app: App,
    private readonly changes: Pick<VaultChanges, 'revision'>,
  ) {}

  get name(): string {
    return this.app.vault.getName();
  }

  files(): readonly FileEntry[] {
    return this.cached('files', () => this.app.vault.getFiles().map(entryOf).sort(byPath));
  }

  folders(): readonly string[] {
    return this.cached('folders', () =>
      this.app.vault
        .getAllFolders(false)
        .map((folder: TFolder) => folder.path)
        .sort(compareText),
    );
  }

  file(path: string): FileEntry | undefined {
    const exact = this.app.vault.getFileByPath(path);
    if (exact !== null) return entryOf(exact);
    const twins = this.cached('twins', () => foldPaths(this.app.vault.getFiles())).get(foldPath(path));
    const only = twins?.length === 1 ? twins[0] : undefined;
    const twin = only === undefined ? null : this.app.vault.getFileByPath(only);
    return twin === null ? undefined : entryOf(twin);
  }

  async read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>> {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) return fail(missingNote(path));
    if (file.stat.size > maxFile) return fail(tooLarge(file));
    try {
      await this.flushEditors(file);
      const text = await this.app.vault.cachedRead(file);
      if (signal?.aborted === true) return fail(stopped());
      if (!isText(text)) return fail(notText(path));
      const { size, mtime } = file.stat;
      return succeed({ path: file.path, text: text.replace(/^\ufeff/, ''), size, modified: mtime });
    } catch (thrown) {
      return fail(unreadable(path, messageOf(thrown)));
    }
  }

  async readBytes(path: string): Promise<Outcome<Uint8Array>> {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) return fail(missingNote(path));
    if (file.stat.size > maxFile) return fail(tooLarge(file));
    try {
      return succeed(new Uint8Array(await this.app.vault.readBinary(file)));
    } catch (thrown) {
      return fail(unreadable(path, messageOf(thrown)));
    }
  }

  outline(path: string): NoteOutline | undefined {
    const file = this.app.vault.getFileByPath(path);
    const cache = file && this.app.metadataCache.getFileCache(file);
    return file && cache ? outlineOf(file.path, cache, (link) => this.resolveLink(link, file.path)) : undefined;
  }

  /** Returns the tags and properties that Obsidian has indexed for a note, or undefined until the note is indexed. */
  marks(path: string): Pick<NoteOutline, 'tags' | 'properties'> | undefined {
    const file = this.app.vault.getFileByPath(path);
    const cache = file && this.app.metadataCache.getFileCache(file);
    return file && cache ? marksOf(file.path, cache) : undefined;
  }

  backlinks(path: string): readonly string[] {
    return this.cached('backlinks', () => reverseLinks(this.app.metadataCache.resolvedLinks)).get(path) ?? [];
  }

  resolveLink(linkText: string, fromPath: string): string | undefined {
    const target = linkText.replace(/[#^].*$/, '');
    if (target === '') return fromPath;
    return this.app.metadataCache.getFirstLinkpathDest(target, fromPath)?.path;
  }

  /**
   * Saves unsaved edits in open notes, so that what is read is what the user sees.
   * @returns whether anything was saved
   */
  async flushEditors(only?: TFile): Promise<boolean> {
    const views: { readonly view: TextFileView; readonly file: TFile }[] = [];
    this.app.workspace.iterateAllLeaves(({ view }) => {
      // Only for notes is the view's text the file's text; other views write their files in their own format.
      if (!(view instanceof TextFileView) || view.file === null || view.file.extension !== 'md') return;
      if (only === undefined || view.file === only) views.push({ view, file: view.file });
    });
    const saved = await Promise.all(
      views.map(async ({ view, file }) => {
        if (toEditorText(view.getViewData()) === toEditorText(await this.app.vault.cachedRead(file))) return false;
        await view.save();
        return true;
      }),
    );
    return saved.includes(true);
  }

  /** Caches derived lists per vault revision; without a revision they are computed at each call. */
  private cached<Key extends keyof ObsidianVault['listed']>(key: Key, make: () => ValueOf<Key>): ValueOf<Key> {
    const { revision } = this.changes;
    const known = this.listed[key] as Cached<ValueOf<Key>> | undefined;
    if (known !== undefined && revision !== null && known.revision === revision) return known.value;
    const value = make();
    if (revision !== null) Object.assign(this.listed, { [key]: { revision, value } });
    return value;
  }
}

interface Cached<Value> {
  readonly revision: number;
  readonly value: Value;
}
type ValueOf<Key extends keyof ObsidianVault['listed']> = NonNullable<ObsidianVault['listed'][Key]>['value'];
type Twins = ReadonlyMap<string, readonly string[]>;
type Backlinks = ReadonlyMap<string, readonly string[]>;

function entryOf(file: TFile): FileEntry {
  const kind = file.extension === 'md' ? 'note' : 'attachment';
  return { path: file.path, kind, size: file.stat.size, modified: file.stat.mtime };
}

function byPath(a: FileEntry, b: FileEntry): number {
  return compareText(a.path, b.path);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function foldPaths(files: readonly TFile[]): Twins {
  const twins = new Map<string, string[]>();
  for (const { path } of files) {
    const folded = foldPath(path);
    const known = twins.get(folded);
    if (known === undefined) twins.set(folded, [path]);
    else known.push(path);
  }
  return twins;
}

function reverseLinks(resolved: Readonly<Record<string, Readonly<Record<string, number>>>>): Backlinks {
  const reversed = new Map<string, string[]>();
  for (const [from, targets] of Object.entries(resolved)) {
    for (const target of Object.keys(targets)) {
      // Obsidian counts links to a heading of the same note.
      if (target === from) continue;
      const sources = reversed.get(target);
      if (sources === undefined) reversed.set(target, [from]);
      else sources.push(from);
    }
  }
  for (const sources of reversed.values()) sources.sort(compareText);
  return reversed;
}

/** Rejects binary files and UTF-16: text has no NUL and hardly any byte that is not UTF-8. */
function isText(text: string): boolean {
  // A byte order mark of UTF-16 reads as two broken characters.
  if (text.includes('\0') || text.startsWith('\ufffd\ufffd')) return false;
  const broken = text.split('\ufffd').length - 1;
  return broken <= 8 || broken / text.length < 0.005;
}

export function missingNote(path: string): Failure {
  return { kind: 'not-found', words: words.failures.noteMissing(path), remedy: words.failures.noteMissingRemedy };
}

function unreadable(path: string, detail: string): Failure {
  return {
    kind: 'unreadable',
    words: `${words.failures.noteUnreadable(path)} (${detail})`,
    remedy: words.failures.noteUnreadableRemedy,
  };
}

function notText(path: string): Failure {
  return { kind: 'not-text', words: words.failures.notText(path), remedy: words.failures.notTextRemedy };
}

function tooLarge(file: TFile): Failure {
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
  return {
    kind: 'too-large',
    words: words.failures.tooLarge(file.path, megabytes(file.stat.size), megabytes(maxFile)),
    remedy: words.failures.tooLargeRemedy,
  };
}

function stopped(): Failure {
  return { kind: 'aborted', words: words.failures.aborted, remedy: words.failures.abortedRemedy };
}

/**
 * Returns the text as an editor holds it: with LF line endings and no byte order mark. Neither difference is a change
 * to save.
 */
export function toEditorText(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/** YAML as Obsidian reads and writes it, for properties. */
export const yaml = {
  parse: (text: string): unknown => parseYaml(text),
  stringify: (value: unknown): string => stringifyYaml(value),
};

const outlines = new WeakMap<CachedMetadata, NoteOutline>();

/**
 * Converts Obsidian's index record of a note to the outline that core reads. Caches the outline per record, because
 * Obsidian creates a new record whenever the note changes. Links are resolved at each call.
 */
export function outlineOf(
  path: string,
  cache: CachedMetadata,
  resolve: (link: string) => string | undefined,
): NoteOutline {
  const outline = marksOf(path, cache);
  return { ...outline, links: outline.links.map((link) => withTarget(link, resolve(link.target))) };
}

/** Returns the outline before its links are resolved, without reading the vault. */
function marksOf(path: string, cache: CachedMetadata): NoteOutline {
  const known = outlines.get(cache);
  if (known?.path === path) return known;
  const outline = { ...convert(cache), path };
  outlines.set(cache, outline);
  return outline;
}

function withTarget(link: NoteOutline['links'][number], path: string | undefined): NoteOutline['links'][number] {
  return path === undefined ? link : { ...link, path };
}

function convert(cache: CachedMetadata): Omit<NoteOutline, 'path'> {
  const { position: _position, ...properties } = (cache.frontmatter ?? {}) as Record<string, unknown>;
  return {
    headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
      level,
      text: heading,
      line: position.start.line,
    })),
    tags: [...new Set([...propertyTags(properties), ...(cache.tags ?? []).map(({ tag }) => tag)])],
    links: [
      ...(cache.frontmatterLinks ?? []).map(({ link }) => ({ target: link, embed: false, line: 0 })),
      ...(cache.links ?? []).map(({ link, position }) => ({ target: link, embed: false, line: position.start.line })),
      ...(cache.embeds ?? []).map(({ link, position }) => ({ target: link, embed: true, line: position.start.line })),
    ],
    properties,
    blocks: Object.values(cache.blocks ?? {}).map(({ id, position }) => ({ id, line: position.start.line })),
  };
}
