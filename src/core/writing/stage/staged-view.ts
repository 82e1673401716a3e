/**
 * StagedView: the vault as it will be after the staged changes are applied; an overlay over another vault, not a cache.
 */
import { words } from '../../../text';
import { byteLength } from '../../base/cut';
import { rememberOf } from '../../base/lazy';
import { compareText, countLeading, editsFor, withEdits } from '../../base/list-edits';
import { bestTarget, linkName, linkPath, scanNote } from '../../markdown/links';
import { fail, type Outcome, succeed } from '../../ports/failure';
import type { FileEntry, NoteLink, NoteOutline, NoteText, Vault, Yaml } from '../../ports/vault';
import { type FileChange, textAfter } from '../changeset/changeset';
import { breaksMerge } from '../changeset/describe-changeset';
import { mergeTexts } from '../changeset/diff';

export interface StagedViewPorts {
  readonly yaml: Yaml;
  /** Whether Obsidian updates links when a file moves. */
  linksFollowMoves(): boolean;
  /** Returns the notes with an unresolved link whose path ends in this name, in lower case and without `.md`. */
  danglingSources(name: string): readonly string[];
}

interface Listing {
  readonly under: readonly unknown[];
  readonly revision: number;
}

export class StagedView implements Vault {
  private listedFiles: (Listing & { readonly files: readonly FileEntry[] }) | null = null;
  private listedFolders: (Listing & { readonly folders: readonly string[] }) | null = null;

  constructor(
    private readonly under: Vault,
    private readonly overlay: Overlay,
    private readonly ports: StagedViewPorts,
  ) {}

  get name(): string {
    return this.under.name;
  }

  files(): readonly FileEntry[] {
    const under = this.under.files();
    if (this.overlay.isEmpty) return under;
    const { revision } = this.overlay;
    if (this.listedFiles?.under !== under || this.listedFiles.revision !== revision) {
      const all = this.overlay.all();
      const touched = all.flatMap(({ change: { from, to } }) => [from, to].flatMap((path) => entryAt(under, path)));
      const staged = all.flatMap((file) => this.entryOf(file) ?? []);
      const edits = editsFor(under, touched, staged, (a, b) => compareText(a.path, b.path));
      this.listedFiles = { under, revision, files: withEdits(under, edits) };
    }
    return this.listedFiles.files;
  }

  folders(): readonly string[] {
    const under = this.under.folders();
    if (this.overlay.isEmpty) return under;
    const { revision } = this.overlay;
    if (this.listedFolders?.under !== under || this.listedFolders.revision !== revision) {
      const folders = new Set(under);
      for (const { change } of this.overlay.all())
        for (const folder of foldersAbove(change.to ?? '')) folders.add(folder);
      this.listedFolders = { under, revision, folders: [...folders].sort(compareText) };
    }
    return this.listedFolders.folders;
  }

  file(path: string): FileEntry | undefined {
    if (this.overlay.isEmpty) return this.under.file(path);
    const exact = this.overlay.at(path);
    if (exact !== undefined) return this.entryOf(exact);
    const entry = this.under.file(path);
    if (entry !== undefined) {
      const staged = this.overlay.at(entry.path);
      if (staged !== undefined) return this.entryOf(staged);
      if (this.overlay.from(entry.path) === undefined) return entry;
    }
    const folded = fold(path);
    const twins = this.overlay.all().filter(({ change }) => change.to !== null && fold(change.to) === folded);
    return twins.length === 1 && twins[0] !== undefined ? this.entryOf(twins[0]) : undefined;
  }

  async read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>> {
    const entry = this.file(path);
    if (entry === undefined) {
      if (this.under.file(path) === undefined) return this.under.read(path, signal);
      return fail({
        kind: 'not-found',
        words: words.failures.noteMissing(path),
        remedy: words.failures.noteMissingRemedy,
      });
    }
    const staged = this.overlay.at(entry.path);
    if (staged === undefined || staged.applied) return this.under.read(entry.path, signal);
    const { text, from } = staged.change;
    if (text !== null) {
      const now = await this.withEditsSince(staged.change, text, signal);
      const size = now === text ? entry.size : byteLength(now);
      return succeed({ path: entry.path, text: now, size, modified: entry.modified });
    }
    const read = await this.under.read(from ?? entry.path, signal);
    return read.ok ? succeed({ ...read.value, path: entry.path, modified: entry.modified }) : read;
  }

