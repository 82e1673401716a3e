/** Compares and merges two texts: hunks of lines, and words within a hunk. */
import { startWithEllipsis } from '../../base/cut';
import { diffArrays, diffWordsWithSpace } from 'diff';
import { lineEndAt, onlyLineEnd, plainLines, withLineEnd } from '../../markdown/encoding';
import { placeIn } from './same-note';

const maxShown = 160;

export function shorten(line: string): string {
  return startWithEllipsis(line.trim(), maxShown);
}

// Comparison: runs of changed lines as hunks, and the words that differ within one.

/** A run of changed lines. Offsets refer to the text before. */
export interface Hunk {
  /** Zero-based index among the hunks of the two texts. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly removed: string;
  readonly added: string;
  /** One-based first line, in the text before and after. */
  readonly line: number;
  readonly newLine: number;
}

export interface WordPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Edits beyond which lines are no longer compared; texts that differ that much are one hunk. */
const maxEdits = 600;
/** Lines times edits that a comparison may cost: long texts are compared with fewer edits. */
const maxLineEdits = 4_000_000;
/** Word edits beyond which a hunk is shown as lines. */
const maxWordEdits = 2_000;
/** Characters of both sides beyond which words are not compared. */
const maxForWords = 40_000;

/** Recent comparisons of long texts, newest first, because a review requests the same ones repeatedly. */
let compared: readonly Compared[] = [];
const maxCompared = 4;
/** Characters of both sides from which a comparison is cached. */
const longFrom = 50_000;

interface Compared {
  readonly before: string;
  readonly after: string;
  readonly hunks: Hunk[];
}

export function hunksOf(before: string, after: string): Hunk[] {
  if (before.length + after.length < longFrom) return compare(before, after);
  const known = compared.find((each) => each.before === before && each.after === after);
  const comparison = known ?? { before, after, hunks: compare(before, after) };
  compared = [comparison, ...compared.filter((each) => each !== comparison)].slice(0, maxCompared);
  return comparison.hunks;
}

function compare(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const frame = frameOf(before, after);
  const lines = new Map<string, number>();
  const oldLines = numberLines(before.slice(frame.start, frame.oldEnd), lines);
  const newLines = numberLines(after.slice(frame.start, frame.newEnd), lines);
  const lengths = Array.from(lines.keys(), (line) => line.length);
  const maxEditLength = Math.min(maxEdits, Math.ceil(maxLineEdits / (oldLines.length + newLines.length + 1)));
  const changes = diffArrays(oldLines, newLines, { maxEditLength }) ?? [
    { value: oldLines, added: false, removed: true },
    { value: newLines, added: true, removed: false },
  ];
  const hunks: Hunk[] = [];
  let at = frame.start;
  let newAt = frame.start;
  let line = countLines(before.slice(0, frame.start)) + 1;
  let newLine = line;
  let open: { -readonly [Key in keyof Hunk]: Hunk[Key] } | null = null;
  for (const { value, added, removed } of changes) {
    if (value.length === 0) continue;
    const length = value.reduce((sum, each) => sum + (lengths[each] ?? 0), 0);
    if (!added && !removed) {
      at += length;
      newAt += length;
      line += value.length;
      newLine += value.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { index: hunks.length, start: at, end: at, removed: '', added: '', line, newLine };
      hunks.push(open);
    }
    if (removed) {
      open.removed += before.slice(at, at + length);
      at += length;
      open.end = at;
      line += value.length;
    } else {
      open.added += after.slice(newAt, newAt + length);
      newAt += length;
      newLine += value.length;
    }
  }
  return hunks;
}

/** Returns the number of each line, with its line end; equal lines have one, which is cheap to compare and to hold. */
function numberLines(text: string, known: Map<string, number>): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, next);
    const number = known.get(line) ?? known.size;
    if (number === known.size) known.set(line, number);
    numbers.push(number);
    at = next;
  }
  return numbers;
}

/** Returns the text before with only the accepted hunks applied. */
export function applyHunks(before: string, hunks: readonly Hunk[], accepted: (hunk: Hunk) => boolean): string {
  let text = '';
  let at = 0;
  for (const hunk of hunks) {
    if (!accepted(hunk)) continue;
    text += before.slice(at, hunk.start) + hunk.added;
    at = hunk.end;
  }
  return text + before.slice(at);
}

/**
 * Returns the words of a hunk by kind; null if it is too long to compare word by word.
 * @param maxEdits edits of words beyond which they are not compared, which bounds the time
 */
