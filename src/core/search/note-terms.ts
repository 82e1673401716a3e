/** NoteTerms: what a search needs of one note, in bytes that know its terms by their place in a sorted list. */
import type { WorkBudget } from '../base/async';
import { frontNames } from '../markdown/properties';
import { structureOf } from '../markdown/structure';
import type { FileEntry } from '../ports/vault';
import { type Passage, passagesOf } from './passages';
import { isSpaced, nameWords, stem, termsOf, termsOfMixed, wordsOf } from './query';

export interface NoteTerms {
  readonly path: string;
  readonly modified: number;
  readonly size: number;
  /** Each once, sorted by code unit. */
  readonly terms: readonly string[];
  readonly data: Uint8Array;
}

/** One passage, with the numbers of its terms among those of the note. */
export interface IndexedPassage {
  /** Offsets in the note's text. */
  readonly start: number;
  readonly end: number;
  readonly isProperties: boolean;
  /** Whether at most one heading is above it. */
  readonly isOpening: boolean;
  readonly heading: readonly number[];
  /** The same without function words. */
  readonly headingContent: readonly number[];
  readonly above: readonly number[];
  /** Number of terms, repeats included. */
  readonly length: number;
  /** How often it has each of the terms that were asked for. */
  readonly counts: ReadonlyMap<number, number>;
}

export interface IndexedNote {
  readonly title: readonly number[];
  readonly aliases: readonly (readonly number[])[];
  /** The title and the aliases without function words. */
  readonly names: readonly (readonly number[])[];
  readonly tags: readonly number[];
  readonly folder: readonly number[];
  readonly passages: readonly IndexedPassage[];
}

/** The stems of spaced words by their form as written, so that each form is stemmed once. */
export class Stems {
  private readonly stems = new Map<string, string>();

  of(word: string): string {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    const found = stem(word);
    if (this.stems.size >= maxStems) this.stems.clear();
    this.stems.set(ownCopy(word), found);
    return found;
  }
}

const maxStems = 100_000;

/** Copies a string, because a slice retains the whole source text in memory. */
function ownCopy(text: string): string {
  return text.split('').join('');
}

interface ReadPassage {
  readonly passage: Passage;
  readonly heading: readonly number[];
  readonly headingContent: readonly number[];
  readonly above: readonly number[];
  readonly counts: ReadonlyMap<number, number>;
  readonly length: number;
}

/** Reads the terms of a note; returns null if the budget stopped the work. */
export async function readTerms(
  entry: FileEntry,
  text: string,
  stems: Stems,
  budget: WorkBudget,
): Promise<NoteTerms | null> {
  const own = new TermNumbers(stems);
  const structure = structureOf(text);
  const { aliases, tags } = frontNames(text, structure);
  const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
  const ownName = name.replace(/\.[^.]+$/, '');
  const names = {
    title: own.of(ownName),
    aliases: aliases.map((alias) => own.of(alias)),
    names: [ownName, ...aliases].map((each) => own.contentOf(each)),
    tags: own.of(tags.join(' ')),
    folder: own.of(entry.path.slice(0, entry.path.length - name.length)),
  };
  const passages: ReadPassage[] = [];
  for (const passage of passagesOf(text, structure)) {
    const going = budget.spend(passage.end - passage.start + 50);
    if (going !== true && !(await going)) return null;
    const ownHeading = passage.trail.at(-1) ?? '';
    passages.push({
      passage,
      heading: own.of(ownHeading),
      headingContent: own.contentOf(ownHeading),
      above: own.of(passage.trail.slice(0, -1).join(' ')),
      ...own.countIn(passage.own ? text.slice(passage.start, passage.end) : ''),
    });
  }
  const { path, modified, size } = entry;
  const { terms, places } = own.sorted();
  return { path, modified, size, terms, data: writeNote(names, passages, places) };
}

/** Numbers the terms of a note in the order in which they are met. */
class TermNumbers {
  private readonly numbers = new Map<string, number>();

  constructor(private readonly stems: Stems) {}

  /** Returns the numbers of the terms of a name, each once. */
  of(text: string): number[] {
    return text === '' ? [] : [...new Set(termsOf(text))].map((term) => this.register(term));
  }

  /** Returns those of a name without function words. */
  contentOf(name: string): number[] {
    return name === '' ? [] : this.of(nameWords(name).join(' '));
  }

  countIn(text: string): Pick<ReadPassage, 'counts' | 'length'> {
    const counts = new Map<number, number>();
    let length = 0;
    const add = (term: string): void => {
      const number = this.register(term);
      counts.set(number, (counts.get(number) ?? 0) + 1);
      length += 1;
    };
    for (const word of text === '' ? [] : wordsOf(text)) {
      if (isSpaced(word)) add(this.stems.of(word));
      else for (const term of termsOfMixed(word)) add(term);
    }
    return { counts, length };
  }