  /** Returns the text of a waiting change with what was edited on disk since, as the next write builds on it. */
  private async withEditsSince({ from, base }: FileChange, text: string, signal?: AbortSignal): Promise<string> {
    const before = base?.text ?? null;
    if (from === null || before === null) return text;
    const disk = await this.under.read(from, signal);
    const merged = disk.ok ? mergeTexts(disk.value.text, before, text) : null;
    if (!disk.ok || merged === null) return text;
    return breaksMerge(from, [disk.value.text, text], merged, this.ports.yaml) ? text : merged;
  }

  outline(path: string): NoteOutline | undefined {
    if (this.overlay.isEmpty) return this.under.outline(path);
    const entry = this.file(path);
    if (entry === undefined) return undefined;
    const staged = this.overlay.at(entry.path);
    if (staged === undefined) return this.withLinksAfter(this.under.outline(entry.path));
    if (entry.kind !== 'note') return undefined;
    const { links, ...scan } = scanOf(staged.change, this.ports.yaml);
    return { ...scan, path: entry.path, links: links.map((link) => this.resolved(link, entry.path)) };
  }

  tags(path: string): readonly string[] | undefined {
    if (this.overlay.isEmpty) return this.under.tags(path);
    const entry = this.file(path);
    const staged = entry && this.overlay.at(entry.path);
    if (staged === undefined) return entry && this.under.tags(entry.path);
    return entry?.kind === 'note' ? scanOf(staged.change, this.ports.yaml).tags : undefined;
  }

  backlinks(path: string): readonly string[] {
    if (this.overlay.isEmpty) return this.under.backlinks(path);
    const entry = this.file(path);
    if (entry === undefined) return [];
    const staged = this.overlay.at(entry.path);
    const origin = staged === undefined ? entry.path : staged.change.from;
    const leadsHere = (source: string): boolean =>
      this.outline(source)?.links.some((link) => link.path === entry.path) === true;
    const onDisk = origin === null ? [] : this.sourcesOnDisk(origin, leadsHere);
    const inChanges = this.overlay
      .all()
      .flatMap(({ change: { to } }) => (to !== null && to !== entry.path && leadsHere(to) ? [to] : []));
    const dangling = origin === entry.path ? [] : this.sourcesOfDanglingLinks(entry.path, leadsHere);
    return [...new Set([...onDisk, ...inChanges, ...dangling])].sort(compareText);
  }

  /** Resolves links in the order of the changes: created files can be link targets, then moves update their links. */
  resolveLink(linkText: string, fromPath: string): string | undefined {
    const target = linkPath(linkText);
    if (target === '') return fromPath === '' ? undefined : fromPath;
    const origin = this.overlay.at(fromPath)?.change.from ?? fromPath;
    if (!this.overlay.touches(linkName(target))) return this.under.resolveLink(linkText, origin);
    const staged = this.overlay.all().map(({ change }) => change);
    const created = staged.flatMap(({ from, to }) => (from === null && to !== null ? [to] : []));
    const known = this.under.resolveLink(linkText, origin);
    const before = bestTarget(known === undefined ? created : [known, ...created], target, origin) ?? known;
    if (before !== undefined) {
      const moved = this.overlay.from(before)?.change;
      if (moved === undefined || moved.to === before) return before;
      if (moved.to === null) return undefined;
      if (this.ports.linksFollowMoves()) return moved.to;
    }
    const arrived = staged.flatMap(({ from, to }) => (from !== null && to !== null && from !== to ? [to] : []));
    return bestTarget(arrived, target, fromPath);
  }

  /**
   * Returns unchanged notes that link to a file on disk; their links are resolved again only if changes may redirect
   * them.
   */
  private sourcesOnDisk(origin: string, leadsHere: (source: string) => boolean): string[] {
    const mayLeadElsewhere = this.overlay.touches(linkName(origin));
    return this.under
      .backlinks(origin)
      .filter((source) => this.isUntouched(source) && (!mayLeadElsewhere || leadsHere(source)));
  }