export function wordsOf(removed: string, added: string, maxEdits = maxWordEdits): WordPart[] | null {
  if (removed.length + added.length > maxForWords) return null;
  const parts = diffWordsWithSpace(removed, added, { maxEditLength: maxEdits });
  return (
    parts?.map((part) => ({ kind: part.added ? 'added' : part.removed ? 'removed' : 'same', text: part.value })) ?? null
  );
}

/** Edits of words up to which two passages, or two of their changed lines, are compared; a few milliseconds. */
const maxPassageEdits = 400;
const maxLineWordEdits = 100;

/** Returns a passage and its new wording as words by kind, line by line where there is too much to compare. */
export function comparePassages(before: string, after: string): WordPart[] {
  const whole = wordsOf(before, after, maxPassageEdits);
  if (whole !== null) return whole;
  const parts: WordPart[] = [];
  let at = 0;
  for (const { start, end, removed, added } of hunksOf(before, after)) {
    const replaced: WordPart[] = [
      { kind: 'removed', text: removed },
      { kind: 'added', text: added },
    ];
    parts.push({ kind: 'same', text: before.slice(at, start) });
    parts.push(...(wordsOf(removed, added, maxLineWordEdits) ?? replaced));
    at = end;
  }
  parts.push({ kind: 'same', text: before.slice(at) });
  return parts.filter(({ text }) => text !== '');
}

/** A part of a passage whose new wording is still coming; the model has not reached what is `pending`. */
export type ComingPart = WordPart | { readonly kind: 'pending'; readonly text: string };

/** Edits of words up to which a wording that is still coming is compared, as this is done at each frame. */
const maxComingEdits = 100;
/** Characters of the passage after those of the wording so far in which it is looked for. */
const lookAhead = 200;
/** Characters of a wording beyond which it is compared once it is complete. */
const maxComing = 8_000;

/** Returns a passage with the part of its new wording that has come. */
export function compareComing(before: string, soFar: string): ComingPart[] {
  const reach = before.slice(0, soFar.length + lookAhead);
  const words = soFar.length > maxComing ? null : wordsOf(reach, soFar, maxComingEdits);
  const parts: ComingPart[] = words ?? [{ kind: 'added', text: soFar }];
  // What was removed at the end may only be what the model has not reached yet.
  const last = parts.findLastIndex(({ kind }) => kind === 'same');
  const tail = parts.slice(last + 1);
  const unreached = words === null ? before : before.slice(reach.length);
  const pending = tail.filter(({ kind }) => kind === 'removed').map(({ text }) => text);
  const shown: ComingPart[] = [
    ...parts.slice(0, last + 1),
    ...tail.filter(({ kind }) => kind === 'added'),
    { kind: 'pending', text: pending.join('') + unreached },
  ];
  return shown.filter(({ text }) => text !== '');
}

