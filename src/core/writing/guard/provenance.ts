/**
 * Provenance: whose text a note is, as chats and the user recorded it (design 9, rules 6.9). The record is in the agent
 * folder, so that it travels with the vault: append-only files of each device, merged by union.
 */
import { subscribeTo } from '../../base/async';
import { words } from '../../../text';
import { foldPlace, pathAfterMove } from '../../base/fold';
import { compareText } from '../../base/list-edits';
import type { Clock, DeviceStorage } from '../../ports/device';
import type { Failure, Outcome } from '../../ports/failure';
import type { Operation } from '../changeset/journal-records';
import { type Act, type Line, placed, readLine, type SaidOf, shareOut } from './provenance-lines';

export type { SaidOf } from './provenance-lines';

/** The files of the record. Only the device that created a file appends to it, and none rewrites one. */
export interface ProvenanceFiles {
  /** Returns all files, conflict copies included; `version` differs when the text does. */
  list(): Promise<Outcome<readonly ProvenanceFile[]>>;
  read(name: string): Promise<Outcome<string>>;
  /** Appends whole lines to a file of the writer, after a line break if the file does not end in one. */
  append(writer: string, lines: string): Promise<Outcome<void>>;
}

interface ProvenanceFile {
  readonly name: string;
  readonly version: string;
}

export interface ProvenancePorts {
  readonly files: ProvenanceFiles;
  readonly device: DeviceStorage;
  readonly clock: Clock;
  /** Names this device. */
  readonly writer: string;
}

/** Lines that are not on disk yet; they survive a crash here. */
const pendingKey = 'provenance-pending';
/** Marks of earlier versions, which stayed on the device. */
const earlierKey = 'foreign-notes';
/** Milliseconds by which the clock of another device may be ahead and still be followed. */
const maxAhead = 86_400_000;
/** Moves that wait on the device before the record is first read. */
const maxPending = 2_000;
export class Provenance {
  /** By text, so that a line in a conflict copy counts once. */
  private readonly lines = new Map<string, Line>();
  private readonly versions = new Map<string, string>();
  /** The lines of this device by the file that has them, as it was read last. */
  private readonly own = new Map<string, ReadonlySet<string>>();
  private folded: NoteTree | null = null;
  private pending: string[];
  private latest = 0;
  /** The time of the last line, on any clock. */
  private newest = -Infinity;
  private writing: Promise<unknown> = Promise.resolve();
  private unread = false;
  private isRead = false;
  /** Whether what waits is about to be stored. */
  private isStoring = false;
  /** Whether what waits is about to be written. */
  private isFlushing = false;
  private failure: Failure | null = null;
  private readonly listeners = new Set<() => void>();
  /** The last line, if it is a move that was reported just now. */
  private lastMove: { readonly from: string; readonly to: string } | null = null;

  constructor(private readonly ports: ProvenancePorts) {
    this.pending = (ports.device.get(pendingKey) ?? '').split('\n').filter((line) => line !== '');
    for (const line of this.pending) this.take(line);
    for (const act of earlierMarks(ports.device.get(earlierKey))) this.record(act);
    ports.device.set(earlierKey, null);
  }

  /** Whether a chat wrote the note with untrusted text in view, and neither an undo nor the user took that back. */
  has(path: string): boolean {
    return this.tree.at(path)?.isMarked() === true;
  }

  /** What the user said of the note, or else of the nearest folder above it; null if nothing. */
  saidOf(path: string): SaidOf | null {
    return this.tree.saidOf(path);
  }

  /** All that the user said, by path. */
  get said(): readonly { readonly path: string; readonly is: SaidOf }[] {
    return this.tree.said();
  }

