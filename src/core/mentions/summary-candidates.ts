/** Lines for the user's own notes of one kind, by name: a property of the note, or its file's. */
import { baseName } from '../library/user-notes';
import type { Mention } from '../session/entry';
import type { MentionCandidate } from './candidate';

interface Summary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

const made = new WeakMap<readonly Summary[], readonly MentionCandidate[]>();

export function summaryCandidates(kind: Mention['kind'], summaries: readonly Summary[]): readonly MentionCandidate[] {
  const known = made.get(summaries);
  if (known !== undefined) return known;
  const names = summaries.map(({ name }) => name);
  const candidates = summaries.map(({ id, name, description = '' }): MentionCandidate => {
    const isShared = names.indexOf(name) !== names.lastIndexOf(name);
    return { mention: { kind, id, label: isShared ? baseName(id) : name }, detail: description, keywords: description };
  });
  candidates.sort((a, b) => (a.mention.label.toLowerCase() < b.mention.label.toLowerCase() ? -1 : 1));
  made.set(summaries, candidates);
  return candidates;
}
