/** create_note: creates a file; never overwrites an existing one. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, inSpelledFolder, nameOf } from './resolve-path';
import { describeCreated, requireWrites } from './results';
import { tool } from './tool';

/** A file extension; a dot as in “Dr. Smith” or “v1.2” does not start one. */
const extension = /\.[a-z]\w*$/i;

export const createNote = tool({
  name: 'create_note',
  agent: 'notes',
  description:
    'Creates a note and missing folders. Never overwrites. Also creates .canvas, .base, .csv and .txt files.',
  brief: {
    description: 'Creates a note and missing folders. Never overwrites.',
    parameters: { path: 'From the vault root.' },
  },
  parameters: () => z.object({ path: z.string().describe('From the vault root.'), text: z.string() }),
  effect: 'writes',
  needs: 'P',
  title: ({ path }) => words.writing.createTitle(nameOf(cleanPath(path))),
  async run({ path, text }, vault, _signal, place) {
    const writes = requireWrites(place);
    if (!writes.ok) return writes;
    const wanted = inSpelledFolder(vault, cleanPath(path));
    return describeCreated(writes.value, extension.test(wanted) ? wanted : `${wanted}.md`, text);
  },
});
