/** Untrusted text: what comes from outside the vault, marked line by line so that it always reads as quoted (K11). */
import { element, type Element } from './markup';

/** `| ` before each line that is not empty; whatever a reader may take for a line end counts as one. */
export function markLines(text: string): string {
  return text.replace(/^(?=.)/gm, '| ');
}

/** @param source where the text comes from, such as an address or a server's name */
export function untrusted(source: string, text: string): Element {
  return element('untrusted', { source }, markLines(text));
}