  /** Returns the terms sorted, and the place of each among them by its number. */
  sorted(): { readonly terms: string[]; readonly places: Uint32Array } {
    const terms = [...this.numbers.keys()].sort();
    const places = new Uint32Array(terms.length);
    terms.forEach((term, place) => (places[this.numbers.get(term) ?? 0] = place));
    return { terms: terms.map(ownCopy), places };
  }

  private register(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    this.numbers.set(term, this.numbers.size);
    return this.numbers.size - 1;
  }
}

const flags = { properties: 1, opening: 2, sameContent: 4 };
/** The largest count of a term in a passage that is stored. */
const maxCount = 255;

type Names = Pick<IndexedNote, 'title' | 'aliases' | 'names' | 'tags' | 'folder'>;

function writeNote(names: Names, passages: readonly ReadPassage[], places: Uint32Array): Uint8Array {
  const bytes: number[] = [];
  const write = (number: number): void => {
    let left = number;
    for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
    bytes.push(left);
  };
  const writeList = (numbers: readonly number[]): void => {
    write(numbers.length);
    for (const number of numbers) write(places[number] ?? 0);
  };
  const writeLists = (lists: readonly (readonly number[])[]): void => {
    write(lists.length);
    lists.forEach(writeList);
  };
  write(passages.length);
  write(passages.reduce((sum, { length }) => sum + length, 0));
  writeList(names.title);
  writeLists(names.aliases);
  writeLists(names.names);
  writeList(names.tags);
  writeList(names.folder);
  for (const { passage, heading, headingContent, above, counts, length } of passages) {
    const isSame = headingContent.length === heading.length;
    write(
      (passage.kind === 'properties' ? flags.properties : 0) +
        (passage.trail.length <= 1 ? flags.opening : 0) +
        (isSame ? flags.sameContent : 0),
    );
    write(passage.start);
    write(passage.end - passage.start);
    writeList(heading);
    if (!isSame) writeList(headingContent);
    writeList(above);
    write(length);
    write(counts.size);
    let before = 0;
    const found = [...counts].map(([number, count]): [number, number] => [places[number] ?? 0, count]);
    for (const [place, count] of found.sort(([one], [other]) => one - other)) {
      write(place - before);
      write(Math.min(count, maxCount));
      before = place;
    }
  }
  return Uint8Array.from(bytes);
}

/** Reads the numbers of a note's bytes, one after another. */
class NumberReader {
  private at = 0;

  constructor(private readonly data: Uint8Array) {}

  next(): number {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.data[this.at] ?? 0;
      this.at += 1;
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  }

  list(): number[] {
    const numbers: number[] = [];
    for (let left = this.next(); left > 0; left -= 1) numbers.push(this.next());
    return numbers;
  }

  lists(): number[][] {
    const lists: number[][] = [];
    for (let left = this.next(); left > 0; left -= 1) lists.push(this.list());
    return lists;
  }
}

/** Returns how many passages a note has, and how many terms are in them, repeats included. */
export function sizesOf(data: Uint8Array): { readonly passages: number; readonly length: number } {
  const reader = new NumberReader(data);
  return { passages: reader.next(), length: reader.next() };
}

/** @param asked the places of the terms that are asked for; no other is counted */
export function readNote(data: Uint8Array, asked: ReadonlyMap<number, unknown>): IndexedNote {
  const reader = new NumberReader(data);
  const count = reader.next();
  reader.next();
  const [title, aliases, names] = [reader.list(), reader.lists(), reader.lists()];
  const [tags, folder] = [reader.list(), reader.list()];
  const passages: IndexedPassage[] = [];
  while (passages.length < count) passages.push(readPassage(reader, asked));
  return { title, aliases, names, tags, folder, passages };
}

function readPassage(reader: NumberReader, asked: ReadonlyMap<number, unknown>): IndexedPassage {
  const flag = reader.next();
  const start = reader.next();
  const end = start + reader.next();
  const heading = reader.list();
  const headingContent = (flag & flags.sameContent) === 0 ? reader.list() : heading;
  const above = reader.list();
  const length = reader.next();
  const counts = new Map<number, number>();
  let place = 0;
  for (let left = reader.next(); left > 0; left -= 1) {
    place += reader.next();
    const count = reader.next();
    if (asked.has(place)) counts.set(place, count);
  }
  return {
    ...{ start, end, heading, headingContent, above, length, counts },
    isProperties: (flag & flags.properties) !== 0,
    isOpening: (flag & flags.opening) !== 0,
  };
}