  /** Why the record cannot be relied on, as words that name the source of untrusted text; null if it was read. */
  get problem(): string | null {
    return this.unread ? words.keeping.taintUnread : null;
  }

  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /**
   * Reads what other devices appended since the last call, and writes what could not be written then. Returns why one of
   * them failed; null if neither did.
   */
  async refresh(): Promise<Failure | null> {
    await this.writing;
    const listed = await this.ports.files.list();
    this.unread = !listed.ok;
    this.failure = null;
    if (!listed.ok) return listed.failure;
    const known = this.lines.size;
    let hasRead = false;
    for (const { name, version } of listed.value) {
      if (this.versions.get(name) === version) continue;
      hasRead = true;
      const read = await this.ports.files.read(name);
      if (!read.ok) {
        this.unread = true;
        this.failure = read.failure;
        continue;
      }
      this.versions.set(name, version);
      const lines = read.value.split('\n');
      for (const line of lines) this.take(line);
      this.own.set(name, new Set(lines.filter((line) => this.isOwn(line))));
    }
    if (!this.unread) this.keepWritten(listed.value, hasRead);
    this.isRead = true;
    if ([...this.lines.values()].every(({ op }) => op === 'move')) this.forget();
    if (this.lines.size > known) this.changed();
    this.flush();
    await this.writing;
    return this.failure;
  }

  private isOwn(line: string): boolean {
    return this.lines.get(line)?.w === this.ports.writer;
  }

  /**
   * Has what this device has written written again if no file has it any more, as when a sync put back an older one. A
   * folder without files may be on its way to another place.
   */
  private keepWritten(files: readonly ProvenanceFile[], hasRead: boolean): void {
    const names = new Set(files.map(({ name }) => name));
    const vanished = [...this.own.keys()].filter((name) => !names.has(name));
    if (names.size === 0 || (vanished.length === 0 && !hasRead)) return;
    for (const name of vanished) {
      this.own.delete(name);
      this.versions.delete(name);
    }
    const there = new Set([...this.own.values()].flatMap((lines) => [...lines]).concat(this.pending));
    const missing = [...this.lines.keys()].filter((line) => this.isOwn(line) && !there.has(line));
    if (missing.length === 0) return;
    this.pending.push(...missing);
    this.store();
  }

  /** Updates the marks after each write, including undos and redos. */
  written(operation: Operation, find: (id: string) => Operation | undefined): void {
    const { taint, step, path, to } = operation.call;
    if (taint === null) return;
    let root = operation;
    let rootId = operation.id;
    let isUndo = false;
    const seen = new Set([operation.id]);
    for (let { undoes } = root.call; undoes !== null; undoes = root.call.undoes) {
      isUndo = !isUndo;
      rootId = undoes;
      const earlier = find(undoes);
      // In a journal that another program wrote, writes may take back one another.
      if (earlier === undefined || seen.has(undoes)) break;
      seen.add(undoes);
      root = earlier;
    }
    if (isUndo) this.record({ op: 'undo', id: rootId });
    else if (step !== 'delete') this.mark(step === 'move' ? (to ?? path) : path, taint, rootId);
  }

  /** @param operation the operation that wrote it; undoing it removes the mark */
  mark(path: string, source: string, operation: string): void {
    if (this.tree.at(path)?.hasMark(operation) !== true) this.record({ op: 'mark', path, source, id: operation });
  }

  /**
   * Moves what is recorded of a file or folder to its new path. Before the record is first read, a move only waits on
   * the device; while nothing is recorded, there is nothing to move.
   */
  moved(from: string, to: string): void {
    if (this.isRead && this.lines.size === 0) return;
    if (this.pending.length >= maxPending || this.isMovedAlong(from, to)) return;
    this.record({ op: 'move', path: from, to });
    const move = { from, to };
    this.lastMove = move;
    void Promise.resolve().then(() => {
      if (this.lastMove === move) this.lastMove = null;
    });
  }

  /** The app reports the move of a folder, then at once that of everything below it. */
  private isMovedAlong(from: string, to: string): boolean {
    const { lastMove } = this;
    return lastMove !== null && pathAfterMove(from, lastMove.from, lastMove.to) === to;
  }

