/** append_to_note: appends lines to a note or to one of its sections. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, resolveFile, nameOf } from './resolve-path';
import { describeWrite } from './results';
import { tool } from './tool';

export const appendToNote = tool({
  name: 'append_to_note',
  agent: 'notes',
  description: 'Adds text at the end of a note, or of the section under a heading.',
  parameters: () => z.object({ path: z.string(), text: z.string(), heading: z.string().optional() }),
  effect: 'writes',
  needs: 'P',
  fromTier: 2,
  title: ({ path }) => words.writing.appendTitle(nameOf(cleanPath(path))),
  async run({ path, text, heading = '' }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    if (!found.ok) return found;
    const under = heading.trim() === '' ? undefined : heading;
    return describeWrite(place, (writes) => writes.append(found.value.path, text, under));
  },
});
