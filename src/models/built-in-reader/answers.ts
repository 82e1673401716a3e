/** Answers of the built-in reader: quotes, outlines and summaries, each with links to the source. */
import { structureOf } from '../../core/markdown/structure';
import { passagesOf, proseOf, sentencesOf, weigh, weightsOf } from '../../core/search/passages';
import { contentWords, termsOf, wordsOf } from '../../core/search/query';
import { parseFolderListing } from '../../core/tools/list-folder';
import { parseHeadingRows } from '../../core/tools/note-outline';
import { words } from '../../text';

export interface Quotable {
  readonly path: string;
  readonly trail: readonly string[];
  readonly text: string;
}

/** Maximum passages in one answer. */
export const maxPassages = 4;
/** Maximum characters of the first quote, and of each later one. */
const maxFirstLength = 700;
const maxLaterLength = 500;

/** Returns Markdown blocks: the lead, then a quote and its link for each passage. */
export function quotePassages(passages: readonly Quotable[], question: string, isAttached: boolean): string[] {
  const shown = passages.slice(0, maxPassages);
  const noteCount = new Set(shown.map((passage) => passage.path)).size;
  const first = shown[0];
  const lead =
    isAttached || first === undefined
      ? words.reader.leadAttached
      : noteCount === 1
        ? words.reader.leadOne(titleOf(first.path))
        : words.reader.leadSeveral(shown.length, noteCount);
  const blocks = [lead];
  shown.forEach((passage, index) => {
    const text = quote(passage.text, question, index === 0 ? maxFirstLength : maxLaterLength);
    if (text !== '') blocks.push(text);
    const heading = passage.trail.at(-1);
    blocks.push(heading === titleOf(passage.path) ? linkTo(passage.path) : linkTo(passage.path, heading));
  });
  return blocks;
}

/** Returns the answer when nothing matches, with the words that were searched for. */
export function nothingFound(query: string, hasAttached: boolean, unread: string | undefined): string[] {
  const looked = contentWords(query);
  const list = [...new Set(looked.length > 0 ? looked : wordsOf(query))].map((word) => `“${word}”`);
  const blocks = [hasAttached ? words.reader.nothingAttached : words.reader.nothing];
  if (list.length > 0) blocks.push(words.reader.lookedFor(list));
  if (unread !== undefined) blocks.push(words.reader.unread(unread));
  return [blocks.join(' ')];
}

// Answers that show structure: the entries of a folder, the headings of a note.

export function listFolder(result: string, folder: string): string[] {
  const { summary, folders, files } = parseFolderListing(result);
  const isTop = summary.startsWith('The vault: ');
  const name = isTop ? '' : summary.slice(0, Math.max(0, summary.lastIndexOf(': '))) || folder;
  const rows = [
    ...folders.map((each) => `- ${codeOf(`${each.path}/`)} (${words.reader.countedNotes(each.notes)})`),
    ...files.map((path) => `- ${linkTo(path)}`),
  ];
  if (rows.length === 0) return [isTop ? words.reader.vaultEmpty : words.reader.folderEmpty(name)];
  const blocks = [isTop ? words.reader.leadVault : words.reader.leadFolder(name), rows.join('\n')];
  if (summary.includes('startAt')) blocks.push(words.reader.folderPart);
  return blocks;
}

export function outlineNote(result: string): string[] {
  const path = pathOfOutline(result);
  const headings = parseHeadingRows(result);
  const title = titleOf(path);
  if (headings.length === 0) return [words.reader.noHeadings(title), linkTo(path)];
  const highest = Math.min(...headings.map((heading) => heading.level));
  const rows = headings.map(({ level, text }) => `${'  '.repeat(level - highest)}- ${linkTo(path, text, text)}`);
  const blocks = [`${words.reader.leadOutline(title, headings.length)} ${linkTo(path)}`, rows.join('\n')];
  if (/ Continue with startLine \d+:$/m.test(result)) blocks.push(words.reader.outlinePart);
  return blocks;
}

/** Reads the path from the first line, "path: n lines, n bytes." */
function pathOfOutline(result: string): string {
  const first = result.slice(0, result.indexOf('\n') === -1 ? undefined : result.indexOf('\n'));
  return first.replace(/: [\d,]+ lines?, [\d,]+ bytes?\.$/, '');
}

