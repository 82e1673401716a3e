/** Finds the suggestions at the cursor: the groups of items from the sources of the open trigger. */
import { foldText } from '../../core/base/fold-text';
import {
  type Candidate,
  findTrigger,
  type MentionContext,
  type MentionSource,
  nameOf,
  type OpenTrigger,
  usualLines,
} from '../../core/mentions/mention-source';
import { isAttachedAt } from '../../core/mentions/mention-text';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { prepareRanking, rankCandidates } from './rank-candidates';

export interface SuggestionGroup {
  readonly source: MentionSource;
  readonly candidates: readonly Candidate[];
}

export interface Suggestions {
  readonly open: OpenTrigger;
  readonly groups: readonly SuggestionGroup[];
  /** All items, in display order. */
  readonly candidates: readonly Candidate[];
  /** Whether the sources have no items at all, matching or not. */
  readonly isBare: boolean;
  /** What to show when there are no items. */
  readonly emptyWords: string;
}

/** Minimum items that the first group retains when other groups have items too. */
const minFirstLines = 6;

/** Returns null when nothing is being mentioned at the cursor. */
export function findSuggestions(
  sources: readonly MentionSource[],
  context: MentionContext,
  text: string,
  cursor: number,
  attached: readonly Mention[],
): Suggestions | null {
  const open = findTrigger(text, cursor, new Set(sources.map(({ trigger }) => trigger)));
  if (open === null || isAttachedAt(text, open.from, cursor, attached)) return null;
  // A trigger is also ordinary text: past the first word, only an existing name keeps the list open.
  const goesOn = open.trigger !== '[[' && /\s/.test(open.query);
  const offers = sources
    .filter(({ trigger }) => trigger === open.trigger)
    .flatMap((source) => {
      const offer = source.offer(context, open.query);
      return offer === null ? [] : { source, ...offer };
    });
  const ranked = offers
    .map(({ source, candidates, query, lines }) => ({ source, candidates: rankCandidates(candidates, query, lines) }))
    .filter(({ candidates }) => candidates.length > 0);
  const groups = goesOn
    ? ranked.map((group) => onlyNamed(group, open.query)).filter(hasLines)
    : shorten(beginningFirst(ranked, open.query));
  if (goesOn && groups.length === 0) return null;
  const id = offers[0]?.source.id ?? 'note';
  const isBare = offers.every(({ candidates }) => candidates.length === 0);
  return {
    open,
    groups,
    candidates: groups.flatMap(({ candidates }) => candidates),
    isBare,
    emptyWords: isBare ? words.chatView.nothingToSuggest[id](context.agentFolder) : words.chatView.noSuggestions[id],
  };
}

function hasLines({ candidates }: SuggestionGroup): boolean {
  return candidates.length > 0;
}

function onlyNamed({ source, candidates }: SuggestionGroup, query: string): SuggestionGroup {
  const wanted = query.toLowerCase();
  const isNamed = (candidate: Candidate): boolean =>
    'mention' in candidate && candidate.mention.label.toLowerCase().startsWith(wanted);
  return { source, candidates: candidates.filter(isNamed) };
}

/** Puts the tools and prompts that begin with the query before those that only contain it. */
function beginningFirst(groups: readonly SuggestionGroup[], query: string): readonly SuggestionGroup[] {
  const wanted = foldText(query.trim());
  if (wanted === '' || groups[0]?.source.trigger === '[[') return groups;
  const begins = ({ candidates }: SuggestionGroup): boolean =>
    candidates.some((candidate) => foldText(nameOf(candidate)).startsWith(wanted));
  return [...groups.filter(begins), ...groups.filter((group) => !begins(group))];
}

/** Shortens a long first group so that the groups after it are visible. */
function shorten(groups: readonly SuggestionGroup[]): readonly SuggestionGroup[] {
  const [first, ...others] = groups;
  if (first === undefined || first.source.trigger !== '[[') return groups;
  const later = others.reduce((sum, { candidates }) => sum + candidates.length, 0);
  const limit = later === 0 ? first.candidates.length : Math.max(minFirstLines, usualLines - later);
  return [{ ...first, candidates: first.candidates.slice(0, limit) }, ...others];
}

/** Milliseconds of one slice. */
const sliceTime = 8;

interface Preparation {
  readonly sources: readonly MentionSource[];
  readonly context: MentionContext;
  readonly typed: string;
  readonly window: Window;
}

/**
 * Prepares large lists between key presses, in slices too short to notice: each source once. Resolves to false early if
 * aborted. Starts after any preparation in progress.
 */
export async function prepareSuggestions(
  { sources, context, typed, window }: Preparation,
  signal: AbortSignal,
): Promise<boolean> {
  let sliceEnd = 0;
  const yieldToEventLoop = async (): Promise<void> => {
    if (window.performance.now() < sliceEnd) return;
    await new Promise((resolve) => window.setTimeout(resolve, 0));
    sliceEnd = window.performance.now() + sliceTime;
  };
  for (const source of sources) {
    do await yieldToEventLoop();
    while (!signal.aborted && (await source.prepare?.(context, typed)) === true);
    if (signal.aborted) return false;
    const offer = source.offer(context, typed);
    if (offer === null) continue;
    do await yieldToEventLoop();
    while (!signal.aborted && prepareRanking(offer.candidates));
  }
  return !signal.aborted;
}
