/** Builds and shortens prose for a model: lines, lists, sizes, blank lines. */
import { startOf } from '../base/cut';

type Part = string | false | undefined;

/** Joins the parts with newlines, without the missing ones. */
export function lines(...parts: readonly Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
}

/** Formats the parts as a bulleted list. */
export function points(...parts: readonly Part[]): string {
  return lines(...parts.map((part) => part !== undefined && part !== false && part !== '' && `- ${part}`));
}

/** Replaces `#.` at the start of lines by the number of the step, so that a step that is left out leaves no gap. */
export function numberSteps(text: string): string {
  let count = 0;
  return text.replace(/^#\. /gm, () => `${(count += 1)}. `);
}

/** Joins sentences into one paragraph. */
export function sentences(...parts: readonly Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

/** Returns text on a single line, for untrusted names and descriptions. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Returns a name for a list with one name a line: files from other systems may have line breaks in their names, and no
 * line of a name must read as the next one.
 */
export function nameOnLine(name: string): string {
  return name.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

/** Formats a size in whole kilobytes, rounded up: coarse, so that a small edit seldom changes the text. */
export function sizeOf(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KB`;
}

/** Formats a count as `1 note` or `1,200 notes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a text on one line, shortened to a maximum of characters without splitting a surrogate pair. */
export function shortLine(text: string, maxLength: number): string {
  const line = oneLine(text);
  return line.length <= maxLength ? line : `${startOf(line, maxLength - 1)}…`;
}

/** Reduces three or more newlines in a row to two (R017). */
export function collapseBlankLines(text: string): string {
  return text.includes('\n\n\n') ? text.replace(/\n{3,}/g, '\n\n') : text;
}
