/** set_properties: sets or removes properties of a note without changing anything else in it (R067). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { cleanPath, resolveFile, nameOf } from './resolve-path';
import { describeWrite } from './results';
import { tool } from './tool';

const scalar = () => z.union([z.string(), z.number(), z.boolean()]);

export const setProperties = tool({
  name: 'set_properties',
  agent: 'notes',
  description:
    'Sets properties of a note, such as tags. Each value replaces the old one, lists too. null removes the property.',
  parameters: () =>
    z.object({
      path: z.string(),
      properties: z.record(z.string(), z.union([scalar(), z.array(scalar()), z.null()])),
    }),
  effect: 'writes',
  needs: 'W2',
  fromTier: 3,
  title: ({ path }) => words.writing.propertiesTitle(nameOf(cleanPath(path))),
  async run({ path, properties }, vault, signal, place) {
    const found = await resolveFile(vault, path, signal);
    if (!found.ok) return found;
    const values = Object.entries(properties).map(([key, value]) => [key, value ?? undefined] as const);
    return describeWrite(place, (writes) => writes.setProperties(found.value.path, values));
  },
});
