/** The notes that always stand in the prompt of a chat, where they stand apart from those of one message (R221). */
import { attachedPaths, readWhole } from './attached-notes';
import type { AttachedNote } from '../prompt-data';
import type { Fact } from '../section';

export const contextNotes: Fact<readonly AttachedNote[]> = {
  id: 'context-notes',
  gather: (world, signal) => {
    if (world.turn.notesApart !== true) return [];
    const pinned = attachedPaths({ vault: world.vault, turn: { ...world.turn, mentions: [] } });
    return Promise.all([...pinned].map((path) => readWhole(world, path, signal)));
  },
};
