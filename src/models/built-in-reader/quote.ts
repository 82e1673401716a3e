/** Quote: the lines of a passage that are shown, chosen and cut but never changed. */
import { sentencesOf } from '../../core/search/passages';
import { contentWords, termsOf } from '../../core/search/query';

/** A block quote of at most about so many characters, around the lines that hold most of the question's words. */
export function quote(text: string, question: string, longest: number): string {
  const lines = chooseLines(
    text.replace(/\r/g, '').split('\n'),
    new Set(termsOf(contentWords(question).join(' '))),
    longest,
  );
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

function chooseLines(lines: readonly string[], wanted: ReadonlySet<string>, longest: number): string[] {
  if (lengthOf(lines) <= longest) return balanced(trimmed(lines));
  const hits = lines.map((line) => hitsOf(line, wanted));
  let start = hits.indexOf(Math.max(...hits));
  let end = start + 1;
  let length = lines[start]?.length ?? 0;
  if (length > longest) return [cutLine(lines[start] ?? '', wanted, longest)];
  // Grows to the start of its paragraph first, then downwards, then upwards, by whole lines.
  while (start > 0 && lines[start - 1]?.trim() !== '' && length + (lines[start - 1]?.length ?? 0) <= longest / 2) {
    start -= 1;
    length += (lines[start]?.length ?? 0) + 1;
  }
  while (end < lines.length && length + (lines[end]?.length ?? 0) + 1 <= longest) {
    length += (lines[end]?.length ?? 0) + 1;
    end += 1;
  }
  while (start > 0 && length + (lines[start - 1]?.length ?? 0) + 1 <= longest) {
    start -= 1;
    length += (lines[start]?.length ?? 0) + 1;
  }
  return balanced(trimmed(lines.slice(start, end)));
}

/** Sentences of one long line around the one with most hits. */
function cutLine(line: string, wanted: ReadonlySet<string>, longest: number): string {
  const sentences = sentencesOf(line);
  const hits = sentences.map((sentence) => hitsOf(sentence, wanted));
  let start = hits.indexOf(Math.max(...hits));
  let end = start + 1;
  let shown = sentences[start] ?? '';
  while (end < sentences.length && shown.length + (sentences[end]?.length ?? 0) <= longest) {
    shown += sentences[end] ?? '';
    end += 1;
  }
  while (start > 0 && shown.length + (sentences[start - 1]?.length ?? 0) <= longest) {
    start -= 1;
    shown = (sentences[start] ?? '') + shown;
  }
  return (shown.length > longest ? shown.slice(0, lastSpace(shown, longest)) : shown).trim();
}

function lastSpace(text: string, longest: number): number {
  const space = text.lastIndexOf(' ', longest);
  if (space > longest / 2) return space;
  return /[\ud800-\udbff]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
}

/** How many different words of the question a text holds. */
export function hitsOf(text: string, wanted: ReadonlySet<string>): number {
  return new Set(termsOf(text).filter((term) => wanted.has(term))).size;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function trimmed(lines: readonly string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === '') start += 1;
  while (end > start && lines[end - 1]?.trim() === '') end -= 1;
  return lines.slice(start, end);
}

/** Leaves out a code fence that opens and does not close, with what follows it; alone, only the fence line goes. */
function balanced(lines: readonly string[]): string[] {
  let open = -1;
  let mark = '';
  lines.forEach((line, index) => {
    const fence = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) return;
    if (open === -1) [open, mark] = [index, fence];
    else if (fence.startsWith(mark)) open = -1;
  });
  if (open === -1) return [...lines];
  const before = trimmed(lines.slice(0, open));
  return before.length > 0 ? before : trimmed(lines.slice(open + 1));
}
