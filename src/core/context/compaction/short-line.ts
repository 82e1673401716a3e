/** A text on one line, cut where it is longer than so many characters, and never inside a pair. */
import { oneLine } from '../../prompt/lines';

export function shortLine(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
