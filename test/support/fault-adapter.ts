/**
 * A disk in memory behind the write pipeline's ports, which crashes, tears or refuses at any operation that changes it.
 * What a crash leaves is what a disk can leave: nothing, an empty file, half of one, NUL bytes, or all of it.
 */
import { createHash } from 'node:crypto';
import { type Failure, fail, type Outcome, succeed } from '../../src/core/ports/failure';
import type { JournalStore, WritePort } from '../../src/core/writing/changeset/ports';

export const tornVariants = ['none', 'empty', 'half', 'nul', 'full'] as const;
export type TornVariant = (typeof tornVariants)[number];

/** Thrown in place of every answer once the machine is down. */
export class Crash extends Error {}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The disk: it outlives a crash. */
export interface Disk {
  readonly notes: Map<string, Uint8Array>;
  readonly folders: Set<string>;
  readonly trash: Map<string, Uint8Array>;
  readonly blobs: Map<string, Uint8Array>;
  readonly segments: Map<string, string>;
}

export function diskOf(files: Readonly<Record<string, string | Uint8Array>>): Disk {
  const disk: Disk = {
    notes: new Map(),
    folders: new Set(),
    trash: new Map(),
    blobs: new Map(),
    segments: new Map(),
  };
  for (const [path, content] of Object.entries(files)) {
    for (const folder of foldersAbove(path)) disk.folders.add(folder);
    disk.notes.set(path, typeof content === 'string' ? bytesOf(content) : content);
  }
  return disk;
}

/** Hash of every file, by path. */
export function treeOf({ notes }: Disk): Record<string, string> {
  return Object.fromEntries([...notes].sort().map(([path, bytes]) => [path, sha256(bytes)]));
}

