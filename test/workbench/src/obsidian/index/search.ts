/** Search functions of the API and the drawing of their matches. */
import type { SearchMatches, SearchMatchPart, SearchResult, SearchResultContainer } from 'obsidian';

/** All words must occur; earlier and closer occurrences score better. Scores are at most 0. */
export function prepareSimpleSearch(query: string): (text: string) => SearchResult | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    const matches: SearchMatches = [];
    let score = 0;
    for (const word of words) {
      const first = lower.indexOf(word);
      if (first < 0) return null;
      score -= first / 100;
      for (let at = first; at >= 0; at = lower.indexOf(word, at + word.length)) matches.push([at, at + word.length]);
    }
    return { score, matches: mergeMatches(matches) };
  };
}

/** Every character of the query in order; runs and word starts score better. Scores are at most 0. */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  const simple = prepareSimpleSearch(query);
  return (text) => {
    if (wanted === '') return { score: 0, matches: [] };
    const exact = simple(text);
    if (exact) return { score: exact.score - (text.length - wanted.length) / 1000, matches: exact.matches };
    const lower = text.toLowerCase();
    const matches: SearchMatches = [];
    let from = 0;
    let score = -0.5;
    for (const character of wanted) {
      const at = lower.indexOf(character, from);
      if (at < 0) return null;
      const run = matches[matches.length - 1];
      if (run && run[1] === at) run[1] = at + character.length;
      else {
        matches.push([at, at + character.length]);
        score -= /[\p{L}\p{N}]/u.test(lower[at - 1] ?? ' ') ? 0.3 : 0.1;
      }
      from = at + character.length;
    }
    return { score: score - text.length / 1000, matches };
  };
}

function mergeMatches(matches: SearchMatches): SearchMatches {
  const sorted = [...matches].sort((first, second) => first[0] - second[0]);
  const merged: SearchMatchPart[] = [];
  for (const [start, end] of sorted) {
    const last = merged[merged.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

export function sortSearchResults(results: SearchResultContainer[]): void {
  results.sort((first, second) => second.match.score - first.match.score);
}

/** `offset` is added to each match; what falls outside the text is cut. */
export function renderMatches(
  el: HTMLElement | DocumentFragment,
  text: string,
  matches: SearchMatches | null,
  offset = 0,
): void {
  const doc = el.ownerDocument;
  let done = 0;
  for (const [start, end] of matches ?? []) {
    const from = Math.max(done, start + offset);
    const to = Math.min(text.length, end + offset);
    if (to <= from) continue;
    el.append(text.slice(done, from));
    const mark = doc.createElement('span');
    mark.className = 'suggestion-highlight';
    mark.textContent = text.slice(from, to);
    el.append(mark);
    done = to;
  }
  el.append(text.slice(done));
}

export function renderResults(el: HTMLElement, text: string, result: SearchResult, offset = 0): void {
  renderMatches(el, text, result.matches, offset);
}