  /** Trusts a note, or all notes in a folder, as they are: what a chat writes with untrusted text later counts again. */
  keep(path: string): void {
    this.say(path, 'own');
  }

  /** @param is null to take back what was said, so that the note is judged by its properties and its folder again */
  say(path: string, is: SaidOf | null): void {
    const marks = is === 'own' ? (this.tree.at(path)?.marksBelow() ?? []) : [];
    for (const some of shareOut(marks)) this.record({ op: 'say', path, is: is ?? 'unsaid', marks: some });
  }

  /** Resolves when all that was recorded is on disk, or cannot be written now. */
  settled(): Promise<unknown> {
    return this.writing;
  }

  private get tree(): NoteTree {
    this.folded ??= foldLines([...this.lines]);
    return this.folded;
  }

  private record(act: Act): void {
    this.lastMove = null;
    this.latest = Math.max(this.latest + 1, this.ports.clock.now());
    const text = JSON.stringify({ ...act, t: this.latest, w: this.ports.writer });
    this.take(text);
    this.pending.push(text);
    if (act.op === 'move') this.storeAtEnd();
    else this.store();
    this.changed();
    if (this.isRead || act.op !== 'move') this.flush();
  }

  /** Moves of a vault in which nothing is recorded mean nothing. */
  private forget(): void {
    this.lines.clear();
    this.newest = -Infinity;
    this.folded = null;
    this.pending = [];
    this.store();
  }

  private flush(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.writing = this.writing.then(async () => {
      this.isFlushing = false;
      const due = [...this.pending];
      if (due.length === 0) return;
      const appended = await this.ports.files.append(this.ports.writer, `${due.join('\n')}\n`);
      this.failure = appended.ok ? this.failure : appended.failure;
      if (!appended.ok) return;
      this.pending = this.pending.slice(due.length);
      this.store();
    });
  }

  private store(): void {
    this.ports.device.set(pendingKey, this.pending.length === 0 ? null : this.pending.join('\n'));
  }

  /** Stores once what is recorded in one go: the app reports the moves of all that is in a folder at once. */
  private storeAtEnd(): void {
    if (this.isStoring) return;
    this.isStoring = true;
    void Promise.resolve().then(() => {
      this.isStoring = false;
      this.store();
    });
  }

