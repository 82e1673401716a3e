/** delete_note: moves a file to the trash; nothing is deleted permanently (H9). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, resolveFile, nameOf } from './resolve-path';
import { describeWrite } from './results';
import { tool } from './tool';

export const deleteNote = tool({
  name: 'delete_note',
  agent: 'vault',
  description: 'Moves a note you have read to the trash. Use it only if the user asked for it.',
  parameters: () => z.object({ path: z.string() }),
  effect: 'writes',
  needs: 'D',
  fromTier: 3,
  title: ({ path }) => words.writing.deleteTitle(nameOf(cleanPath(path))),
  async run({ path }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    return found.ok ? describeWrite(place, (writes) => writes.delete(found.value.path)) : found;
  },
});
