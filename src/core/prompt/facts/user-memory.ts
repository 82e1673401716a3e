/** What the user wants remembered in every chat: the body of the memory note (R198). */
import { memoryPath } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { describeFailure } from '../../ports/failure';
import type { Fact } from '../section';

export const userMemory: Fact<string> = {
  id: 'user-memory',
  gather: async (world, signal) => {
    const path = memoryPath(world.agentFolder);
    if (world.vault.file(path) === undefined) return '';
    const outcome = await world.readNote(path, signal);
    return outcome.ok ? bodyOf(outcome.value.text) : `[File content unavailable] ${describeFailure(outcome.failure)}`;
  },
};
