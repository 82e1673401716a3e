/** read_note: reads one note, whole or in part. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { toolNames } from '../markup/variables';
import { succeed } from '../ports/failure';
import { chooseLines, formatRead, type PartAsked, readPart } from './read-text';
import { cleanPath, nameOf, readFile } from './resolve-path';
import { bytesFor, matchingBytesFor } from './results';
import { tool } from './tool';

export const readNote = tool({
  name: 'read_note',
  agent: 'notes',
  description:
    'Reads a note, or only a section, block or lines of it. The first line says how to continue; the rest is the exact ' +
    'text. Do not read again what you have in full.',
  others: {
    [toolNames.readNotes]: 'for several notes',
    [toolNames.noteOutline]: 'for the parts of a long note',
  },
  brief: {
    description: 'Reads a note or a part of it. The first line says how to continue.',
  },
  parameters: () =>
    z.object({
      path: z.string(),
      heading: z.string().optional(),
      block: z.string().optional().describe('Block id.'),
      startLine: z.int().min(1).optional(),
      endLine: z.int().min(1).optional(),
      startCharacter: z.int().min(1).optional().describe('Within startLine.'),
    }),
  effect: 'reads',
  showsText: true,
  title: ({ path }) => words.tools.readTitle(nameOf(cleanPath(path))),
  async run({ path, ...named }, vault, signal, place) {
    const note = await readFile(vault, path, signal);
    if (!note.ok) return note;
    const asked = { ...partIn(path, note.value.path), ...named };
    const bytes = bytesFor(place);
    const { question = '' } = place.outputs?.matching ?? {};
    const chosen = await chooseLines(note.value, asked, { question, bytes: matchingBytesFor(place) }, signal);
    const part = readPart(note.value, { ...asked, chosen }, chosen?.matches === true ? matchingBytesFor(place) : bytes);
    if (!part.ok) return part;
    const heading = asked.heading?.trim() ?? '';
    const text = formatRead(part.value);
    const isShown = place.outputs?.isShown?.(text) ?? false;
    return succeed({
      text: isShown ? `${part.value.head} You have this text above; it has not changed.` : text,
      sources: [heading === '' ? { path: note.value.path } : { path: note.value.path, heading }],
      touched: [note.value.path],
    });
  },
});

/** Returns the part that a link names which was given as the path, such as `[[Note#Heading]]`. */
function partIn(written: string, path: string): PartAsked {
  const [, mark, part] = (path.includes('#') ? null : /#(\^?)([^|\]]+)/.exec(written)) ?? [];
  return mark === '' ? { heading: part } : { block: part };
}
