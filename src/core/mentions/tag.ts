/** `[[`: tags by name, after something was typed; `[[#` shows them after headings. */
import type { FileEntry, Vault } from '../ports/vault';
import type { MentionCandidate, MentionSource } from './mention-source';
import { cacheList } from './vault-list';

const shownTags = 3;
const shownAfterSign = 12;
/** Outlines read, and notes skipped, in one slice. */
const sliceOutlines = 100;
const sliceNotes = 4_000;
const smallVault = 500;

const lists = cacheList<readonly MentionCandidate[]>(listTags, [], smallVault);

export const tagMentions: MentionSource = {
  id: 'tag',
  trigger: '[[',
  offer: ({ vault }, typed) => {
    const wanted = /^#?([^#^]*)$/.exec(typed)?.[1]?.trim() ?? '';
    if (wanted === '' && typed !== '#') return null;
    const lines = typed.startsWith('#') ? shownAfterSign : shownTags;
    return { candidates: lists.current(vault), query: wanted, lines };
  },
  prepare: ({ vault }) => lists.prepare(vault),
};

interface NoteTags {
  readonly modified: number;
  readonly tags: readonly string[];
  /** Whether the tags were read twice: the index may lag behind the file, so the next pass reads them again. */
  readonly confirmed: boolean;
}

const remembered = new WeakMap<Vault, Map<string, NoteTags>>();

function* listTags(vault: Vault): Generator<void, readonly MentionCandidate[]> {
  const known = remembered.get(vault) ?? new Map<string, NoteTags>();
  const next = new Map<string, NoteTags>();
  const counts = new Map<string, { readonly tag: string; notes: number }>();
  let outlines = 0;
  for (const [index, file] of vault.files().entries()) {
    if (file.kind !== 'note') continue;
    const before = known.get(file.path);
    const isKnown = before !== undefined && before.modified === file.modified;
    const now = isKnown && before.confirmed ? before : readTags(vault, file, isKnown);
    next.set(file.path, now);
    count(now.tags, counts);
    if (now !== before) outlines += 1;
    if ((now !== before && outlines % sliceOutlines === 0) || index % sliceNotes === 0) yield;
  }
  remembered.set(vault, next);
  return [...counts.values()]
    .sort((a, b) => b.notes - a.notes || (a.tag < b.tag ? -1 : 1))
    .map(({ tag, notes }) => ({ mention: { kind: 'tag', id: tag, label: tag }, detail: '', notes }));
}

function readTags(vault: Vault, { path, modified }: FileEntry, confirmed: boolean): NoteTags {
  const outline = vault.outline(path);
  return { modified, tags: outline?.tags ?? [], confirmed: confirmed && outline !== undefined };
}

/** Counts a note's tags: `#a/b` counts for `#a` too, and tags that differ only in case are one. */
function count(tags: readonly string[], counts: Map<string, { readonly tag: string; notes: number }>): void {
  const own = new Map<string, string>();
  for (const tag of tags) {
    for (let end = tag.length; end > 0; end = tag.lastIndexOf('/', end - 1)) {
      const spelled = tag.slice(0, end);
      own.set(spelled.toLowerCase(), spelled);
    }
  }
  for (const [folded, tag] of own) {
    const entry = counts.get(folded);
    if (entry === undefined) counts.set(folded, { tag, notes: 1 });
    else entry.notes += 1;
  }
}
