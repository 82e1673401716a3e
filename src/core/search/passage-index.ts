/** PassageIndex: an in-memory cache of the terms of every passage read so far, without the texts. */
import { raceAbort, type WorkBudget } from '../base/async';
import { frontNames } from '../markdown/properties';
import { structureOf } from '../markdown/structure';
import type { FileEntry, Vault } from '../ports/vault';
import { type Passage, passagesOf } from './passages';
import { isSpaced, nameWords, stem, termsOf, termsOfMixed, wordsOf } from './query';

/** One passage, with the term numbers of its headings. */
export interface IndexedPassage {
  readonly passage: Passage;
  readonly heading: readonly number[];
  /** The same without function words. */
  readonly headingContent: readonly number[];
  readonly above: readonly number[];
  /** The range of its terms in the note's arrays, end excluded. */
  readonly from: number;
  readonly to: number;
  /** Number of terms, repeats included. */
  readonly length: number;
}

export interface IndexedNote {
  readonly path: string;
  readonly modified: number;
  readonly size: number;
  readonly title: readonly number[];
  readonly aliases: readonly (readonly number[])[];
  /** The title and the aliases without function words. */
  readonly names: readonly (readonly number[])[];
  readonly tags: readonly number[];
  readonly folder: readonly number[];
  readonly passages: readonly IndexedPassage[];
  /** Terms of all passages, one passage after another, sorted within each. */
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
  /** Every term of the note, sorted. */
  readonly all: Uint32Array;
}

export class PassageIndex {
  private readonly numbers = new Map<string, number>();
  /** Term numbers by spaced word form as written, so that each form is stemmed once. */
  private readonly forms = new Map<string, number>();
  private readonly spread: number[] = [];
  private readonly notes = new Map<string, IndexedNote>();
  private passages = 0;
  private length = 0;

  get noteCount(): number {
    return this.notes.size;
  }

  get averageLength(): number {
    return this.passages === 0 ? 1 : Math.max(1, this.length / this.passages);
  }

  get(path: string): IndexedNote | undefined {
    return this.notes.get(path);
  }

  paths(): IterableIterator<string> {
    return this.notes.keys();
  }

  /** Whether the indexed note matches the entry; an unknown modification time never counts as current. */
  isCurrent(entry: FileEntry): boolean {
    const note = this.notes.get(entry.path);
    return note !== undefined && entry.modified > 0 && note.modified === entry.modified && note.size === entry.size;
  }

  /** Returns the number of a term, if any note contains it. */
  numberOf(term: string): number | undefined {
    const number = this.numbers.get(term);
    return number === undefined || this.spreadOf(number) === 0 ? undefined : number;
  }

  /** Returns how many notes contain a term. */
  spreadOf(number: number): number {
    return this.spread[number] ?? 0;
  }

  knownTerms(): IterableIterator<[string, number]> {
    return this.numbers.entries();
  }

  forget(path: string): void {
    const note = this.notes.get(path);
    if (note === undefined) return;
    this.notes.delete(path);
    for (const number of note.all) this.spread[number] = this.spreadOf(number) - 1;
    this.passages -= note.passages.length;
    for (const passage of note.passages) this.length -= passage.length;
  }

