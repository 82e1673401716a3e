/** The texts of the vault's context file and of the user's memory note, for their sections and for templates. */
import { contextFileIn, memoryPath } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { describeFailure } from '../../ports/failure';
import type { Fact } from '../section';

export interface ContextFile {
  readonly name: string;
  /** A sentence that replaces the text if it could not be read. */
  readonly text: string;
}

/** The text of the vault's own context file, such as AGENTS.md (R195). */
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

/** What the user wants remembered in every chat: the body of the memory note (R198). */
export const userMemory: Fact<string> = {
  id: 'user-memory',
  gather: async (world, signal) => {
    const path = memoryPath(world.agentFolder);
    if (world.vault.file(path) === undefined) return '';
    const outcome = await world.readNote(path, signal);
    return outcome.ok ? bodyOf(outcome.value.text) : `[File content unavailable] ${describeFailure(outcome.failure)}`;
  },
};
