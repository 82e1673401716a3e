/** Offers the lines of a list by name after `[[`, once something was typed that names no part of a note. */
import type { MentionCandidate } from './candidate';
import type { KeptList } from './kept-list';
import type { MentionSource } from './mention-source';

/** @param lines shown at most */
export function offerByName(
  id: MentionSource['id'],
  list: KeptList<readonly MentionCandidate[]>,
  lines: number,
): MentionSource {
  return {
    id,
    trigger: '[[',
    offer: ({ vault }, typed) =>
      typed.trim() === '' || typed.includes('#') ? null : { candidates: list.current(vault), query: typed, lines },
    prepare: ({ vault }) => list.prepare(vault),
  };
}
