/** PassageIndex: the terms of every passage read so far, without the texts, in blocks that can be stored. */
import { raceAbort, type Steps, takeSteps, takeStepsWithin, type WorkBudget } from '../base/async';
import { foldText } from '../base/fold';
import type { FileEntry, Vault } from '../ports/vault';
import {
  blockNotes,
  buildBlocks,
  dataIn,
  firstFrom,
  type NoteBlock,
  noteIn,
  numberIn,
  termAt,
  termCount,
  termIn,
} from './note-block';
import { type NoteTerms, readTerms, sizesOf, Stems } from './note-terms';

/** A block, and which of its notes are still as it has them. */
export interface IndexedBlock {
  readonly block: NoteBlock;
  /** 1 for each of them. */
  readonly current: Uint8Array;
  count: number;
  /** Its key in the store; null until it is stored. */
  key: number | null;
}

interface Place {
  readonly owner: IndexedBlock;
  readonly place: number;
}

/** What the store has to write so that it has what the index has. */
export interface StoreChanges {
  readonly added: readonly IndexedBlock[];
  readonly removed: readonly number[];
}

/** A block with fewer current notes is joined with others. */
const minBlockNotes = 32;

export class PassageIndex {
  private readonly stems = new Stems();
  private owners: IndexedBlock[] = [];
  /** Where each note is. */
  private readonly places = new Map<string, Place>();
  /** Notes that are in no block yet. */
  private readonly loose = new Map<string, NoteTerms>();
  /** What puts them into blocks, if it has begun. */
  private packing: Steps<void> | null = null;
  /** Keys of stored blocks whose notes are in other blocks by now. */
  private removed: number[] = [];
  private passages = 0;
  private length = 0;

  get noteCount(): number {
    return this.places.size + this.loose.size;
  }

  get averageLength(): number {
    return this.passages === 0 ? 1 : Math.max(1, this.length / this.passages);
  }

  /** Returns the blocks, with every note of the index. */
  get blocks(): readonly IndexedBlock[] {
    this.settle();
    return this.owners;
  }

  *paths(): IterableIterator<string> {
    yield* this.places.keys();
    yield* this.loose.keys();
  }

  placeOf(path: string): Place | undefined {
    return this.places.get(path);
  }

  /** Whether the indexed note matches the entry; an unknown modification time never counts as current. */
  isCurrent({ path, modified, size }: FileEntry): boolean {
    const known = this.stampOf(path);
    return known !== undefined && modified > 0 && known.modified === modified && known.size === size;
  }

  /** Returns how many notes contain a term. */
  spreadOf(term: string): number {
    let spread = 0;
    for (const { block, current } of this.blocks) {
      const number = termIn(block, term);
      if (number === -1) continue;
      for (let place = 0; place < current.length; place += 1) {
        if (current[place] === 1 && numberIn(block, place, number) !== -1) spread += 1;
      }
    }
    return spread;
  }

  /** Returns the terms with the same first character, each once; some may be in no note anymore. */
  termsLike(term: string): ReadonlySet<string> {
    const [first = ''] = term;
    const found = new Set<string>();
    for (const { block } of this.blocks) {
      for (let at = firstFrom(block, first); at < termCount(block) && termAt(block, at).startsWith(first); at += 1) {
        found.add(termAt(block, at));
      }
    }
    return found;
  }

  forget(path: string): void {
    const known = this.places.get(path);
    if (known === undefined) {
      const loose = this.loose.get(path);
      if (loose !== undefined) this.count(loose.data, -1);
      this.loose.delete(path);
      return;
    }
    const { owner, place } = known;
    this.places.delete(path);
    owner.current[place] = 0;
    owner.count -= 1;
    this.count(dataIn(owner.block, place), -1);
  }

  /** Indexes a note's text, replacing its earlier entry; returns false if the signal aborted it. */
  async add(entry: FileEntry, text: string, budget: WorkBudget): Promise<boolean> {
    const note = await readTerms(entry, text, this.stems, budget);
    if (note === null) return false;
    this.forget(entry.path);
    this.count(note.data, 1);
    this.loose.set(entry.path, note);
    if (this.loose.size < blockNotes) return true;
    this.packing ??= this.pack();
    return (await takeStepsWithin(this.packing, budget)) !== null;
  }

