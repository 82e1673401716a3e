/** `@` and `[[`: tags by name, after something was typed; `[[#` shows them after headings. */
import { isEqual } from '../base/equality';
import { compareText, editList, editsFor, type ListEdit } from '../base/list-edits';
import type { FileEntry, Vault } from '../ports/vault';
import { findAll, type MentionCandidate, type MentionSource } from './mention-source';
import { cacheList } from './vault-list';

const shownTags = 3;
const shownAfterSign = 12;
/** Notes, and tags of notes, that are read in one slice. */
const sliceLength = 1_000;
const smallVault = 500;

const lists = cacheList<CountedTags>({
  make: listTags,
  follow: followTags,
  nothing: { candidates: [], notes: new Map(), counts: new Map() },
  smallVault,
});

export const tagMentions: MentionSource = {
  id: 'tag',
  triggers: findAll,
  offer: ({ vault }, typed) => {
    const wanted = /^#?([^#^]*)$/.exec(typed)?.[1]?.trim() ?? '';
    if (wanted === '' && typed !== '#') return null;
    const lines = typed.startsWith('#') ? shownAfterSign : shownTags;
    return { candidates: lists.current(vault).candidates, query: wanted, lines };
  },
  prepare: ({ vault }) => lists.prepare(vault),
};

interface CountedTags {
  readonly candidates: readonly MentionCandidate[];
  /** The tags of each note that has tags. */
  readonly notes: Map<string, readonly string[]>;
  /** By folded tag. */
  readonly counts: Map<string, TagCount>;
}

interface TagCount {
  notes: number;
  /** How many notes write it so. */
  readonly spellings: Map<string, number>;
}

function byCount(a: MentionCandidate, b: MentionCandidate): number {
  return (b.notes ?? 0) - (a.notes ?? 0) || compareText(a.mention.id.toLowerCase(), b.mention.id.toLowerCase());
}

function* listTags(vault: Vault): Generator<void, CountedTags> {
  const notes: CountedTags['notes'] = new Map();
  const counts: CountedTags['counts'] = new Map();
  let length = 0;
  for (const { kind, path } of vault.files()) {
    const tags = (kind === 'note' && vault.tags(path)) || [];
    if (tags.length > 0) notes.set(path, tags);
    for (const [folded, spelled] of spellingsOf(tags)) count(counts, folded, spelled, 1);
    length += 1 + tags.length;
    if (length < sliceLength) continue;
    length = 0;
    yield;
  }
  return { candidates: [...counts.values()].map(lineOf).sort(byCount), notes, counts };
}

/** A note that was touched may have other tags, even if it is the same file. */
function followTags(before: CountedTags, edits: readonly ListEdit<FileEntry>[], vault: Vault): CountedTags {
  const { notes, counts } = before;
  const lines = new Map<string, MentionCandidate | undefined>();
  const change = (tags: readonly string[] | undefined, by: number): void => {
    for (const [folded, spelled] of spellingsOf(tags ?? [])) {
      const known = counts.get(folded);
      if (!lines.has(folded)) lines.set(folded, known && lineOf(known));
      count(counts, folded, spelled, by);
    }
  };
  const touched = new Map<string, boolean>();
  for (const { removed } of edits) for (const { path } of removed) touched.set(path, false);
  for (const { added } of edits) for (const { path, kind } of added) touched.set(path, kind === 'note');
  for (const [path, isNote] of touched) {
    const tags = (isNote && vault.tags(path)) || [];
    if (isEqual(tags, notes.get(path) ?? [])) continue;
    change(notes.get(path), -1);
    change(tags, 1);
    if (tags.length > 0) notes.set(path, tags);
    else notes.delete(path);
  }
  const removed = [...lines.values()].flatMap((line) => line ?? []);
  const added = [...lines.keys()].flatMap((folded) => {
    const now = counts.get(folded);
    return now === undefined ? [] : lineOf(now);
  });
  const isSame = removed.length === added.length && JSON.stringify(removed) === JSON.stringify(added);
  if (isSame) return before;
  const { candidates } = before;
  return { candidates: editList(candidates, editsFor(candidates, removed, added, byCount)), notes, counts };
}

function lineOf({ notes, spellings }: TagCount): MentionCandidate {
  const [tag = ''] = [...spellings].sort(([a, many], [b, others]) => others - many || compareText(a, b))[0] ?? [];
  return { mention: { kind: 'tag', id: tag, label: tag }, detail: '', notes };
}

/** Returns a note's tags by folded tag: `#a/b` is `#a` too, and tags that differ only in case are one. */
function spellingsOf(tags: readonly string[]): Map<string, string> {
  const own = new Map<string, string>();
  for (const tag of tags) {
    for (let end = tag.length; end > 0; end = tag.lastIndexOf('/', end - 1)) {
      const spelled = tag.slice(0, end);
      own.set(spelled.toLowerCase(), spelled);
    }
  }
  return own;
}

function count(counts: CountedTags['counts'], folded: string, spelled: string, by: number): void {
  const known = counts.get(folded) ?? { notes: 0, spellings: new Map<string, number>() };
  counts.set(folded, known);
  known.notes += by;
  const written = (known.spellings.get(spelled) ?? 0) + by;
  if (written > 0) known.spellings.set(spelled, written);
  else known.spellings.delete(spelled);
  if (known.notes === 0) counts.delete(folded);
}
