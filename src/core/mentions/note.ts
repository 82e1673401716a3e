/** `[[`: notes, the newest first. */
import { baseName } from '../library/user-notes';
import type { FileEntry, Vault } from '../ports/vault';
import { type MentionCandidate, type MentionSource, usualLines } from './mention-source';
import { cacheList } from './vault-list';

interface NoteList {
  readonly candidates: readonly MentionCandidate[];
  /** Lowercase names that more than one note has. */
  readonly shared: ReadonlySet<string>;
}

const sliceNotes = 4_000;
const smallVault = 5_000;

const lists = cacheList<NoteList>(listNotes, { candidates: [], shared: new Set() }, smallVault);

export const noteMentions: MentionSource = {
  id: 'note',
  trigger: '[[',
  offer: ({ vault }, typed) =>
    typed.includes('#') ? null : { candidates: newestNotes(vault), query: typed, lines: usualLines },
  prepare: ({ vault }) => lists.prepare(vault),
};

export function newestNotes(vault: Vault): readonly MentionCandidate[] {
  return lists.current(vault).candidates;
}

/** Returns the text of a link to a note: its name, or its path if another note has the same name. */
export function linkTextOf(vault: Vault, path: string): string {
  return linkText(path, lists.current(vault).shared);
}

function linkText(path: string, shared: ReadonlySet<string>): string {
  const name = baseName(path);
  return shared.has(name.toLowerCase()) ? path.replace(/\.md$/i, '') : name;
}

function* listNotes(vault: Vault): Generator<void, NoteList> {
  const notes = vault.files().filter((file) => file.kind === 'note');
  const names = new Set<string>();
  const shared = new Set<string>();
  for (const [index, { path }] of notes.entries()) {
    const name = baseName(path).toLowerCase();
    if (names.has(name)) shared.add(name);
    names.add(name);
    if (index % sliceNotes === sliceNotes - 1) yield;
  }
  const candidates: MentionCandidate[] = [];
  for (const index of yield* newestFirst(notes)) {
    const path = notes[index]?.path ?? '';
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const name = baseName(path);
    const label = linkText(path, shared);
    const mention = { kind: 'note', id: path, label } as const;
    const candidate = { mention, detail: folder, keywords: folder };
    candidates.push(label === name ? candidate : { ...candidate, name });
    if (candidates.length % sliceNotes === 0) yield;
  }
  return { candidates, shared };
}

/** Sorts the indexes of notes by time, newest first; equal times retain the order of paths. */
function* newestFirst(notes: readonly FileEntry[]): Generator<void, number[]> {
  const byTime = (a: number, b: number): number => (notes[b]?.modified ?? 0) - (notes[a]?.modified ?? 0) || a - b;
  const runs: { readonly indexes: readonly number[]; at: number }[] = [];
  for (let start = 0; start < notes.length; start += sliceNotes) {
    const length = Math.min(sliceNotes, notes.length - start);
    runs.push({ indexes: Array.from({ length }, (_, index) => start + index).sort(byTime), at: 0 });
    yield;
  }
  const merged: number[] = [];
  while (merged.length < notes.length) {
    let next = -1;
    let from = runs[0];
    for (const run of runs) {
      const index = run.indexes[run.at];
      if (index !== undefined && (next < 0 || byTime(index, next) < 0)) {
        next = index;
        from = run;
      }
    }
    if (from !== undefined) from.at += 1;
    merged.push(next);
    if (merged.length % sliceNotes === 0) yield;
  }
  return merged;
}