  /** Takes a block of the store, whose notes replace those that the index has of the same path. */
  adopt(block: NoteBlock, key: number): void {
    const owner = { block, current: new Uint8Array(block.paths.length).fill(1), count: block.paths.length, key };
    this.owners.push(owner);
    block.paths.forEach((path, place) => {
      this.forget(path);
      this.places.set(path, { owner, place });
      this.count(dataIn(block, place), 1);
    });
  }

  /**
   * Removes what is no longer current from some of the blocks, and returns what the store has to write for them.
   * @param max blocks, so that it takes a moment only
   */
  repack(max = Infinity): StoreChanges {
    this.settle();
    takeSteps(this.join(this.owners.filter(({ current, count }) => count < current.length).slice(0, max), []));
    const { removed } = this;
    this.removed = [];
    return { added: this.owners.filter(({ key }) => key === null).slice(0, max), removed };
  }

  /** Must be called with the key under which a block was stored. */
  stored(owner: IndexedBlock, key: number | null): void {
    owner.key = key;
    if (key !== null && !this.owners.includes(owner)) this.removed.push(key);
  }

  /** Puts all loose notes into blocks at once. */
  private settle(): void {
    if (this.packing !== null) takeSteps(this.packing);
    if (this.loose.size > 0) takeSteps(this.pack());
  }

  /** Puts the loose notes of now into blocks, with those of small ones. */
  private *pack(): Steps<void> {
    yield* this.join(this.owners.filter(({ count }) => count < minBlockNotes).slice(-maxJoined), [
      ...this.loose.values(),
    ]);
    this.packing = null;
  }

  /**
   * Replaces blocks by others with their current notes and with loose ones. A note that is forgotten or indexed again
   * before the last step is not current in the new blocks.
   */
  private *join(owners: readonly IndexedBlock[], loose: readonly NoteTerms[]): Steps<void> {
    const kept = owners.flatMap((owner) =>
      owner.block.paths.flatMap((_, place) => (owner.current[place] === 1 ? [{ owner, place }] : [])),
    );
    const notes = [...kept.map(({ owner, place }) => noteIn(owner.block, place)), ...loose];
    const blocks = yield* buildBlocks(notes);
    const old = new Set(owners);
    this.owners = this.owners.filter((owner) => !old.has(owner));
    this.removed.push(...owners.flatMap(({ key }) => (key === null ? [] : [key])));
    let at = 0;
    for (const block of blocks) {
      const owner = { block, current: new Uint8Array(block.paths.length), count: 0, key: null };
      for (const [place, path] of block.paths.entries()) {
        const before = kept[at];
        const isCurrent =
          before === undefined ? this.loose.get(path) === notes[at] : before.owner.current[before.place] === 1;
        at += 1;
        if (!isCurrent) continue;
        this.loose.delete(path);
        this.places.set(path, { owner, place });
        owner.current[place] = 1;
        owner.count += 1;
      }
      if (owner.count > 0) this.owners.push(owner);
    }
  }

  private stampOf(path: string): Pick<FileEntry, 'modified' | 'size'> | undefined {
    const known = this.places.get(path);
    if (known === undefined) return this.loose.get(path);
    const { modified, sizes } = known.owner.block;
    return { modified: modified[known.place] ?? 0, size: sizes[known.place] ?? 0 };
  }

  private count(data: Uint8Array, sign: 1 | -1): void {
    const { passages, length } = sizesOf(data);
    this.passages += sign * passages;
    this.length += sign * length;
  }
}

/** Small blocks that are joined at once. */
const maxJoined = 4;

// The passage indexes of the vaults in use; each lives as long as its vault object.

const indexes = new WeakMap<Vault, PassageIndex>();

export function passageIndexFor(vault: Vault): PassageIndex {
  let index = indexes.get(vault);
  if (index === undefined) {
    index = new PassageIndex();
    indexes.set(vault, index);
  }
  return index;
}

/**
 * Makes a view of a vault share the index of that vault. Where the two differ, the entries' modification times differ,
 * and the note is read again.
 */
export function sharePassages(view: Vault, vault: Vault): void {
  indexes.set(view, passageIndexFor(vault));
}

/**
 * Removes the paths of changed notes from the index; they are read again in the next search. Not needed where the time
 * of change or the size differ.
 */
export function forgetPassages(vault: Vault, paths: readonly string[]): void {
  const index = indexes.get(vault);
  for (const path of paths) index?.forget(path);
}

