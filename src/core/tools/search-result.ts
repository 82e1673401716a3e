/**
 * Search result: the text of a search, which models read and the built-in reader parses.
 *
 *     result   = summary LF *( LF passage )
 *     passage  = "[" number "] " path LF [ "heading: " trail LF ] "lines: " first "-" last [ ", part" ] LF text LF
 *     trail    = heading *( " › " heading )        a "›" inside a heading is doubled
 *     text     = the lines first to last exactly as in the note; their number says where the text ends
 *
 * "part" marks text that starts or ends inside a line. A result without passages is its summary alone.
 */
import type { FoundPassage } from '../search/rank-passages';
import { counted } from './results';

/** A passage as shown in a result: found by a search, or parsed from the text of a result. */
export type QuotedPassage = Omit<FoundPassage, 'score'>;

export interface SearchResult {
  /** One line. */
  readonly summary: string;
  readonly passages: readonly QuotedPassage[];
}

export function formatSearchResult(result: SearchResult): string {
  return [result.summary.replace(/\s+/g, ' ').trim(), ...result.passages.map(formatPassage)].join('\n\n');
}

export function formatPassage(passage: QuotedPassage, index: number): string {
  const lines = [`[${index + 1}] ${passage.path}`];
  if (passage.trail.length > 0) lines.push(`heading: ${passage.trail.map(escapeStep).join(' › ')}`);
  lines.push(`lines: ${passage.startLine}-${passage.endLine}${passage.cut ? ', part' : ''}`, passage.text);
  return lines.join('\n');
}

/** Returns undefined if the text is not a search result. A truncated result yields the passages before the cut. */
export function parseSearchResult(text: string): SearchResult | undefined {
  const lines = text.split('\n');
  const summary = lines[0] ?? '';
  const passages: QuotedPassage[] = [];
  let at = 1;
  while (at < lines.length) {
    if (lines[at] !== '') return passages.length > 0 ? { summary, passages } : undefined;
    const parsed = parsePassage(lines, at + 1);
    if (parsed === null) break;
    passages.push(parsed.passage);
    at = parsed.end;
  }
  return { summary, passages };
}

/** @returns the passage and the index of the line after it; null when it is malformed or cut short */
function parsePassage(
  lines: readonly string[],
  at: number,
): { readonly passage: QuotedPassage; readonly end: number } | null {
  const path = /^\[\d+\] (.+)$/.exec(lines[at] ?? '')?.[1];
  if (path === undefined) return null;
  const heading = /^heading: (.+)$/.exec(lines[at + 1] ?? '')?.[1];
  const rangeAt = at + (heading === undefined ? 1 : 2);
  const range = /^lines: (\d+)-(\d+)(, part)?$/.exec(lines[rangeAt] ?? '');
  if (range === null) return null;
  const startLine = Number(range[1]);
  const endLine = Number(range[2]);
  const end = rangeAt + 1 + endLine - startLine + 1;
  if (endLine < startLine || end > lines.length) return null;
  const passage = {
    path,
    trail: heading === undefined ? [] : heading.split(' › ').map(unescapeStep),
    startLine,
    endLine,
    text: lines.slice(rangeAt + 1, end).join('\n'),
    cut: range[3] !== undefined,
  };
  return { passage, end };
}

function escapeStep(heading: string): string {
  return heading.replace(/›/g, '››');
}

function unescapeStep(step: string): string {
  return step.replace(/››/g, '›');
}

export interface SearchCounts {
  readonly query: string;
  readonly shown: number;
  /** The number of notes among the shown passages. */
  readonly shownNotes: number;
  readonly fitting: number;
  readonly searched: number;
  readonly unread: number;
  readonly absent: readonly string[];
  readonly present: readonly string[];
}

/** Returns the first line of a result: what was found, what was not, and how to get more. */
export function summarise(counts: SearchCounts): string {
  const quoted = (list: readonly string[]): string => list.map((word) => `"${word}"`).join(', ');
  const parts: string[] = [];
  if (counts.shown === 0) {
    parts.push(`Nothing found for: ${counts.query}.`, `Searched ${counted(counts.searched, 'note')}.`);
    if (counts.absent.length > 0) parts.push(`In no note: ${quoted(counts.absent)}.`);
    if (counts.present.length > 0) parts.push(`In some notes, but not together: ${quoted(counts.present)}.`);
  } else {
    parts.push(`${counted(counts.shown, 'passage')} in ${counted(counts.shownNotes, 'note')} for: ${counts.query}.`);
    if (counts.absent.length > 0) parts.push(`In no note: ${quoted(counts.absent)}.`);
    const more = counts.fitting - counts.shown;
    if (more > 0) parts.push(`${counted(more, 'more passage')} fit; for those raise limit or name a folder or tag.`);
  }
  if (counts.unread > 0) parts.push(`${counted(counts.unread, 'note')} could not be read.`);
  return parts.join(' ');
}

/** Returns how many notes a summary reports as unreadable; undefined if none. */
export function unreadIn(summary: string): string | undefined {
  return / ([\d,]+) notes? could not be read\.$/.exec(summary)?.[1];
}
