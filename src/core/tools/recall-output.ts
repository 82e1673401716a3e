/** recall_output: returns a shortened or cleared tool result, one page at a time (R243). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { headWithin } from '../base/cut';
import { fail, succeed } from '../ports/failure';
import { counted, grouped, pageOf } from './results';
import { tool } from './tool';

/** Bytes of UTF-8 that count as a token, and tokens reserved for the line above the page. */
const bytesPerToken = 4;
const frameTokens = 60;

export const recallOutput = tool({
  name: 'recall_output',
  agent: 'chat',
  description: 'Returns an earlier tool result that was shortened or cleared, by the handle in its place.',
  parameters: () =>
    z.object({
      handle: z.string(),
      start_line: z.number().int().min(1).optional(),
    }),
  effect: 'reads',
  fromTier: 3,
  title: ({ handle }) => words.status.recallTitle(handle),
  async run({ handle, start_line: start = 1 }, _vault, _signal, { outputs }) {
    const wanted = handle.trim().replace(/^"|"$/g, '');
    const output = outputs?.read(wanted) ?? null;
    if (outputs === undefined || output === null) {
      return fail({
        kind: 'not-found',
        words: words.status.recallMissing(wanted),
        remedy: words.status.recallMissingRemedy,
      });
    }
    const bytes = Math.max(1, outputs.tokens - frameTokens) * bytesPerToken;
    const lines = output.text.split('\n').flatMap((line) => inPieces(line, Math.floor(bytes / 2)));
    if (start > lines.length) {
      return fail({
        kind: 'invalid-input',
        words: words.tools.linesMissing(wanted, grouped(lines.length)),
        remedy: words.tools.linesMissingRemedy,
      });
    }
    const { rows, next } = pageOf(lines, start, lines.length, bytes);
    const end = next === undefined ? '' : ` Continue with start_line ${next}.`;
    const shown = `Lines ${grouped(start)}-${grouped(start + rows.length - 1)} of ${counted(lines.length, 'line')}.${end}`;
    const { frame } = output;
    if (frame === undefined) return succeed({ text: [shown, ...rows].join('\n'), sources: [] });
    return succeed({ text: rows.join('\n'), frame: { ...frame, lead: shown }, sources: [] });
  },
});

/** Splits a line that is longer than a page, which could otherwise never be read completely. */
function inPieces(line: string, bytes: number): string[] {
  const pieces: string[] = [];
  let at = 0;
  do {
    // A piece has no more characters than bytes, so the rest of a very long line is not walked for each of them.
    const piece = headWithin(line.slice(at, at + bytes + 1), bytes) || line.slice(at, at + 2);
    pieces.push(piece);
    at += piece.length;
  } while (at < line.length);
  return pieces;
}
