/** Context notes, then mentioned notes, each once, read in parallel; one that fails is reported in its place (R166-R168). */
import { describeFailure } from '../../failure';
import type { AttachedNote } from '../prompt-data';
import type { Fact } from '../section';

export const attachedNotes: Fact<readonly AttachedNote[]> = {
  id: 'attached-notes',
  gather: async (world, signal) => {
    const mentioned = world.turn.mentions.filter((mention) => mention.kind === 'note').map((mention) => mention.id);
    const named = [...world.turn.contextNotes, ...mentioned];
    const paths = [...new Set(named.map((path) => world.vault.file(path)?.path ?? path))];
    return Promise.all(
      paths.map(async (path): Promise<AttachedNote> => {
        const outcome = await world.readNote(path, signal);
        return outcome.ok
          ? { path: outcome.value.path, text: outcome.value.text }
          : { path, text: null, problem: describeFailure(outcome.failure) };
      }),
    );
  },
};