  /** Indexes a note's text, replacing its earlier entry; returns false if the signal aborted it. */
  async add(entry: FileEntry, text: string, budget: WorkBudget): Promise<boolean> {
    const structure = structureOf(text);
    const { aliases, tags } = frontNames(text, structure);
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
    const folder = entry.path.slice(0, entry.path.length - name.length);
    const ownName = name.replace(/\.[^.]+$/, '');
    const title = this.numbersOf(ownName);
    const note = {
      aliases: aliases.map((alias) => this.numbersOf(alias)),
      names: [ownName, ...aliases].map((each) => this.contentOf(each, this.numbersOf(each))),
      tags: this.numbersOf(tags.join(' ')),
      folder: this.numbersOf(folder),
    };
    const all = [...title, ...note.aliases.flat(), ...note.tags, ...note.folder];
    const terms: number[] = [];
    const counts: number[] = [];
    const passages: IndexedPassage[] = [];
    for (const passage of passagesOf(text, structure)) {
      const going = budget.spend(passage.end - passage.start + 50);
      if (going !== true && !(await going)) return false;
      const found = Uint32Array.from(passage.own ? this.numbersIn(text.slice(passage.start, passage.end)) : []).sort();
      const from = terms.length;
      for (let at = 0, next = 0; at < found.length; at = next) {
        const number = found[at] ?? 0;
        while (next < found.length && found[next] === number) next += 1;
        terms.push(number);
        counts.push(Math.min(255, next - at));
      }
      const ownHeading = passage.trail.at(-1) ?? '';
      const heading = this.numbersOf(ownHeading);
      const headingContent = this.contentOf(ownHeading, heading);
      const above = this.numbersOf(passage.trail.slice(0, -1).join(' '));
      all.push(...heading, ...above);
      passages.push({ passage, heading, headingContent, above, from, to: terms.length, length: found.length });
    }
    this.forget(entry.path);
    const sorted = Uint32Array.from(new Set([...all, ...terms])).sort();
    for (const number of sorted) this.spread[number] = this.spreadOf(number) + 1;
    this.passages += passages.length;
    for (const passage of passages) this.length += passage.length;
    this.notes.set(entry.path, {
      path: entry.path,
      modified: entry.modified,
      size: entry.size,
      title,
      ...note,
      passages,
      terms: Uint32Array.from(terms),
      counts: Uint8Array.from(counts),
      all: sorted,
    });
    return true;
  }

  private numbersOf(text: string): number[] {
    return text === '' ? [] : [...new Set(termsOf(text))].map((term) => this.register(term));
  }

  /** Returns the numbers of a name without function words; the same array if it has none. */
  private contentOf(name: string, numbers: readonly number[]): readonly number[] {
    const content = this.numbersOf(nameWords(name).join(' '));
    return content.length === numbers.length ? numbers : content;
  }

  /** Returns the numbers of all terms of a text, repeats included. */
  private numbersIn(text: string): number[] {
    const numbers: number[] = [];
    for (const word of wordsOf(text)) {
      const known = this.forms.get(word);
      if (known !== undefined) numbers.push(known);
      else if (isSpaced(word)) {
        const number = this.register(stem(word));
        this.forms.set(ownCopy(word), number);
        numbers.push(number);
      } else for (const term of termsOfMixed(word)) numbers.push(this.register(term));
    }
    return numbers;
  }

  private register(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    const number = this.spread.length;
    this.numbers.set(ownCopy(term), number);
    this.spread.push(0);
    return number;
  }
}

/** Copies a string, because a slice retains the whole source text in memory. */
function ownCopy(text: string): string {
  return text.split('').join('');
}

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

/** Removes paths from the index; they are read again in the next search. */
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

/** The running update of each index; concurrent searches wait for it, so that notes are not read twice. */
const updates = new WeakMap<PassageIndex, Promise<void>>();

/** Updates the index and returns the paths that could not be read; undefined if the signal fired first. */
export function updateIndex(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const update = (updates.get(index) ?? Promise.resolve()).then(() => {
    forgetLost(vault, index);
    return bringUpToDate(vault, index, entries, budget, signal);
  });
  // A stopped or failed search must not block others, even if the disk never responds.
  const ended = raceAbort(update, signal);
  const isOver = (): void => undefined;
  updates.set(index, ended.then(isOver, isOver));
  return ended;
}

/** Removes deleted notes. If as many were added as deleted, the handler of vault events removes them. */
function forgetLost(vault: SearchedNotes, index: PassageIndex): void {
  const files = vault.files();
  if (index.noteCount <= files.length) return;
  const paths = new Set(files.map((file) => file.path));
  for (const path of [...index.paths()]) if (!paths.has(path)) index.forget(path);
}

/** Reads and indexes new and changed entries; returns the paths that could not be read. */
async function bringUpToDate(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<string[]> {
  const unread: string[] = [];
  const stale: FileEntry[] = [];
  for (const entry of entries) {
    if (entry.size > searchableBytes) unread.push(entry.path);
    else if (!index.isCurrent(entry)) stale.push(entry);
  }
  for (let from = 0; from < stale.length; from += readsAtOnce) {
    if (signal.aborted) break;
    const batch = stale.slice(from, from + readsAtOnce);
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
