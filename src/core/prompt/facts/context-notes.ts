/** The notes that always stand in the prompt of a chat, where they stand apart from those of one message (R221). */
import { attachedPaths, inForm, readWhole } from './attached-notes';
import type { AttachedNote } from '../prompt-data';
import type { Fact } from '../section';

export const contextNotes: Fact<readonly AttachedNote[]> = {
  id: 'context-notes',
  gather: (world, signal) => {
    if (world.turn.notesApart !== true) return [];
    const standing = attachedPaths({ vault: world.vault, turn: { ...world.turn, mentions: [] } });
    return Promise.all([...standing].map(async (path) => inForm(world, await readWhole(world, path, signal))));
  },
};
