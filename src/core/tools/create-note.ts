/** create_note: a new file; nothing that is there is ever written over. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, nameOf } from './look-up';
import { tool } from './tool';
import { writesIn } from './write-result';
import { succeed } from '../failure';

export const createNote = tool({
  name: 'create_note',
  agent: 'notes',
  description: 'Makes a new note, missing folders included. Also .canvas, .base, .csv and .txt files.',
  parameters: () => z.object({ path: z.string(), text: z.string() }),
  effect: 'writes',
  needs: 'P',
  title: ({ path }) => words.writing.createTitle(nameOf(cleanPath(path))),
  async run({ path, text }, _vault, _signal, place) {
    const writes = writesIn(place);
    if (!writes.ok) return writes;
    const wanted = cleanPath(path);
    const made = await writes.value.create(/\.[^./]+$/.test(wanted) ? wanted : `${wanted}.md`, text);
    if (!made.ok) return made;
    return succeed({ text: `${made.value.path}: ${writes.value.outlook(made.value)}`, sources: [made.value] });
  },
});
