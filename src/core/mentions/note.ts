/** `[[`: notes, the newest first. */
import type { Vault } from '../ports';
import { baseName } from '../prompt/user-notes';
import type { MentionCandidate } from './candidate';
import { keepList } from './kept-list';
import { usualLines, type MentionSource } from './mention-source';

interface NoteList {
  readonly candidates: readonly MentionCandidate[];
  /** Names, in lower case, that more than one note has. */
  readonly shared: ReadonlySet<string>;
}

const sliceNotes = 4_000;
const smallVault = 5_000;

const lists = keepList<NoteList>(listNotes, { candidates: [], shared: new Set() }, smallVault);

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

/** What a link to this note says: its name, or its path where another note has the same name. */
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
  const modified = Float64Array.from(notes, (note) => note.modified);
  // Paths come sorted, so that equal times keep the order of paths.
  const order = Uint32Array.from(notes.keys()).sort((a, b) => (modified[b] ?? 0) - (modified[a] ?? 0) || a - b);
  yield;
  const candidates: MentionCandidate[] = [];
  for (const index of order) {
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
