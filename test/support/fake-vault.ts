/** Vaults for tests: over a record of files, or over a folder on disk. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, type Outcome, succeed } from '../../src/core/ports/failure';
import type { DiskVault, FileEntry, NoteOutline, NoteText } from '../../src/core/ports/vault';
import { type ParsedNote, parseNote } from './fake-outline';

export interface FakeVault extends DiskVault {
  /** Adds or replaces a file; its time of change moves on. */
  put(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  /** Paths in the order in which they were read. */
  readonly reads: string[];
}

interface StoredFile {
  readonly entry: FileEntry;
  /** Null for a file that is not text. */
  readonly text: () => string | null;
  readonly bytes: () => Uint8Array;
}

/** Texts of files on disk by path, time and size: several vaults over a folder read each file once. */
const textsOnDisk = new Map<string, string>();

let vaults = 0;
let ticks = 1_700_000_000_000;

/** Creates a vault in memory from paths and contents. Pass bytes for a file that is not text. */
export function fakeVault(files: Readonly<Record<string, string | Uint8Array>>, name?: string): FakeVault {
  vaults += 1;
  const vault = new StoredVault(name ?? `Test vault ${vaults}`);
  for (const [path, content] of Object.entries(files)) vault.put(path, content);
  return vault;
}

/** The files of a folder; dot files and dot folders are left out. Nothing is ever written. */
export function folderVault(folder: string): FakeVault {
  vaults += 1;
  const vault = new StoredVault(`Folder vault ${vaults}`);
  const visit = (inner: string): void => {
    for (const item of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? item.name : `${inner}/${item.name}`;
      if (item.name.startsWith('.')) continue;
      if (item.isDirectory()) visit(path);
      else vault.putFile(path, join(folder, path));
    }
  };
  visit('');
  return vault;
}

class StoredVault implements FakeVault {
  readonly reads: string[] = [];
  private readonly stored = new Map<string, StoredFile>();
  private readonly parsed = new Map<string, ParsedNote>();
  private listed: FileEntry[] | null = null;
  private found: FoundFiles | null = null;
  /** Those of a list of files, since the same files give the same list. */
  private listedFolders: { readonly files: readonly FileEntry[]; readonly paths: readonly string[] } | null = null;

  constructor(readonly name: string) {}

  put(path: string, content: string | Uint8Array): void {
    ticks += 1;
    const size = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    const text = typeof content === 'string' ? content : null;
    const bytes = (): Uint8Array => (typeof content === 'string' ? Buffer.from(content) : content);
    this.store({ path, kind: kindOf(path), size, modified: ticks }, () => text, bytes);
  }

  putFile(path: string, onDisk: string): void {
    const { size, mtimeMs } = statSync(onDisk);
    const isText = /\.(?:md|canvas|base|csv|txt)$/i.test(path);
    const key = `${onDisk} ${mtimeMs} ${size}`;
    const read = (): string => {
      const known = textsOnDisk.get(key) ?? readFileSync(onDisk, 'utf8').replace(/^\ufeff/, '');
      textsOnDisk.set(key, known);
      return known;
    };
    const text = (): string | null => (isText ? read() : null);
    this.store({ path, kind: kindOf(path), size, modified: Math.floor(mtimeMs) }, text, () => readFileSync(onDisk));
  }

  remove(path: string): void {
    this.stored.delete(path);
    this.parsed.delete(path);
    this.listed = null;
  }

  private store(entry: FileEntry, text: () => string | null, bytes: () => Uint8Array): void {
    this.stored.set(entry.path, { entry, text, bytes });
    this.parsed.delete(entry.path);
    this.listed = null;
  }

  files(): readonly FileEntry[] {
    this.listed ??= [...this.stored.values()].map(({ entry }) => entry).sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.listed;
  }

  folders(): readonly string[] {
    const files = this.files();
    if (this.listedFolders?.files !== files) this.listedFolders = { files, paths: this.listFolders() };
    return this.listedFolders.paths;
  }