// Updating the index before a search: each note is read once, and again after it changed.

/** The part of a vault that a search needs. */
export type SearchedNotes = Pick<Vault, 'files' | 'read'>;

/** Bytes; larger notes are not searched. */
export const searchableBytes = 5_000_000;
export const readsAtOnce = 16;

/** Notes, and their bytes, that one search reads at most before it answers; the others are indexed when idle. */
const maxReads = { notes: 2_000, bytes: 30_000_000 };

export interface IndexUpdate {
  /** Paths that could not be read. */
  readonly unread: readonly string[];
  /** Notes that are still to be read. */
  readonly waiting: ReadonlySet<string>;
}

/** The running update of each index; concurrent searches wait for it, so that notes are not read twice. */
const updates = new WeakMap<PassageIndex, Promise<void>>();

/** Runs work on an index after the work before it; resolves to undefined if the signal fires first. */
export function runInTurn<Value>(
  index: PassageIndex,
  signal: AbortSignal,
  act: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  const running = (updates.get(index) ?? Promise.resolve()).then(act);
  // A stopped or failed search must not block others, even if the disk never responds.
  const ended = raceAbort(running, signal);
  const isOver = (): void => undefined;
  updates.set(index, ended.then(isOver, isOver));
  return ended;
}

/**
 * Updates the index; resolves to undefined if the signal fired first.
 * @param words which notes are read first, by their path, if there are too many
 */
export function updateIndex(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  words: readonly string[],
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<IndexUpdate | undefined> {
  return runInTurn(index, signal, async () => {
    forgetLost(vault, index);
    const unread: string[] = [];
    const stale: FileEntry[] = [];
    for (const entry of entries) {
      if (entry.size > searchableBytes) unread.push(entry.path);
      else if (!index.isCurrent(entry)) stale.push(entry);
    }
    const chosen = await chooseFirst(stale, words, budget);
    const read = new Set(chosen);
    unread.push(...(await indexNotes(vault, index, chosen, budget, signal)));
    const waiting = new Set(
      stale.length === chosen.length ? [] : stale.flatMap((each) => (read.has(each) ? [] : [each.path])),
    );
    return { unread, waiting };
  });
}

/** Returns the entries that one search reads: all, or those whose path has its words, and then the newest. */
async function chooseFirst(
  stale: FileEntry[],
  words: readonly string[],
  budget: WorkBudget,
): Promise<readonly FileEntry[]> {
  const limit = (entries: readonly FileEntry[]): readonly FileEntry[] => {
    let bytes = 0;
    const end = entries.findIndex(({ size }, place) => (bytes += size) > maxReads.bytes || place >= maxReads.notes);
    return end === -1 ? entries : entries.slice(0, Math.max(1, end));
  };
  const first = limit(stale);
  if (first.length === stale.length) return stale;
  const ranked: { readonly entry: FileEntry; readonly hits: number }[] = [];
  for (const entry of stale) {
    const going = budget.spend(entry.path.length);
    if (going !== true && !(await going)) return [];
    const path = foldText(entry.path);
    ranked.push({ entry, hits: words.filter((word) => path.includes(word)).length });
  }
  ranked.sort((a, b) => b.hits - a.hits || b.entry.modified - a.entry.modified);
  return limit(ranked.map(({ entry }) => entry));
}

/** Removes deleted notes. If as many were added as deleted, the handler of vault events removes them. */
function forgetLost(vault: SearchedNotes, index: PassageIndex): void {
  const files = vault.files();
  if (index.noteCount <= files.length) return;
  const paths = new Set(files.map((file) => file.path));
  for (const path of [...index.paths()]) if (!paths.has(path)) index.forget(path);
}

/** Reads and indexes notes; returns the paths that could not be read. */
export async function indexNotes(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<string[]> {
  const unread: string[] = [];
  for (let from = 0; from < entries.length; from += readsAtOnce) {
    if (signal.aborted) break;
    const batch = entries.slice(from, from + readsAtOnce);
    const notes = await Promise.all(batch.map((entry) => vault.read(entry.path, signal)));
    for (const [place, entry] of batch.entries()) {
      const note = notes[place];
      if (note?.ok !== true || note.value.text.length > searchableBytes) {
        index.forget(entry.path);
        unread.push(entry.path);
        continue;
      }
      if (!(await index.add(entry, note.value.text, budget))) return unread;
    }
  }
  return unread;
}
