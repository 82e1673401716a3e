/** Untrusted text: what comes from outside the vault, marked line by line so that it always reads as quoted (K11). */
import { element, type Element } from './markup';

/** `| ` before each line that is not empty; whatever a reader may take for a line end counts as one. */
export function markLines(text: string): string {
  return text.replace(/^(?=.)/gm, '| ');
}

/** Whether all lines below the first are marked, as in the answer of a server. */
function isMarked(text: string): boolean {
  const [, ...rest] = text.split('\n');
  return rest.length > 0 && rest.every((line) => line.startsWith('| ') || line.trim() === '');
}

/** The last characters of a text; those of a marked one from the start of a line on, so that none loses its mark. */
export function endOf(text: string, characters: number): string {
  const end = characters <= 0 ? '' : text.slice(-characters);
  return isMarked(text) ? end.slice(end.indexOf('\n') + 1 || end.length) : end;
}

/** @param source where the text comes from, such as an address or a server's name */
export function untrusted(source: string, text: string): Element {
  return element('untrusted', { source }, markLines(text));
}
