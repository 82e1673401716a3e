/** read_note: reads one note, whole or in part. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { toolNames } from '../markup/variables';
import { succeed } from '../ports/failure';
import { formatRead, readPart } from './read-text';
import { cleanPath, nameOf, readFile } from './resolve-path';
import { bytesFor } from './results';
import { tool } from './tool';

export const readNote = tool({
  name: 'read_note',
  agent: 'notes',
  description:
    'Reads a note, or only a section, a block or some lines of it. The first line says what is shown and how to ' +
    'continue; the rest is the exact text. Do not read again what you have in full.',
  others: {
    [toolNames.readNotes]: 'for several notes',
    [toolNames.noteOutline]: 'for the parts of a long note',
  },
  brief: {
    description: 'Reads a note, or only a section, a block or some lines of it. The first line says how to continue.',
    parameters: { block: 'Block id.' },
  },
  parameters: () =>
    z.object({
      path: z.string(),
      heading: z.string().optional(),
      block: z.string().optional().describe('Block id.'),
      startLine: z.int().min(1).optional(),
      endLine: z.int().min(1).optional(),
      startCharacter: z.int().min(1).optional().describe('To continue inside a very long line.'),
    }),
  effect: 'reads',
  showsText: true,
  title: ({ path }) => words.tools.readTitle(nameOf(cleanPath(path))),
  async run({ path, ...asked }, vault, signal, place) {
    const note = await readFile(vault, path, signal);
    if (!note.ok) return note;
    const part = readPart(note.value, asked, bytesFor(place));
    if (!part.ok) return part;
    const heading = asked.heading?.trim() ?? '';
    return succeed({
      text: formatRead(part.value),
      sources: [heading === '' ? { path: note.value.path } : { path: note.value.path, heading }],
      touched: [note.value.path],
    });
  },
});
