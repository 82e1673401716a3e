/** Finds the suggestions at the cursor: the groups of items from the sources of the open trigger. */
import { foldText } from '../../core/base/fold';
import {
  type Candidate,
  findAll,
  findChoice,
  findTrigger,
  type MentionContext,
  type MentionSource,
  keyOf,
  nameOf,
  type OpenChoice,
  type OpenTrigger,
  usualLines,
} from '../../core/mentions/mention-source';
import { isAttachedAt } from '../../core/mentions/mention-text';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { prepareRanking, rankCandidates } from './rank-candidates';

interface SuggestionGroup {
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
  /** The name of the command whose choices these are; null for suggestions of other kinds. */
  readonly choiceOf: string | null;
  /** What to show when there are no items. */
  readonly emptyWords: string;
}

/** Minimum items that the first group retains when other groups have items too. */
const minFirstLines = 6;

/**
 * Returns null when nothing is being mentioned at the cursor.
 * @param waits whether files of a kind wait for the user to allow them, so that nothing in them is suggested yet
 */
export function findSuggestions(
  sources: readonly MentionSource[],
  context: MentionContext,
  text: string,
  cursor: number,
  attached: readonly Mention[],
  waits?: (kind: string) => boolean,
): Suggestions | null {
  const choice = findChoice(text, cursor, context.commands);
  const open = choice?.open ?? findTrigger(text, cursor, new Set(sources.flatMap(({ triggers }) => triggers)));
  if (open === null || isAttachedAt(text, open.from, cursor, attached)) return null;
  // A trigger is also ordinary text: past the first word, only an existing name keeps the list open.
  const goesOn = open.trigger !== '[[' && /\s/.test(open.query);
  const findsAll = findAll.includes(open.trigger);
  const offers = offersAt(open, choice, sources, context);
  const ranked = offers
    .map(({ source, candidates, query, lines }) => ({ source, candidates: rankCandidates(candidates, query, lines) }))
    .filter(({ candidates }) => candidates.length > 0);
  const fitting = goesOn ? ranked.map((group) => onlyNamed(group, open.query)).filter(hasLines) : ranked;
  const sorted = bestFirst(filesOfOthersLast(fitting), open.query);
  const groups = findsAll ? shorten(sorted) : sorted;
  if (goesOn && groups.length === 0) return null;
  const id = offers[0]?.source.id ?? 'note';
  const isBare = offers.every(({ candidates }) => candidates.length === 0);
  return {
    open,
    groups,
    candidates: groups.flatMap(({ candidates }) => candidates),
    isBare,
    choiceOf: choice?.name ?? null,
    emptyWords: choice === null ? emptyWordsOf(open, id, isBare, context, waits) : words.chatView.nothingFound,
  };
}

function emptyWordsOf(
  { trigger }: OpenTrigger,
  id: MentionSource['id'],
  isBare: boolean,
  { agentFolder }: MentionContext,
  waits?: (kind: string) => boolean,
): string {
  if (isBare && waits?.(id === 'run-prompt' ? 'prompt' : id) === true) return words.chatView.onlyWaiting;
  if (isBare) return words.chatView.nothingToSuggest[id](agentFolder);
  return findAll.includes(trigger) && id === 'note' ? words.chatView.nothingFound : words.chatView.noSuggestions[id];
}

interface Offered extends NonNullable<ReturnType<MentionSource['offer']>> {
  readonly source: MentionSource;
}

/** @param choice the command whose choices alone are offered; null for all that the sources offer */
function offersAt(
  { trigger, query }: OpenTrigger,
  choice: OpenChoice | null,
  sources: readonly MentionSource[],
  context: MentionContext,
): Offered[] {
  const offering = sources.filter(({ id, triggers }) => triggers.includes(trigger) && (!choice || id === 'command'));
  const known = choice === null ? context : { ...context, commands: choice.choices };
  return offering.flatMap((source) => {
    const offer = source.offer(known, query);
    return offer === null ? [] : { source, ...offer };
  });
}

function hasLines({ candidates }: SuggestionGroup): boolean {
  return candidates.length > 0;
}

function onlyNamed({ source, candidates }: SuggestionGroup, query: string): SuggestionGroup {
  const wanted = foldText(query);
  const isNamed = (candidate: Candidate): boolean =>
    'mention' in candidate && foldText(candidate.mention.label).includes(wanted);
  return { source, candidates: candidates.filter(isNamed) };
}

/** Puts the groups with the very name first, then those with a name that begins with the query. */
function bestFirst(groups: readonly SuggestionGroup[], query: string): readonly SuggestionGroup[] {
  const wanted = foldText(query.trim());
  if (wanted === '' || wanted.startsWith('#')) return groups;
  const rankOf = ({ candidates }: SuggestionGroup): number => {
    const own = candidates.filter((candidate) => !isFileOfOther(candidate, groups));
    if (own.length === 0) return 3;
    const names = own.map((candidate) => foldText(nameOf(candidate)));
    return names.includes(wanted) ? 0 : names.some((name) => name.startsWith(wanted)) ? 1 : 2;
  };
  return groups
    .map((group) => ({ group, rank: rankOf(group) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ group }) => group);
}

/** Puts the notes that hold a prompt or a workspace, which are offered as that too, after the other notes. */
function filesOfOthersLast(groups: readonly SuggestionGroup[]): readonly SuggestionGroup[] {
  return groups.map(({ source, candidates }) => {
    const later = candidates.filter((candidate) => isFileOfOther(candidate, groups));
    return { source, candidates: [...candidates.filter((candidate) => !later.includes(candidate)), ...later] };
  });
}

function isFileOfOther(candidate: Candidate, groups: readonly SuggestionGroup[]): boolean {
  if ('command' in candidate || candidate.mention.kind !== 'note') return false;
  const { id } = candidate.mention;
  return groups.some(({ source, candidates }) => source.id !== 'note' && candidates.some((one) => keyOf(one) === id));
}

/** Shortens a long first group so that the groups after it are visible. */
function shorten(groups: readonly SuggestionGroup[]): readonly SuggestionGroup[] {
  const [first, ...others] = groups;
  if (first === undefined) return groups;
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