interface Frame {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Finds the whole lines between the shared start and end, so that a small edit of a long note is cheap to compare. */
function frameOf(before: string, after: string): Frame {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let same = 0;
  const maxShared = shorter - start;
  while (
    same < maxShared &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  const isLineStart = (text: string, offset: number): boolean => offset === start || text.charAt(offset - 1) === '\n';
  while (same > 0 && !(isLineStart(before, before.length - same) && isLineStart(after, after.length - same))) {
    const next = before.indexOf('\n', before.length - same);
    same = next === -1 ? 0 : before.length - next - 1;
  }
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

// Three-way merge by lines; there is no merge if both sides changed the same lines. Line endings do not count.

/**
 * @param mine the current text
 * @param base the common ancestor
 * @param theirs the wanted text
 * @returns the merged text; null if both changed the same lines
 */
export function mergeTexts(mine: string, base: string, theirs: string): string | null {
  return mergeAnyLineEnds(mine, base, theirs, false);
}

function mergeAnyLineEnds(mine: string, base: string, theirs: string, needsPlace: boolean): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  if (![mine, base, theirs].some((text) => text.includes('\r\n'))) return mergeLines(mine, base, theirs, needsPlace);
  // Line endings are no change of a line: those of the current text stay, and new lines take them over.
  const plain = plainLines(mine);
  const merged = mergeLines(plain.text, withLineEnd(base, '\n'), withLineEnd(theirs, '\n'), needsPlace);
  if (merged === null) return null;
  const hunks = hunksOf(plain.text, merged).map((hunk) => {
    const [start, end] = [plain.original(hunk.start), plain.original(hunk.end)];
    const lineEnd = lineEndAt(mine.includes('\n') ? mine : theirs, start);
    return { ...hunk, start, end, added: withLineEnd(hunk.added, lineEnd) };
  });
  return applyHunks(mine, hunks, () => true);
}

/**
 * Merges what was approved into the current text. There is no merge either if a change no longer has its place in it.
 */
export function mergeApproved(mine: string, base: string, theirs: string): string | null {
  return mergeAnyLineEnds(mine, base, theirs, true);
}

/**
 * Merges as an undo does, which gives back the line endings of the text before too, unless those of the whole text were
 * changed since. There is no merge either if a change no longer has its place in the current text.
 */
export function mergeBack(mine: string, base: string, theirs: string): string | null {
  const [now, then] = [onlyLineEnd(mine), onlyLineEnd(base)];
  const isConverted = now !== null && then !== null && now !== then;
  return (isConverted ? null : mergeLines(mine, base, theirs, true)) ?? mergeAnyLineEnds(mine, base, theirs, true);
}

function mergeLines(mine: string, base: string, theirs: string, needsPlace: boolean): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [ours, others] = [hunksOf(base, mine), hunksOf(base, theirs)];
  const hasPlace = needsPlace ? placeIn(base, mine, ours) : () => true;
  let merged = '';
  let at = 0;
  for (const region of regionsOf(ours, others)) {
    const text = mergeRegion(base, region, hasPlace);
    if (text === null) return null;
    merged += base.slice(at, region.start) + text;
    at = region.end;
  }
  return merged + base.slice(at);
}

/** A run of the base text that one side changed, or both. */
interface Region {
  readonly start: number;
  end: number;
  readonly ours: Hunk[];
  readonly others: Hunk[];
}

/** Joins hunks that overlap or touch; both lists are in order. */
function regionsOf(ours: readonly Hunk[], others: readonly Hunk[]): Region[] {
  const regions: Region[] = [];
  const all = [...ours.map((hunk) => ({ hunk, isOurs: true })), ...others.map((hunk) => ({ hunk, isOurs: false }))];
  for (const { hunk, isOurs } of all.sort((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end)) {
    let region = regions.at(-1);
    if (region === undefined || hunk.start > region.end) {
      region = { start: hunk.start, end: hunk.end, ours: [], others: [] };
      regions.push(region);
    }
    region.end = Math.max(region.end, hunk.end);
    (isOurs ? region.ours : region.others).push(hunk);
  }
  return regions;
}

function mergeRegion(base: string, region: Region, hasPlace: (hunk: Hunk) => boolean): string | null {
  const { start, end, ours, others } = region;
  const changed = (hunks: readonly Hunk[]): string => {
    let text = '';
    let at = start;
    for (const hunk of hunks) {
      text += base.slice(at, hunk.start) + hunk.added;
      at = hunk.end;
    }
    return text + base.slice(at, end);
  };
  if (others.length === 0 || (ours.length > 0 && changed(ours) === changed(others))) return changed(ours);
  if (!others.every(hasPlace)) return null;
  if (ours.length === 0) return changed(others);
  const lines = joinLines(linesOf(changed(ours)), linesOf(base.slice(start, end)), linesOf(changed(others)));
  return lines === null ? null : lines.join('');
}

/** Merges two edits of the same lines if one only adds lines around those that the other changed. */
function joinLines(a: readonly string[], o: readonly string[], b: readonly string[]): readonly string[] | null {
  return addAround(a, o, b) ?? addAround(b, o, a);
}

/** Returns null unless `added` contains the base lines exactly once, contiguously, and only adds lines around them. */
function addAround(
  added: readonly string[],
  base: readonly string[],
  changed: readonly string[],
): readonly string[] | null {
  if (base.length === 0) return null;
  const maxAt = added.length - base.length;
  if (maxAt * base.length > maxLineEdits) return null;
  const isAt = (at: number): boolean => base.every((line, index) => line === added[at + index]);
  const places = Array.from({ length: Math.max(0, maxAt + 1) }, (_, at) => at).filter(isAt);
  const [at] = places;
  if (at === undefined || places.length > 1) return null;
  const below = added.slice(at + base.length);
  // A line without a line end at the end of the changed text would run into the next one.
  if (below.length > 0 && changed.length > 0 && changed.at(-1)?.endsWith('\n') !== true) return null;
  return [...added.slice(0, at), ...changed, ...below];
}

/** Splits a text into lines including their line ends, so that joining them restores it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
