/** Lines: how the prose of a section is put together from parts that may be missing. */

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
