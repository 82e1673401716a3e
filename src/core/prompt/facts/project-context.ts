/** What the vault's own context file, such as AGENTS.md, says (R195). */
import { contextFileIn } from '../../library/context-files';
import { describeFailure } from '../../ports/failure';
import type { Fact } from '../section';

export interface ContextFile {
  readonly name: string;
  /** What stands in its place when it could not be read. */
  readonly text: string;
}

export const projectContext: Fact<ContextFile | null> = {
  id: 'project-context',
  gather: async (world, signal) => {
    if (world.settings.contextFilesIn === 'first-touch') return null;
    const path = contextFileIn(world.vault, '', world.settings.contextFiles);
    if (path === undefined) return null;
    const outcome = await world.readNote(path, signal);
    if (!outcome.ok) return { name: path, text: `[File content unavailable] ${describeFailure(outcome.failure)}` };
    return outcome.value.text.trim() === '' ? null : { name: path, text: outcome.value.text };
  },
};