  private take(text: string): void {
    if (this.lines.has(text)) return;
    const read = readLine(text);
    if (read === null) return;
    const line = placed(read, this.ports.clock.now() + maxAhead);
    this.lines.set(text, line);
    // A line after all others changes what they gave; any other one comes between them.
    if (line.t > this.newest) this.folded?.apply(line);
    else this.folded = null;
    this.newest = Math.max(this.newest, line.t);
    if (Number.isFinite(line.t)) this.latest = Math.max(this.latest, line.t);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function earlierMarks(text: string | null): Act[] {
  try {
    const stored = JSON.parse(text ?? '{}') as Record<string, { source: string; operations: string[] }>;
    return Object.entries(stored).flatMap(([path, { source, operations }]) =>
      operations.map((id): Act => ({ op: 'mark', path, source, id })),
    );
  } catch {
    return [];
  }
}

// The fold: all lines in order of time, over a tree of paths, so that the move of a folder takes all below it along.

interface Mark {
  isLive: boolean;
}

class TreeNode {
  children = new Map<string, TreeNode>();
  readonly marks = new Map<string, Mark>();
  statement: SaidOf | null = null;
  /** As it was spelled last. */
  name = '';

  isMarked(): boolean {
    return [...this.marks.values()].some(({ isLive }) => isLive);
  }

  hasMark(id: string): boolean {
    return this.marks.get(id)?.isLive === true;
  }

  marksBelow(found: string[] = []): string[] {
    for (const [id, { isLive }] of this.marks) if (isLive) found.push(id);
    for (const child of this.children.values()) child.marksBelow(found);
    return found;
  }

  /**
   * Takes over all that is recorded of another node, which is then dropped. Adds the smaller part to the larger, so that
   * moves back and forth stay cheap.
   * @param isNewer whether what was said of the other node replaces what was said of this one
   */
  merge(other: TreeNode, isNewer = true): void {
    for (const [id, mark] of other.marks) this.marks.set(id, mark);
    this.statement = isNewer ? (other.statement ?? this.statement) : (this.statement ?? other.statement);
    const isSmaller = this.children.size < other.children.size;
    const [large, small] = isSmaller ? [other.children, this.children] : [this.children, other.children];
    this.children = large;
    for (const [name, child] of small) {
      const there = large.get(name);
      if (there === undefined) large.set(name, child);
      else there.merge(child, isNewer !== isSmaller);
    }
  }
}

class NoteTree {
  private readonly root = new TreeNode();
  /** All marks of an id: a conflict copy may hold it for two paths. */
  private readonly marks = new Map<string, Mark[]>();

  at(path: string): TreeNode | undefined {
    return namesOf(path).reduce<TreeNode | undefined>((node, name) => node?.children.get(name), this.root);
  }

  saidOf(path: string): SaidOf | null {
    let node: TreeNode | undefined = this.root;
    let said: SaidOf | null = null;
    for (const name of namesOf(path)) {
      node = node?.children.get(name);
      said = node?.statement ?? said;
    }
    return said;
  }

  said(): { readonly path: string; readonly is: SaidOf }[] {
    const found: { readonly path: string; readonly is: SaidOf }[] = [];
    const collect = (node: TreeNode, path: string): void => {
      if (node.statement !== null) found.push({ path, is: node.statement });
      for (const child of node.children.values()) collect(child, path === '' ? child.name : `${path}/${child.name}`);
    };
    collect(this.root, '');
    return found.sort((a, b) => compareText(a.path, b.path));
  }

  apply(line: Line): void {
    if (line.op === 'undo') this.end(line.id);
    if (line.op === 'mark') {
      const mark = { isLive: true };
      this.make(line.path).marks.set(line.id, mark);
      this.marks.set(line.id, [...(this.marks.get(line.id) ?? []), mark]);
    }
    if (line.op === 'say') {
      for (const id of line.marks) this.end(id);
      const node = this.make(line.path);
      if (node !== this.root) node.statement = line.is === 'unsaid' ? null : line.is;
    }
    if (line.op === 'move') this.move(line.path, line.to);
  }

  private end(id: string): void {
    for (const mark of this.marks.get(id) ?? []) mark.isLive = false;
  }

  private move(from: string, to: string): void {
    const names = namesOf(from);
    const last = names.pop();
    const above = this.at(names.join('/'));
    const moving = last === undefined ? undefined : above?.children.get(last);
    if (last === undefined || moving === undefined) return;
    const [old, fresh] = [foldPlace(from), foldPlace(to)];
    if (fresh.startsWith(`${old}/`)) return;
    // A renaming that changes only letter case leads to the same node.
    if (fresh !== old) above?.children.delete(last);
    const place = this.make(to);
    if (place !== moving) place.merge(moving);
  }

  private make(path: string): TreeNode {
    let node = this.root;
    for (const spelled of path.split('/')) {
      const [name] = namesOf(spelled);
      if (name === undefined) continue;
      const next = node.children.get(name) ?? new TreeNode();
      next.name = spelled;
      node.children.set(name, next);
      node = next;
    }
    return node;
  }
}

/** Returns the names of a path in folded letters; none for the root, of which nothing can be said. */
function namesOf(path: string): string[] {
  return foldPlace(path)
    .split('/')
    .filter((name) => name !== '');
}

function foldLines(lines: [text: string, line: Line][]): NoteTree {
  const tree = new NoteTree();
  lines.sort(([oneText, one], [otherText, other]) => one.t - other.t || compareText(oneText, otherText));
  for (const [, line] of lines) tree.apply(line);
  return tree;
}
