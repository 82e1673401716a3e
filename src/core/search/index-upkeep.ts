/** IndexUpkeep: reads the stored search index once, completes it when the app is idle, and stores it. */
import { type After, createWorkBudget, subscribeTo } from '../base/async';
import { words } from '../../text';
import type { FileEntry, Vault } from '../ports/vault';
import { packBlock, unpackBlock } from './note-block';
import { indexNotes, type PassageIndex, passageIndexFor, runInTurn, searchableBytes } from './passage-index';

/** Stores blocks under keys that only grow; no method throws. */
export interface BlockStore {
  keys(): Promise<readonly number[]>;
  /** Returns the values of these keys; a damaged one may be anything. */
  read(keys: readonly number[]): Promise<readonly unknown[]>;
  /** Returns the keys of the added blocks, or why none can be added; removes all the same. */
  write(added: readonly unknown[], removed: readonly number[]): Promise<readonly number[] | string>;
}

export interface UpkeepPorts {
  readonly vault: Vault;
  readonly store: BlockStore;
  readonly after: After;
  /** Calls `act` when the app has nothing else to do, unless the returned function is called first. */
  readonly whenIdle: (act: () => void) => () => void;
  /** Called once if an index that takes time to build cannot be stored. */
  readonly report: (problem: string) => void;
}

/** How many notes of the vault a search has ready. */
export interface IndexProgress {
  readonly ready: number;
  readonly total: number;
}

/** Milliseconds without a change after which changed notes are indexed: nobody is writing in them then. */
const quietDelay = 10_000;
/** Notes, and their bytes, that are read in one idle moment. */
const slice = { notes: 32, bytes: 500_000 };
/** Blocks in one transaction. */
const blocksAtOnce = 8;
/** Notes after which what is indexed so far is stored. */
const notesPerSave = 2_048;
/** With fewer notes to index, no progress is shown: it takes a moment. */
const minShown = 100;

export class IndexUpkeep {
  private readonly index: PassageIndex;
  private readonly stop = new AbortController();
  private readonly listeners = new Set<() => void>();
  /** Notes that cannot be indexed, with the time and size at which this was seen. */
  private readonly failed = new Map<string, string>();
  private shown: IndexProgress | null = null;
  private state: 'new' | 'idle' | 'running' = 'new';
  private isDue = false;
  private isFull = false;
  /** The files as of the last run. */
  private seen: readonly FileEntry[] | null = null;
  private cancelWait: () => void = () => undefined;
  private cancelQuiet: () => void = () => undefined;

  constructor(private readonly ports: UpkeepPorts) {
    this.index = passageIndexFor(ports.vault);
  }

  /** Returns null while there is little or nothing to index. */
  get progress(): IndexProgress | null {
    return this.shown;
  }

  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Begins, once. Must not be called before it is known which notes are hidden. */
  start(): void {
    if (this.state !== 'new') return;
    this.state = 'idle';
    const { signal } = this.stop;
    // A search that begins now waits for what is stored.
    void runInTurn(this.index, signal, () => this.load()).then(() => this.run());
  }

  /** Must be called after notes changed: they are indexed once nothing has changed for a while. */
  changed(): void {
    this.cancelQuiet();
    if (this.state !== 'new' && !this.stop.signal.aborted) {
      this.cancelQuiet = this.ports.after(quietDelay, () => void this.run());
    }
  }

  /** Must be called after the rules may have changed by which notes are hidden: those are removed at once. */
  look(): void {
    if (this.state !== 'new' && this.ports.vault.files() !== this.seen) void this.run();
  }

  close(): void {
    this.stop.abort();
    this.cancelQuiet();
    this.cancelWait();
    this.listeners.clear();
  }

  /** Reads the stored blocks; a damaged one is removed, and its notes are indexed again. */
  private async load(): Promise<void> {
    const { store } = this.ports;
    const budget = createWorkBudget(this.stop.signal);
    const damaged: number[] = [];
    const keys = [...(await store.keys())].sort((a, b) => a - b);
    for (let from = 0; from < keys.length; from += blocksAtOnce) {
      const some = keys.slice(from, from + blocksAtOnce);
      const values = await store.read(some);
      for (const [place, key] of some.entries()) {
        const block = unpackBlock(values[place]);
        if (block === null) damaged.push(key);
        else this.index.adopt(block, key);
        if (!(await budget.spend(unitsPerBlock))) return;
      }
    }
    this.forgetOthers();
    if (damaged.length > 0) await store.write([], damaged);
  }

