/** read_notes: reads several notes within one budget. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { byteLength } from '../base/cut';
import { toolNames } from '../markup/variables';
import { describeFailure, type Failure, fail, succeed } from '../ports/failure';
import type { NoteText } from '../ports/vault';
import { formatRead, readPart } from './read-text';
import { readFile } from './resolve-path';
import { bytesFor, callStopped } from './results';
import { tool } from './tool';

const maxNotes = 10;
/** Bytes reserved for one note's first line and separator. */
const headBytes = 300;
/** Bytes of text that each note gets in any case. */
const minBytes = 200;

export const readNotes = tool({
  name: 'read_notes',
  agent: 'notes',
  description: 'Reads several notes at once, long ones in part. The first line of each says how to continue.',
  others: { [toolNames.readNote]: 'for one note or a part' },
  parameters: () =>
    z.object({
      paths: z.array(z.string()).min(1).max(maxNotes),
    }),
  effect: 'reads',
  showsText: true,
  fromTier: 3,
  title: ({ paths }) => words.tools.readSeveralTitle(paths.length),
  async run({ paths }, vault, signal, place) {
    const reads = await Promise.all(paths.map((path) => readFile(vault, path, signal)));
    if (signal.aborted) return fail(callStopped());
    const notes: (NoteText | { readonly failure: Failure })[] = [];
    const seen = new Set<string>();
    for (const read of reads) {
      if (!read.ok) notes.push({ failure: read.failure });
      else if (!seen.has(read.value.path)) notes.push(read.value);
      if (read.ok) seen.add(read.value.path);
    }
    const first = notes[0];
    if (seen.size === 0 && first !== undefined && 'failure' in first) {
      const others = notes.slice(1).map((note) => ('failure' in note ? describeFailure(note.failure) : ''));
      return fail({ ...first.failure, remedy: [first.failure.remedy, ...others].join(' ') });
    }
    const bytes = bytesFor(place);
    const budgets = divideBudget(
      notes.map((note) => ('failure' in note ? 0 : byteLength(note.text))),
      bytes - notes.length * Math.min(headBytes, Math.floor(bytes / (2 * notes.length))),
    );
    const sections = notes.map((note, index) => {
      if ('failure' in note) return `=== ${describeFailure(note.failure)}`;
      const part = readPart(note, {}, Math.max(minBytes, budgets[index] ?? 0));
      return `=== ${part.ok ? formatRead(part.value) : describeFailure(part.failure)}`;
    });
    return succeed({ text: sections.join('\n\n'), sources: [...seen].map((path) => ({ path })), touched: [...seen] });
  },
});

/** Divides a budget of bytes among sizes: what small ones do not need is shared equally by the large ones. */
function divideBudget(sizes: readonly number[], total: number): number[] {
  const budgets = sizes.map(() => 0);
  const order = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  let left = total;
  order.forEach(({ size, index }, place) => {
    const share = Math.floor(left / (order.length - place));
    // One byte more for the line end that a read counts after the last line.
    budgets[index] = Math.min(size + 1, share);
    left -= budgets[index] ?? 0;
  });
  return budgets;
}
