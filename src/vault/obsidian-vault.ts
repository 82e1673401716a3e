/** Implements the Vault port with Obsidian's vault and index: the lowest layer of the stack. */
import { type App, type CachedMetadata, parseYaml, stringifyYaml, TextFileView, TFile } from 'obsidian';
import type { Steps } from '../core/base/async';
import { compareText, inSteps } from '../core/base/list-edits';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { propertyTags } from '../core/markdown/note-tags';
import type { DiskVault, FileEntry, NoteOutline, NoteText } from '../core/ports/vault';
import { words } from '../text';
import { entryOf, FileTable, type FollowedChanges } from './file-table';

/** Bytes; a larger file is reported with its size and not read. */
const maxFile = 100_000_000;

export class ObsidianVault implements DiskVault {
  private readonly table: FileTable;
  private linked: { readonly revision: number; readonly backlinks: Backlinks } | null = null;

  constructor(
    private readonly app: App,
    private readonly changes: FollowedChanges,
  ) {
    this.table = new FileTable(app, changes);
  }

  get name(): string {
    return this.app.vault.getName();
  }

  files(): readonly FileEntry[] {
    return this.table.files();
  }

  folders(): readonly string[] {
    return this.table.folders();
  }

  /** Makes in steps what the first use would make at once. */
  prepare(): Steps<void> {
    return this.table.prepare();
  }

  file(path: string): FileEntry | undefined {
    const exact = this.app.vault.getFileByPath(path);
    if (exact !== null) return entryOf(exact);
    const twin = this.table.twinOf(path);
    const file = twin === undefined ? null : this.app.vault.getFileByPath(twin);
    return file === null ? undefined : entryOf(file);
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

  /** Returns a file's text as it was last saved, without what an editor has not saved; null if it cannot be read. */
  async readSaved(path: string): Promise<string | null> {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) return null;
    const text = await this.app.vault.cachedRead(file).catch(() => null);
    return text?.replace(/^\ufeff/, '') ?? null;
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
  marks(path: string): RecordMarks | undefined {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) return undefined;
    const record = this.app.metadataCache.getFileCache(file);
    if (record !== null) return new RecordMarks(record);
    this.table.awaitIndex(path);
    return undefined;
  }

  /** Returns the paths of which `find` does not return null, in the order of the app. */
  *findPaths(find: (path: string) => unknown): Steps<string[]> {
    const found: string[] = [];
    yield* inSteps(this.app.vault.getFiles(), ({ path }) => {
      if (find(path) !== null) found.push(path);
    });
    return found;
  }

  /**
   * Returns the paths of the notes whose marks pass a test. All are looked up in the order of the app, in which their
   * records are side by side in memory.
   */
  *findMarked(test: (marks: RecordMarks) => boolean): Steps<ReadonlySet<string>> {
    const { vault, metadataCache } = this.app;
    const found = new Set<string>();
    yield* inSteps(vault.getFiles(), (file) => {
      const record = file.extension === 'md' ? metadataCache.getFileCache(file) : undefined;
      if (record === null) this.table.awaitIndex(file.path);
      else if (record !== undefined && test(new RecordMarks(record))) found.add(file.path);
    });
    return found;
  }

  tags(path: string): readonly string[] | undefined {
    return this.marks(path)?.tags;
  }

  backlinks(path: string): readonly string[] {
    const { revision } = this.changes;
    if (revision === null || this.linked?.revision !== revision) {
      this.linked = { revision: revision ?? -1, backlinks: reverseLinks(this.app.metadataCache.resolvedLinks) };
    }
    return this.linked.backlinks.get(path) ?? [];
  }

  resolveLink(linkText: string, fromPath: string): string | undefined {
    const target = linkText.replace(/[#^].*$/, '');
    if (target === '') return fromPath;
    return this.app.metadataCache.getFirstLinkpathDest(target, fromPath)?.path;
  }

  /**
   * Saves unsaved edits in open notes, so that what is read is what the user sees.
   * @returns the paths of the saved notes
   */
  async flushEditors(only?: TFile): Promise<readonly string[]> {
    const views: { readonly view: TextFileView; readonly file: TFile }[] = [];
    this.app.workspace.iterateAllLeaves(({ view }) => {
      // Only for notes is the view's text the file's text; other views write their files in their own format.
      if (!(view instanceof TextFileView) || view.file === null || view.file.extension !== 'md') return;
      if (only === undefined || view.file === only) views.push({ view, file: view.file });
    });
    const saved = await Promise.all(
      views.map(async ({ view, file }) => {
        if (toEditorText(view.getViewData()) === toEditorText(await this.app.vault.cachedRead(file))) return [];
        await view.save();
        return [file.path];
      }),
    );
    return saved.flat();
  }
}

type Backlinks = ReadonlyMap<string, readonly string[]>;

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
  if (!text.includes('\ufffd')) return true;
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
  const known = outlines.get(cache);
  const outline = known?.path === path ? known : { ...convert(cache), path };
  outlines.set(cache, outline);
  const targets = new Map<string, string | undefined>();
  const links = outline.links.map((link) => {
    if (!targets.has(link.target)) targets.set(link.target, resolve(link.target));
    return withTarget(link, targets.get(link.target));
  });
  return { ...outline, links };
}

const noProperties: NoteOutline['properties'] = {};

/** RecordMarks: the properties and tags of an index record, taken from it when they are asked for. */
class RecordMarks {
  constructor(readonly record: CachedMetadata) {}

  get properties(): NoteOutline['properties'] {
    return this.record.frontmatter ?? noProperties;
  }

  /** With the leading `#`. */
  get tags(): readonly string[] {
    return tagsOf(this.record);
  }
}

function tagsOf({ tags = [], frontmatter = {} }: CachedMetadata): string[] {
  const { position: _position, ...properties } = frontmatter as Record<string, unknown>;
  return [...new Set([...propertyTags(properties), ...tags.map(({ tag }) => tag)])];
}

function withTarget(link: NoteOutline['links'][number], path: string | undefined): NoteOutline['links'][number] {
  // Written out, since a note may have hundreds of links: to spread one takes ten times as long.
  return path === undefined ? link : { target: link.target, embed: link.embed, line: link.line, path };
}

function convert(cache: CachedMetadata): Omit<NoteOutline, 'path'> {
  const { position: _position, ...properties } = (cache.frontmatter ?? {}) as Record<string, unknown>;
  return {
    headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
      level,
      text: heading,
      line: position.start.line,
    })),
    tags: tagsOf(cache),
    links: [
      ...(cache.frontmatterLinks ?? []).map(({ link }) => ({ target: link, embed: false, line: 0 })),
      ...(cache.links ?? []).map(({ link, position }) => ({ target: link, embed: false, line: position.start.line })),
      ...(cache.embeds ?? []).map(({ link, position }) => ({ target: link, embed: true, line: position.start.line })),
    ],
    properties,
    blocks: Object.values(cache.blocks ?? {}).map(({ id, position }) => ({ id, line: position.start.line })),
  };
}
