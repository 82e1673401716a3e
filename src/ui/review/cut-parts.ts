/** Cuts a long text to what is drawn at first, so that a note of any size opens at once. */
import type { WordPart } from '../../core/writing/changeset/diff';

export interface Room {
  readonly lines: number;
  readonly characters: number;
}

/** What of a hunk or a note is drawn before more is asked for. */
export const firstRoom: Room = { lines: 60, characters: 8_000 };

export function moreRoom({ lines, characters }: Room): Room {
  return { lines: lines * 5, characters: characters * 5 };
}

export interface CutParts {
  readonly parts: readonly WordPart[];
  readonly left: Left;
}

/** What is not drawn: whole lines, or characters where the cut is in the last line. */
export interface Left {
  readonly lines: number;
  readonly characters: number;
}

export const nothingLeft: Left = { lines: 0, characters: 0 };

export function cutParts(parts: readonly WordPart[], room: Room): CutParts {
  const drawn: WordPart[] = [];
  let { lines, characters } = room;
  for (const [index, { kind, text }] of parts.entries()) {
    const end = endWithin(text, lines, characters);
    if (end > 0) drawn.push({ kind, text: text.slice(0, end) });
    if (end < text.length) {
      const rest = [text.slice(end), ...parts.slice(index + 1).map((part) => part.text)];
      return { parts: drawn, left: countLeft(rest, text.charAt(end - 1) === '\n') };
    }
    lines -= countNewlines(text);
    characters -= text.length;
  }
  return { parts: drawn, left: nothingLeft };
}

/** Never between the halves of a character, nor of a line end. */
function endWithin(text: string, lines: number, characters: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', at);
    if (next === -1 || next >= characters) {
      if (text.length <= characters) return text.length;
      // A line that fits into the room on its own waits for its turn.
      if (at > 0 && next !== -1 && next - at < characters) return at;
      const end = Math.max(at, characters);
      return /[\ud800-\udbff\r]/.test(text.charAt(end - 1)) ? end - 1 : end;
    }
    at = next + 1;
  }
  return at;
}

function countLeft(texts: readonly string[], isAtLineStart: boolean): Left {
  const newlines = texts.reduce((sum, text) => sum + countNewlines(text), 0);
  const isOpen = !(texts.at(-1) ?? '').endsWith('\n');
  const lines = newlines + (isOpen ? 1 : 0) - (isAtLineStart ? 0 : 1);
  return lines > 0 ? { lines, characters: 0 } : { lines: 0, characters: texts.join('').length };
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
