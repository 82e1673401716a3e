/** edit_note: replaces one passage of a note (R220). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, resolveFile, nameOf } from './resolve-path';
import { describeWrite } from './results';
import { tool } from './tool';

export const editNote = tool({
  name: 'edit_note',
  agent: 'notes',
  description:
    'Replaces one passage of a note you have read. Copy oldText exactly; it must occur once. An empty newText deletes it.',
  parameters: () => z.object({ path: z.string(), oldText: z.string(), newText: z.string() }),
  effect: 'writes',
  needs: 'P',
  title: ({ path }) => words.writing.editTitle(nameOf(cleanPath(path))),
  async run({ path, oldText, newText }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    return found.ok ? describeWrite(place, (writes) => writes.edit(found.value.path, oldText, newText)) : found;
  },
});