function codeOf(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const maxSections = 7;
const sentencesPerSection = 2;

/** Summarizes by extraction: picks the sentences with the highest share of the note's frequent words. */
export function summariseNote(path: string, text: string, isPart: boolean): string[] {
  const title = titleOf(path);
  if (text.trim() === '') return [`${words.reader.noteEmpty(title)} ${linkTo(path)}`];
  const weights = weightsOf(text);
  const sections = new Map<string, { heading: string | undefined; sentences: Sentence[] }>();
  let place = 0;
  for (const passage of passagesOf(text, structureOf(text))) {
    if (passage.kind !== 'text' || !passage.own) continue;
    const heading = passage.trail[0] === title ? (passage.trail[1] ?? passage.trail[0]) : passage.trail[0];
    const section = sections.get(heading ?? '') ?? { heading, sentences: [] };
    for (const sentence of proseOf(linesWithoutIds(text.slice(passage.start, passage.end)).join('\n'))) {
      place += 1;
      section.sentences.push({ text: sentence, place, weight: weigh(sentence, weights, section.sentences.length) });
    }
    sections.set(heading ?? '', section);
  }
  const filled = [...sections.values()].filter((section) => section.sentences.length > 0);
  const chosen = heaviest(filled, maxSections);
  const blocks = [words.reader.leadSummary(title)];
  for (const { heading, sentences } of chosen) {
    const best = [...sentences]
      .sort((a, b) => b.weight - a.weight || a.place - b.place)
      .slice(0, sentencesPerSection)
      .sort((a, b) => a.place - b.place);
    blocks.push(
      best.map((sentence) => `> ${sentence.text}`).join('\n>\n'),
      heading === title ? linkTo(path) : linkTo(path, heading),
    );
  }
  if (chosen.length === 0) blocks.push(quoteStart(text), linkTo(path));
  if (isPart) blocks.push(words.reader.summaryPart);
  return blocks;
}

interface Sentence {
  readonly text: string;
  readonly place: number;
  readonly weight: number;
}

/** Returns the sections whose best sentences weigh the most, in the note's order; always includes the first. */
function heaviest<S extends { readonly sentences: readonly Sentence[] }>(
  sections: readonly S[],
  maxCount: number,
): S[] {
  const weightOf = (section: S): number => Math.max(...section.sentences.map((sentence) => sentence.weight));
  const [first, ...others] = sections;
  if (first === undefined) return [];
  const chosen = new Set([...others].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, maxCount - 1));
  return sections.filter((section) => section === first || chosen.has(section));
}

/** Quotes the first lines, for notes without a sentence. */
function quoteStart(text: string): string {
  return linesWithoutIds(text)
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
    .map((line) => `> ${line}`)
    .join('\n');
}

// Links to a note or a heading that Obsidian resolves, for any characters in their names.

/** Returns a note's name as users see it. */
export function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

