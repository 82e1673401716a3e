/** What the user wants of every chat: settings, the own text behind ours, the files of vault and memory. */
import { contextFileIn, memoryPath, wrapContext } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { element, type OwnText } from '../../markup/markup';
import { describeFailure } from '../../ports/failure';
import { type Fact, section } from '../section';
import { ownText } from '../user-text';
import type { World } from '../world';

/** What the user's settings add to every prompt (R108). */
export const additionalInstructions: Fact<string> = {
  id: 'additional-instructions',
  gather: ({ settings }) => settings.additionalInstructions.trim(),
};

/** What the user's settings ask of every chat (R108). */
export const additionalInstructionsSection = section({
  id: 'additional-instructions',
  tag: 'additional_instructions',
  zone: 'instructions',
  flatOrder: 34,
  priority: 91,
  trim: 'tail',
  needs: { text: additionalInstructions },
  when: ({ text }) => text.trim() !== '',
  full: ({ text }) => [text.trim()],
});

// What the user adds to every system prompt: `system-extra.md`, read at each turn (R040, R041).

export function systemExtraPath(agentFolder: string): string {
  return `${agentFolder}/system-extra.md`;
}

/** Null when there is nothing to add; a sentence when the note cannot be read. */
export const systemExtra: Fact<OwnText | string | null> = {
  id: 'system-extra',
  gather: async (world: World, signal) => {
    const path = systemExtraPath(world.agentFolder);
    if (world.vault.file(path) === undefined) return null;
    const outcome = await world.readNote(path, signal);
    if (!outcome.ok) return `[File content unavailable] ${describeFailure(outcome.failure)}`;
    return bodyOf(outcome.value.text) === '' ? null : ownText(outcome.value.text, world);
  },
};

/** What the user adds to the system prompt, whichever base it has: the user's own text behind ours (R040, R260). */
export const systemExtraSection = section({
  id: 'system-extra',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 42,
  priority: 92,
  trim: 'never',
  needs: { extra: systemExtra },
  when: ({ extra }) => extra !== null,
  full: ({ extra }) => (extra === null ? [] : [extra]),
});

export interface ContextFile {
  readonly name: string;
  /** What stands in its place when it could not be read. */
  readonly text: string;
}

/** What the vault's own context file, such as AGENTS.md, says (R195). */
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

/** What the vault's own context file says, such as AGENTS.md (R195-R197). */
export const projectContextSection = section({
  id: 'project-context',
  tag: 'project_context',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 40,
  priority: 86,
  trim: 'tail',
  needs: { file: projectContext },
  when: ({ file }) => file !== null,
  full: ({ file }) => (file === null ? [] : [wrapContext(file.name, file.text)]),
});

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

/** The user's lasting wishes, after everything else in the system prompt (R198, R201). */
export const userMemorySection = section({
  id: 'user-memory',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 120,
  priority: 89,
  trim: 'tail',
  needs: { memory: userMemory },
  when: ({ memory }) => memory.trim() !== '',
  // The rule stands outside the element, so that it sets the memory off from what comes before.
  full: ({ memory }) => ['---\n\n', element('user_memory', {}, memory.trim())],
});
