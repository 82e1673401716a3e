/** How prose for a model is put together and cut: lines, sizes, blank lines. */

// Lines: how the prose of a section is put together from parts that may be missing.

type Part = string | false | undefined;

/** One line each; what is missing leaves no trace. */
export function lines(...parts: readonly Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
}

/** A list of points. */
export function points(...parts: readonly Part[]): string {
  return lines(...parts.map((part) => part !== undefined && part !== false && part !== '' && `- ${part}`));
}

/** A list of steps, numbered over the ones that are there. */
export function steps(...parts: readonly Part[]): string {
  const present = parts.filter((part) => typeof part === 'string' && part !== '');
  return lines(...present.map((part, index) => `${index + 1}. ${String(part)}`));
}

/** Sentences of one paragraph. */
export function sentences(...parts: readonly Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

/** Text on a single line, for names and descriptions that others wrote. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

// Sizes and counts as prompts write them.

/** Whole kilobytes, rounded up: coarse, so that a small edit seldom changes the text. */
export function sizeOf(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KB`;
}

/** As `1 note` or `1,200 notes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A text on one line, cut where it is longer than so many characters, and never inside a pair. */
export function shortLine(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Three or more line ends in a row become two (R017). */
export function collapseBlankLines(text: string): string {
  return text.includes('\n\n\n') ? text.replace(/\n{3,}/g, '\n\n') : text;
}