export function textAt(disk: Disk, path: string): string | undefined {
  const bytes = disk.notes.get(path);
  return bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export interface FaultPlan {
  /** The operation, from 1, at which the machine goes down, and what it leaves of it. */
  readonly crashAt?: number;
  readonly variant?: TornVariant;
  /** Refuses an operation by name and path instead. */
  readonly refuse?: (operation: string, path: string, count: number) => Failure | undefined;
  /** Runs before an operation, as someone else who writes to the disk. */
  readonly beforeOperation?: (operation: string, path: string) => void;
  /** Whether the app rewrites links when a file moves. */
  readonly linksFollow?: boolean;
  /** The device that runs on the disk; what it journals has plain keys if it is the first. */
  readonly writer?: string;
  /** What a plugin makes of a note as it is saved. */
  readonly rewriteOnSave?: (text: string) => string;
}

export class FaultAdapter {
  /** Operations that changed the disk, or would have. */
  operations = 0;
  /** Paths by operation name, in order. */
  readonly log: string[] = [];
  private down = false;
  private readonly refusals = new Map<string, number>();

  private readonly writer: string;
  readonly files: WritePort;
  readonly store: JournalStore;

  constructor(
    readonly disk: Disk,
    readonly plan: FaultPlan = {},
  ) {
    this.writer = plan.writer ?? firstWriter;
    this.files = this.openFiles();
    this.store = this.openStore();
  }

  private openFiles = (): WritePort => ({
    flush: (path) => this.answer('flush', path, () => undefined),
    readBytes: (path) =>
      this.ask('read', path, () => {
        const bytes = this.disk.notes.get(path);
        return bytes === undefined ? fail(missing(path)) : succeed(bytes);
      }),
    process: (path, decide) =>
      this.ask('process', path, () => {
        const bytes = this.disk.notes.get(path);
        if (bytes === undefined) return fail(missing(path));
        const wanted = decide(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
        if (wanted === null) return succeed('left');
        const text = this.plan.rewriteOnSave?.(wanted) ?? wanted;
        this.write(bytesOf(text), bytes, (left) => this.putNote(path, left));
        return succeed('written');
      }),
    create: (path, bytes) =>
      this.ask('create', path, () => {
        if (this.disk.notes.has(path)) return fail(refused(`${path} is there`));
        const text = this.plan.rewriteOnSave?.(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
        this.write(text === undefined ? bytes : bytesOf(text), undefined, (left) => this.putNote(path, left));
        return succeed(undefined);
      }),
    ensureFolders: (path) =>
      this.ask('makeFolders', path, () => {
        const made = foldersAbove(path).filter((folder) => !this.disk.folders.has(folder));
        for (const folder of made) this.step(() => void this.disk.folders.add(folder));
        return succeed(made);
      }),
    removeEmptyFolder: async (folder) => {
      await Promise.resolve();
      this.breathe();
      const inside = (path: string): boolean => path.startsWith(`${folder}/`);
      if ([...this.disk.notes.keys(), ...this.disk.folders].some(inside)) return;
      this.step(() => void this.disk.folders.delete(folder));
    },
    rename: (from, to) => this.ask('rename', from, () => this.rename(from, to)),
    trash: (path) =>
      this.ask('trash', path, () => {
        const bytes = this.disk.notes.get(path);
        if (bytes === undefined) return fail(missing(path));
        this.step(() => {
          this.disk.trash.set(path, bytes);
          this.disk.notes.delete(path);
        });
        return succeed(undefined);
      }),
    linkSources: (path) => this.sourcesOf(path),
    indexed: async () => this.breathe(),
    settled: async () => this.breathe(),
  });

  private openStore = (): JournalStore => ({
    writer: this.writer,
    segments: () =>
      this.ask('segments', '', () =>
        succeed([...this.disk.segments].map(([key, text]) => ({ ...ownerAndName(key), text }))),
      ),
    append: (segment, text) =>
      this.ask('append', segment, () => {
        const key = keyOf(this.writer, segment);
        const before = this.disk.segments.get(key) ?? '';
        // What is there already is not touched by an append: a crash tears only what is new.
        this.write(bytesOf(text), bytesOf(''), (left) =>
          this.disk.segments.set(key, before + new TextDecoder().decode(left)),
        );
        return succeed(undefined);
      }),
    removeSegment: ({ writer, name }) =>
      this.answer('removeSegment', name, () => this.disk.segments.delete(keyOf(writer, name))),
    blobs: () =>
      this.ask('blobs', '', () =>
        succeed(
          [...this.disk.blobs].map(([key, { length }]) => {
            const { writer, name } = ownerAndName(key);
            return { writer, hash: name, size: length, modified: 0 };
          }),
        ),
      ),
    readBlob: (hash, writer) =>
      this.ask('readBlob', hash, () => {
        const bytes = this.disk.blobs.get(keyOf(writer, hash));
        return bytes === undefined ? fail(missing(hash)) : succeed(bytes);
      }),
    writeBlob: (hash, bytes) =>
      this.ask('writeBlob', hash, () => {
        const key = keyOf(this.writer, hash);
        this.write(bytes, this.disk.blobs.get(key), (left) => this.disk.blobs.set(key, left));
        return succeed(undefined);
      }),
    removeBlob: ({ writer, hash }) =>
      this.answer('removeBlob', hash, () => this.disk.blobs.delete(keyOf(writer, hash))),
  });

  /** Notes that link to a file by its name or its path. */
  sourcesOf(path: string): string[] {
    return [...this.disk.notes.keys()].filter((source) => {
      const text = source.endsWith('.md') ? (textAt(this.disk, source) ?? '') : '';
      return linkTargets(text).some((target) => leadsTo(target, path));
    });
  }

  private rename(from: string, to: string): Outcome<void> {
    const bytes = this.disk.notes.get(from);
    if (bytes === undefined) return fail(missing(from));
    if (this.disk.notes.has(to)) return fail(refused(`${to} is there`));
    const sources = this.plan.linksFollow === false ? [] : this.sourcesOf(from);
    this.step(() => {
      this.disk.notes.delete(from);
      this.disk.notes.set(to, bytes);
    });
    for (const source of sources) {
      const place = source === from ? to : source;
      const text = textAt(this.disk, place) ?? '';
      const after = text.replace(/\[\[([^\]|#]+)/g, (whole, target: string) =>
        leadsTo(target, from) ? `[[${nameOf(to)}` : whole,
      );
      this.write(bytesOf(after), bytesOf(text), (left) => this.putNote(place, left));
    }
    return succeed(undefined);
  }

  private putNote(path: string, bytes: Uint8Array): void {
    this.disk.notes.set(path, bytes);
  }

  private answer(name: string, path: string, act: () => unknown): Promise<Outcome<void>> {
    return this.ask(name, path, () => {
      if (name !== 'flush') this.step(act);
      return succeed(undefined);
    });
  }

  private async ask<T>(name: string, path: string, act: () => Outcome<T>): Promise<Outcome<T>> {
    await Promise.resolve();
    this.breathe();
    this.plan.beforeOperation?.(name, path);
    this.log.push(`${name} ${path}`);
    const key = `${name} ${path}`;
    const count = (this.refusals.get(key) ?? 0) + 1;
    this.refusals.set(key, count);
    const failure = this.plan.refuse?.(name, path, count);
    return failure === undefined ? act() : fail(failure);
  }

  /** A change of the disk that is there as a whole or not at all. */
  private step(act: () => unknown): void {
    this.operations += 1;
    const crashes = this.operations === this.plan.crashAt;
    if (!crashes || this.plan.variant === 'full') act();
    if (crashes) this.crash();
  }

  /** A write, which a crash may leave torn. */
  private write(bytes: Uint8Array, before: Uint8Array | undefined, put: (left: Uint8Array) => unknown): void {
    this.operations += 1;
    const crashes = this.operations === this.plan.crashAt;
    const left = crashes ? tear(bytes, before, this.plan.variant ?? 'none') : bytes;
    if (left !== undefined) put(left);
    if (crashes) this.crash();
  }

  private crash(): never {
    this.down = true;
    throw new Crash();
  }

  private breathe(): void {
    if (this.down) throw new Crash();
  }
}

const firstWriter = 'w1';

/** The first device has plain keys, the first layout of the journal those that begin with a slash. */
function keyOf(writer: string | null, name: string): string {
  return writer === firstWriter ? name : `${writer ?? ''}/${name}`;
}

function ownerAndName(key: string): { writer: string | null; name: string } {
  const [owner = '', name] = key.split('/');
  if (name === undefined) return { writer: firstWriter, name: key };
  return { writer: owner === '' ? null : owner, name };
}

function tear(bytes: Uint8Array, before: Uint8Array | undefined, variant: TornVariant): Uint8Array | undefined {
  if (variant === 'none') return before;
  if (variant === 'empty') return new Uint8Array();
  if (variant === 'half') return bytes.slice(0, bytes.length >> 1);
  return variant === 'nul' ? new Uint8Array(bytes.length) : bytes;
}

function linkTargets(text: string): string[] {
  return [...text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => match[1] ?? '');
}

function leadsTo(target: string, path: string): boolean {
  return target === nameOf(path) || target === path || `${target}.md` === path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

function foldersAbove(path: string): string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join('/'));
}

function missing(path: string): Failure {
  return { kind: 'not-found', words: `There is nothing at ${path}.`, remedy: 'Look elsewhere.' };
}

function refused(what: string): Failure {
  return { kind: 'refused', words: what, remedy: 'Choose another.' };
}

export function locked(path: string): Failure {
  return { kind: 'storage', words: `${path} is locked.`, remedy: 'Try again.' };
}
