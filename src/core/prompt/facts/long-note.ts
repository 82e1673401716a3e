/** How a note that takes too much of the context window is sent: its outline, and the parts that match the message. */
import { startOf } from '../../base/cut';
import { type Steps, takeStepsWithin, type WorkBudget } from '../../base/async';
import { type NoteStructure, structureSteps, type TextHeading } from '../../markdown/structure';
import { countBytes, estimateTokens, Meter } from '../../markup/budget';
import { counted, grouped } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { type ChosenParts, chooseParts, type Passage, passageSteps } from '../../search/passages';
import type { World } from '../world';

/** A note over this share of the context window is sent in part; the parts take about the second share. */
const maxShare = 0.25;
const partsShare = 0.1;

/** UTF-8 bytes per token by the rule; a token has at least one, and hardly any text has more than the second number. */
const bytesByRule = 4;
const maxBytesPerToken = 16;

/**
 * Returns the tokens of a text that takes more than a quarter of the context window; null for a shorter one. Counts
 * only where an estimate could be wrong.
 */
export async function countIfLong(
  { turn, countTokens }: World,
  text: string,
  budget: WorkBudget,
): Promise<number | null> {
  const limit = turn.contextWindow * maxShare;
  // A unit of text has at most three bytes.
  if (text.length * 3 <= limit) return null;
  const bytes = await takeStepsWithin(byteSteps(text), budget);
  if (bytes === null || bytes <= limit) return null;
  const estimated = Math.ceil(bytes / bytesByRule);
  const isClear = bytes > limit * maxBytesPerToken;
  const tokens = isClear || countTokens === undefined ? estimated : await countTokens(text);
  return tokens > limit ? tokens : null;
}

/** Characters of which one step counts the bytes, a millisecond of work, and its units. */
const stepCharacters = 200_000;
const unitsPerStep = 10_000;