  /** Returns unchanged notes whose link is unresolved on disk and resolves to this path after the changes. */
  private sourcesOfDanglingLinks(path: string, leadsHere: (source: string) => boolean): string[] {
    return this.ports
      .danglingSources(linkName(path))
      .filter((source) => this.isUntouched(source) && this.under.file(source) !== undefined && leadsHere(source));
  }

  private isUntouched(path: string): boolean {
    return this.overlay.from(path) === undefined && this.overlay.at(path) === undefined;
  }

  private entryOf({ change, modified, applied }: StagedFile): FileEntry | undefined {
    if (change.to === null) return undefined;
    const disk = this.under.file((applied ? change.to : change.from) ?? change.to);
    if (applied && disk !== undefined) return disk;
    const size = sizeOf(change) ?? disk?.size ?? 0;
    return { path: change.to, kind: /\.md$/i.test(change.to) ? 'note' : 'attachment', size, modified };
  }

  private withLinksAfter(outline: NoteOutline | undefined): NoteOutline | undefined {
    if (outline?.links.some(({ target }) => this.overlay.touches(linkName(linkPath(target)))) !== true) return outline;
    return { ...outline, links: outline.links.map((link) => this.resolved(link, outline.path)) };
  }

  private resolved({ target, embed, line }: NoteLink, fromPath: string): NoteLink {
    const path = this.resolveLink(target, fromPath);
    return path === undefined ? { target, embed, line } : { target, path, embed, line };
  }
}

/** A review looks at each change once more at every click, through a view of its own. */
const scanOf = rememberOf((change: FileChange, yaml: Yaml) => scanNote(textAfter(change), yaml));

/** Null if the content does not change. */
const sizeOf = rememberOf(({ text }: FileChange) => (text === null ? null : byteLength(text)));

function entryAt(files: readonly FileEntry[], path: string | null): FileEntry | [] {
  const entry = path === null ? undefined : files[countLeading(files, (each) => each.path < path)];
  return entry?.path === path && entry !== undefined ? entry : [];
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) folders.push(path.slice(0, end));
  return folders;
}

interface StagedFile {
  readonly change: FileChange;
  /** Milliseconds since the epoch; grows with every change of the file, so that caches keyed by it expire. */
  readonly modified: number;
  /** Whether it is on disk already and only Obsidian's index has not reported it yet. */
  readonly applied: boolean;
}

/** Overlay: the staged files of a chat, by their path on disk and their path after the changes. */
export class Overlay {
  private readonly byId = new Map<string, StagedFile>();
  private readonly byPlace = new Map<string, StagedFile>();
  private readonly byOrigin = new Map<string, StagedFile>();
  private names: ReadonlySet<string> = new Set();
  private count = 0;

  /** A number that grows with every change. */
  get revision(): number {
    return this.count;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  all(): readonly StagedFile[] {
    return [...this.byId.values()];
  }

  /** Returns the files that wait for the user's review. */
  pending(): readonly StagedFile[] {
    return this.all().filter(({ applied }) => !applied);
  }

  get(id: string): StagedFile | undefined {
    return this.byId.get(id);
  }

  /** Returns the staged file whose new path this is. */
  at(path: string): StagedFile | undefined {
    return this.byPlace.get(path);
  }

  /** Returns the staged file whose path on disk this is. */
  from(path: string): StagedFile | undefined {
    return this.byOrigin.get(path);
  }

  /** Whether a link with this last path segment may resolve differently after the changes. */
  touches(name: string): boolean {
    return this.names.has(name);
  }

  put(file: StagedFile): void {
    this.byId.set(file.change.id, file);
    this.arrange();
  }

  drop(id: string): void {
    if (this.byId.delete(id)) this.arrange();
  }

  private arrange(): void {
    this.count += 1;
    this.byPlace.clear();
    this.byOrigin.clear();
    const names = new Set<string>();
    for (const file of this.byId.values()) {
      const { from, to } = file.change;
      if (to !== null) this.byPlace.set(to, file);
      if (from !== null) this.byOrigin.set(from, file);
      if (from === to) continue;
      if (from !== null) names.add(linkName(from));
      if (to !== null) names.add(linkName(to));
    }
    this.names = names;
  }
}