  private listFolders(): readonly string[] {
    const folders = new Set<string>();
    for (const path of this.stored.keys()) {
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
    }
    return [...folders].sort();
  }

  file(path: string): FileEntry | undefined {
    const exact = this.stored.get(path)?.entry;
    if (exact !== undefined) return exact;
    const twins = this.find().byPlainPath.get(plain(path)) ?? [];
    return twins.length === 1 ? twins[0] : undefined;
  }

  async read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>> {
    this.reads.push(path);
    await Promise.resolve();
    if (signal?.aborted === true) return fail({ kind: 'aborted', words: 'Stopped.', remedy: 'Ask again.' });
    const stored = this.stored.get(path);
    if (stored === undefined)
      return fail({ kind: 'not-found', words: `“${path}” was not found.`, remedy: 'Check it.' });
    const text = stored.text();
    if (text === null) return fail({ kind: 'not-text', words: `“${path}” is not a text file.`, remedy: 'Open it.' });
    return succeed({ path, text, size: stored.entry.size, modified: stored.entry.modified });
  }

  async readBytes(path: string): Promise<Outcome<Uint8Array>> {
    await Promise.resolve();
    const stored = this.stored.get(path);
    if (stored !== undefined) return succeed(stored.bytes());
    return fail({ kind: 'not-found', words: `There is no file at “${path}”.`, remedy: 'Check it.' });
  }

  tags(path: string): readonly string[] | undefined {
    return this.outline(path)?.tags;
  }

  outline(path: string): NoteOutline | undefined {
    const parsed = this.parse(path);
    if (parsed === undefined) return undefined;
    const links = parsed.links.map((link) => {
      const leads = this.resolveLink(link.target, path);
      return leads === undefined ? link : { ...link, path: leads };
    });
    return { ...parsed, links };
  }

  backlinks(path: string): readonly string[] {
    return this.files()
      .filter((entry) =>
        this.parse(entry.path)?.links.some((link) => this.resolveLink(link.target, entry.path) === path),
      )
      .map((entry) => entry.path);
  }

  resolveLink(linkText: string, fromPath: string): string | undefined {
    const target = linkText.replace(/#.*$/, '').trim();
    if (target === '') return fromPath === '' ? undefined : fromPath;
    const wanted = target.toLowerCase();
    const { byName } = this.find();
    const fits = [wanted, `${wanted}.md`].flatMap((end) =>
      (byName.get(nameOf(end)) ?? []).filter(({ path }) => `/${path.toLowerCase()}`.endsWith(`/${end}`)),
    );
    return fits.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))[0]?.path;
  }

  private find(): FoundFiles {
    const files = this.files();
    if (this.found?.files === files) return this.found;
    this.found = {
      files,
      byPlainPath: groupBy(files, ({ path }) => plain(path)),
      byName: groupBy(files, ({ path }) => nameOf(path.toLowerCase())),
    };
    return this.found;
  }

  private parse(path: string): ParsedNote | undefined {
    const known = this.parsed.get(path);
    const stored = this.stored.get(path);
    if (known !== undefined || stored === undefined || stored.entry.kind !== 'note') return known;
    const text = stored.text();
    if (text === null) return undefined;
    const parsed = parseNote(path, text);
    this.parsed.set(path, parsed);
    return parsed;
  }
}

/** The files of a list by what a path or a link names them. */
interface FoundFiles {
  readonly files: readonly FileEntry[];
  readonly byPlainPath: ReadonlyMap<string, readonly FileEntry[]>;
  readonly byName: ReadonlyMap<string, readonly FileEntry[]>;
}

function groupBy(files: readonly FileEntry[], keyOf: (entry: FileEntry) => string): Map<string, FileEntry[]> {
  const groups = new Map<string, FileEntry[]>();
  for (const entry of files) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

function plain(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function kindOf(path: string): FileEntry['kind'] {
  return path.toLowerCase().endsWith('.md') ? 'note' : 'attachment';
}