function* byteSteps(text: string): Steps<number> {
  let bytes = 0;
  for (let from = 0; from < text.length;) {
    const end = from + stepCharacters;
    // No step ends within a character.
    const to = isLowSurrogate(text.charCodeAt(end)) ? end + 1 : Math.min(end, text.length);
    bytes += countBytes(text, from, to);
    from = to;
    if (from < text.length) yield unitsPerStep;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Of the tokens for the note, the share for its outline; the tokens of the first sentence, and of the line above a part. */
const outlineShare = 0.4;
const introTokens = 60;
const labelTokens = 20;

export interface LongNote {
  readonly text: string;
  /** The tokens of the whole text. */
  readonly tokens: number;
  /** The words that choose the parts; empty for the beginning of the note. */
  readonly message: string;
  /** Whether the outline is sent, or only the parts. */
  readonly outlined: boolean;
}

/**
 * Returns the text to send in place of the note. Linear in the note. Empty if the budget stops the work, of which nobody
 * uses the result.
 */
export async function writeLongNote(
  { text, tokens, message, outlined }: LongNote,
  { contextWindow, toolNames }: Pick<World['turn'], 'contextWindow' | 'toolNames'>,
  budget: WorkBudget,
): Promise<string> {
  const structure = await takeStepsWithin(structureSteps(text), budget);
  if (structure === null) return '';
  const max = Math.floor(contextWindow * partsShare);
  const perToken = text.length / Math.max(1, tokens);
  const outline = outlined ? outlineRows(structure, text, perToken, Math.floor(max * outlineShare), toolNames) : [];
  const used = introTokens + outline.reduce((sum, row) => sum + estimateTokens(row) + 1, 0);
  const room = Math.max(labelTokens, max - used) * perToken;
  const found = await takeStepsWithin(passageSteps(text, structure), budget);
  const passages = (found ?? []).filter(({ own }) => own);
  const chosen = await chooseParts(text, passages, message, { room, extra: labelTokens * perToken }, budget);
  const parts = joinParts(chosen.parts, passages).map((part) => formatPart(part, text, structure, room));
  const intro = introOf(tokens, outline.length > 0, chosen, toolNames);
  return [intro, ...(outline.length === 0 ? [] : [outline.join('\n')]), ...parts].join('\n\n');
}

/** Returns one sentence that says what is left out and how to read more; it names only tools that are offered. */
function introOf(
  tokens: number,
  hasOutline: boolean,
  { parts, matched }: ChosenParts,
  tools: readonly string[],
): string {
  const shown = matched
    ? `the ${counted(parts.length, 'passage')} that ${parts.length === 1 ? 'matches' : 'match'} the message best`
    : 'its beginning';
  const outline = hasOutline ? 'its outline and ' : '';
  const how = tools.includes(toolNames.readNote)
    ? `call ${toolNames.readNote} with heading, or with startLine and endLine, to read the rest.`
    : tools.includes(toolNames.readNotes)
      ? `call ${toolNames.readNotes} to read the rest.`
      : 'the rest is left out.';
  return `[This note of about ${roughly(tokens)} tokens is shown in part, with ${outline}${shown}; ${how}]`;
}

/** Rounds to two digits: a size in the outline says where to look, no more. */
function roughly(tokens: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
  return grouped(Math.round(tokens / unit) * unit);
}

const maxHeading = 100;
const levels = [1, 2, 3, 4, 5, 6];

/** Returns a line for each heading with the size of its section; higher levels first if there is no room for all. */
function outlineRows(
  { headings, lines }: NoteStructure,
  text: string,
  perToken: number,
  max: number,
  tools: readonly string[],
): string[] {
  const ends = sectionEnds(headings, lines.length);
  const rowOf = (heading: TextHeading, index: number): string => {
    const end = lines[ends[index] ?? lines.length]?.start ?? text.length;
    const size = (end - (lines[heading.line]?.start ?? 0)) / perToken;
    const shown = startOf(heading.text, maxHeading);
    return `${'#'.repeat(heading.level)} ${shown} (line ${heading.line + 1}, ${roughly(size)} tokens)`;
  };
  const rows = rowsWithin(headings, rowOf, new Meter(max));
  const listed = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  const left = headings.length - listed.length;
  if (left === 0) return listed;
  const how = tools.includes(toolNames.noteOutline) ? `; ${toolNames.noteOutline} lists them all` : '';
  return [...listed, `[… and ${counted(left, 'more heading')}${how}]`];
}

/** Returns the rows that the meter takes, by the place of their heading; writes only one that it does not take. */
function rowsWithin(
  headings: readonly TextHeading[],
  rowOf: (heading: TextHeading, index: number) => string,
  meter: Meter,
): ReadonlyMap<number, string> {
  const rows = new Map<number, string>();
  for (const level of levels) {
    for (const [index, heading] of headings.entries()) {
      if (heading.level !== level) continue;
      const row = rowOf(heading, index);
      if (!meter.take(row)) return rows;
      rows.set(index, row);
    }
  }
  return rows;
}

/** Returns for each heading the line of the next one of its level or a higher one. */
function sectionEnds(headings: readonly TextHeading[], lineCount: number): number[] {
  const ends = headings.map(() => lineCount);
  const open: { readonly level: number; readonly index: number }[] = [];
  headings.forEach(({ level, line }, index) => {
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
      ends[last.index] = line;
      open.pop();
    }
    open.push({ level, index });
  });
  return ends;
}

/** Joins the parts between which the note has no other passage. */
function joinParts(parts: readonly Passage[], passages: readonly Passage[]): Passage[] {
  const places = new Map(passages.map((passage, place) => [passage, place]));
  const joined: Passage[] = [];
  parts.forEach((part, index) => {
    const before = parts[index - 1];
    const last = joined.at(-1);
    const isNext = before !== undefined && places.get(part) === (places.get(before) ?? 0) + 1;
    if (last === undefined || !isNext) joined.push(part);
    else joined[joined.length - 1] = { ...last, endLine: part.endLine, end: part.end };
  });
  return joined;
}

/** Returns the text of a part below a line that says where it is. */
function formatPart(
  { trail, startLine, endLine, start, end }: Passage,
  text: string,
  { lines }: NoteStructure,
  room: number,
) {
  const from = start - (lines[startLine - 1]?.start ?? 0);
  const where = startLine === endLine ? `Line ${startLine}` : `Lines ${startLine} to ${endLine}`;
  const at = from > 0 ? `, from character ${grouped(from + 1)}` : '';
  const under = trail.length === 0 ? '' : `, under ${trail.map((each) => startOf(each, maxHeading)).join(' › ')}`;
  const shown = startOf(text.slice(start, end), Math.floor(room));
  return `[${where}${at}${under}:]\n${shown}`;
}
