/** Ranks suggestions against what was typed, over tens of thousands of names within a key press. */
import UFuzzy from '@leeoniya/ufuzzy';
import type { Candidate } from '../../core/mentions/mention';

const fuzzy = new UFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  intraIns: 1,
});

/** Matches beyond this many are ordered only by the filter. */
const rankedMatches = 1000;

const haystacks = new WeakMap<readonly Candidate[], string[]>();

/** The best matches, or the first candidates for an empty query. */
export function rankCandidates(candidates: readonly Candidate[], query: string, limit: number): readonly Candidate[] {
  const wanted = query.trim();
  if (wanted === '') return candidates.slice(0, limit);
  const haystack = haystackOf(candidates);
  const [found, info, order] = fuzzy.search(haystack, UFuzzy.latinize(wanted), 1, rankedMatches);
  if (found === null || found.length === 0) return containing(candidates, haystack, wanted, limit);
  const best = info && order ? order.map((at) => info.idx[at]) : found;
  return best.slice(0, limit).flatMap((index) => (index === undefined ? [] : (candidates[index] ?? [])));
}

function haystackOf(candidates: readonly Candidate[]): string[] {
  let haystack = haystacks.get(candidates);
  if (haystack === undefined) {
    haystack = UFuzzy.latinize(candidates.map(({ mention, detail }) => `${mention.label} ${detail}`));
    haystacks.set(candidates, haystack);
  }
  return haystack;
}

/** Names in scripts that the expressions do not split, and signs such as emoji, are found by plain containment. */
function containing(
  candidates: readonly Candidate[],
  haystack: readonly string[],
  query: string,
  limit: number,
): Candidate[] {
  const found: Candidate[] = [];
  const folded = query.normalize('NFC').toLowerCase();
  for (const [index, text] of haystack.entries()) {
    if (found.length === limit) break;
    const candidate = candidates[index];
    if (candidate !== undefined && text.normalize('NFC').toLowerCase().includes(folded)) found.push(candidate);
  }
  return found;
}
