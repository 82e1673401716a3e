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
    'Reads a note, or the part under a heading, of a block, or of given lines. The first line says what is shown and how ' +
    'to read on; the rest is exactly the text of the note. Do not read again what is here in full.',
  others: {
    [toolNames.readNotes]: 'for several notes',
    [toolNames.noteOutline]: 'to see the parts of a long note',
  },
  brief: {
    description:
      'Reads a note, or the part under a heading, of a block, or of lines. The first line says how to read on.',
    parameters: { block: 'Block id.' },
  },
  parameters: () =>
    z.object({
      path: z.string().describe('Path of the note.'),
      heading: z.string().optional().describe('Only the section under this heading.'),
      block: z.string().optional().describe('Only the block with this id.'),
      startLine: z.int().min(1).optional().describe('First line to read.'),
      endLine: z.int().min(1).optional().describe('Last line to read.'),
      startCharacter: z.int().min(1).optional().describe('Where to begin in a line too long for one read.'),
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