  private async run(): Promise<void> {
    this.isDue = true;
    if (this.state === 'running') return;
    this.state = 'running';
    while (this.isDue && !this.stop.signal.aborted) {
      this.isDue = false;
      this.forgetOthers();
      await this.save();
      await this.complete();
      await this.save();
    }
    this.state = 'idle';
    this.show(null);
  }

  /** Removes from the index what the vault does not have, or has otherwise: deleted, hidden, changed, or staged notes. */
  private forgetOthers(): void {
    this.seen = this.ports.vault.files();
    const entries = new Map(this.seen.map((entry) => [entry.path, entry]));
    for (const path of [...this.index.paths()]) {
      const entry = entries.get(path);
      if (entry === undefined || !this.index.isCurrent(entry)) this.index.forget(path);
    }
  }

  /** Indexes what is missing, in slices; stops early if there is a reason to begin again. */
  private async complete(): Promise<void> {
    const { vault } = this.ports;
    const { signal } = this.stop;
    const notes = vault.files().filter(({ kind, size }) => kind === 'note' && size <= searchableBytes);
    const isMissing = (entry: FileEntry): boolean =>
      !this.index.isCurrent(entry) && this.failed.get(entry.path) !== stampOf(entry);
    const missing = notes.filter(isMissing);
    const isShown = missing.length >= minShown;
    let unsaved = 0;
    for (let from = 0; from < missing.length;) {
      if (isShown) this.show({ ready: notes.length - missing.length + from, total: notes.length });
      await this.idle();
      if (signal.aborted || this.isDue) return;
      const end = endOfSlice(missing, from);
      const some = missing.slice(from, end).filter(isMissing);
      const budget = createWorkBudget(signal);
      await runInTurn(this.index, signal, () => indexNotes(vault, this.index, some, budget, signal));
      if (signal.aborted) return;
      for (const entry of some) if (!this.index.isCurrent(entry)) this.failed.set(entry.path, stampOf(entry));
      unsaved += end - from;
      from = end;
      if (unsaved < notesPerSave) continue;
      unsaved = 0;
      await this.save();
    }
  }

  /** Brings the store to what the index has, in small transactions. */
  private async save(): Promise<void> {
    for (;;) {
      const { added, removed } = this.index.repack(blocksAtOnce);
      if (this.stop.signal.aborted || (removed.length === 0 && (added.length === 0 || this.isFull))) return;
      const packed = this.isFull ? [] : added.map(({ block }) => packBlock(block));
      const keys = await this.ports.store.write(packed, removed);
      if (typeof keys === 'string') this.endStoring(keys);
      else added.forEach((owner, place) => this.index.stored(owner, keys[place] ?? null));
      if (packed.length > 0) await this.idle();
    }
  }

  private endStoring(problem: string): void {
    if (!this.isFull && this.index.noteCount >= minShown) this.ports.report(words.tools.searchNotStored(problem));
    this.isFull = true;
  }

  private idle(): Promise<void> {
    if (this.stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.ports.whenIdle(resolve);
      this.cancelWait = () => {
        cancel();
        resolve();
      };
    });
  }

  private show(progress: IndexProgress | null): void {
    if (progress === this.shown) return;
    this.shown = progress;
    for (const listener of [...this.listeners]) listener();
  }
}

/** Work units of taking one block. */
const unitsPerBlock = 10_000;

function endOfSlice(entries: readonly FileEntry[], from: number): number {
  let end = from;
  for (let bytes = 0; end < entries.length && end - from < slice.notes && bytes < slice.bytes; end += 1) {
    bytes += entries[end]?.size ?? 0;
  }
  return end;
}

function stampOf({ modified, size }: FileEntry): string {
  return `${modified} ${size}`;
}