function linkTo(path: string, heading?: string, label?: string): string {
  const anchor = heading === undefined ? '' : plainAnchor(heading);
  const shown = label ?? (heading === undefined ? titleOf(path) : `${titleOf(path)} > ${heading}`);
  const target = path.replace(/\.md$/i, '');
  if (/[[\]#|^\n]/.test(target)) return markdownLink(path, anchor, shown);
  return `[[${target}${anchor === '' ? '' : `#${anchor}`}|${plainLabel(shown)}]]`;
}

/** Returns a heading as links write it: characters with a meaning in links become spaces. */
function plainAnchor(heading: string): string {
  return heading
    .replace(/[:#|^\\\r\n[\]]|%%/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainLabel(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/[[\]|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function markdownLink(path: string, anchor: string, label: string): string {
  const target = encodeURI(path).replace(/[#?()^[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const fragment = anchor === '' ? '' : `#${encodeURIComponent(anchor)}`;
  return `[${label.replace(/([\\[\]])/g, '\\$1')}](${target}${fragment})`;
}

// Quotes: the lines of a passage, selected and cut but never changed, except that block ids are hidden as in reading view.

/**
 * Returns a block quote of up to about `maxLength` characters, around the lines with the most words of the question.
 */
export function quote(text: string, question: string, maxLength: number): string {
  const lines = chooseLines(linesWithoutIds(text), new Set(termsOf(contentWords(question).join(' '))), maxLength);
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

const blockId = /(?:^|\s)\^[A-Za-z0-9-]+\s*$/;

/** Returns the lines without the ids of blocks; in code, and inside a paragraph, the same characters are text. */
function linesWithoutIds(text: string): string[] {
  const lines = text.replace(/\r/g, '').split('\n');
  let fence = '';
  return lines.map((line, index) => {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    const next = lines[index + 1] ?? '';
    const endsBlock = next.trim() === '' || /^[\s>]*(?:[-*+]|\d+[.)])\s/.test(next);
    return fence === '' && endsBlock && blockId.test(line) ? line.replace(blockId, '').trimEnd() : line;
  });
}

function chooseLines(lines: readonly string[], wanted: ReadonlySet<string>, maxLength: number): string[] {
  if (lengthOf(lines) <= maxLength) return removeOpenFence(trimBlankLines(lines));
  const hits = lines.map((line) => hitsOf(line, wanted));
  const best = hits.indexOf(Math.max(...hits));
  const bestLine = lines[best] ?? '';
  if (bestLine.length > maxLength) return [cutLine(bestLine, wanted, maxLength)];
  return removeOpenFence(trimBlankLines(growAround(lines, best, maxLength)));
}

/** Extends one line to the start of its paragraph first, then downward, then upward, by whole lines. */
function growAround(lines: readonly string[], from: number, maxLength: number): string[] {
  const lengthAt = (index: number): number => lines[index]?.length ?? 0;
  let start = from;
  let end = from + 1;
  let length = lengthAt(from);
  while (start > 0 && lines[start - 1]?.trim() !== '' && length + lengthAt(start - 1) <= maxLength / 2) {
    start -= 1;
    length += lengthAt(start) + 1;
  }
  while (end < lines.length && length + lengthAt(end) + 1 <= maxLength) {
    length += lengthAt(end) + 1;
    end += 1;
  }
  while (start > 0 && length + lengthAt(start - 1) + 1 <= maxLength) {
    start -= 1;
    length += lengthAt(start) + 1;
  }
  return lines.slice(start, end);
}

/** Returns the sentences of one long line around the one with the most matches. */
function cutLine(line: string, wanted: ReadonlySet<string>, maxLength: number): string {
  const sentences = sentencesOf(line);
  const hits = sentences.map((sentence) => hitsOf(sentence, wanted));
  let start = hits.indexOf(Math.max(...hits));
  let end = start + 1;
  let shown = sentences[start] ?? '';
  while (end < sentences.length && shown.length + (sentences[end]?.length ?? 0) <= maxLength) {
    shown += sentences[end] ?? '';
    end += 1;
  }
  while (start > 0 && shown.length + (sentences[start - 1]?.length ?? 0) <= maxLength) {
    start -= 1;
    shown = (sentences[start] ?? '') + shown;
  }
  return (shown.length > maxLength ? shown.slice(0, lastSpace(shown, maxLength)) : shown).trim();
}

function lastSpace(text: string, maxLength: number): number {
  const space = text.lastIndexOf(' ', maxLength);
  if (space > maxLength / 2) return space;
  return /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
}

/** Returns how many different words of the question a text contains. */
function hitsOf(text: string, wanted: ReadonlySet<string>): number {
  return new Set(termsOf(text).filter((term) => wanted.has(term))).size;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function trimBlankLines(lines: readonly string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === '') start += 1;
  while (end > start && lines[end - 1]?.trim() === '') end -= 1;
  return lines.slice(start, end);
}

/**
 * Removes a code fence that opens without closing, and the lines after it; if nothing is before it, removes only the
 * fence line.
 */
function removeOpenFence(lines: readonly string[]): string[] {
  let open = -1;
  let mark = '';
  lines.forEach((line, index) => {
    const fence = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) return;
    if (open === -1) [open, mark] = [index, fence];
    else if (fence.startsWith(mark)) open = -1;
  });
  if (open === -1) return [...lines];
  const before = trimBlankLines(lines.slice(0, open));
  return before.length > 0 ? before : trimBlankLines(lines.slice(open + 1));
}
