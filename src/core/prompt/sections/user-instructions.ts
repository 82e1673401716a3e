/**
 * The user's instructions for every chat: settings, the text that follows Docent's own, and the context and memory
 * files.
 */
import { boundContext, wrapContext } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { type Measure, trimText } from '../../markup/budget';
import { element, type OwnText } from '../../markup/markup';
import { describeFailure } from '../../ports/failure';
import { projectContext, userMemory } from '../facts/context-texts';
import { type Fact, section } from '../section';
import { ownText } from '../user-text';
import type { World } from '../world';

/** Text from the user's settings for every prompt (R108). */
export const additionalInstructions: Fact<string> = {
  id: 'additional-instructions',
  gather: ({ settings }) => settings.additionalInstructions.trim(),
};

/** The instructions in the user's settings for every chat (R108). */
export const additionalInstructionsSection = section({
  id: 'additional-instructions',
  tag: 'additional_instructions',
  zone: 'instructions',
  share: 'own',
  buildOrder: 34,
  priority: 91,
  trim: 'tail',
  needs: { text: additionalInstructions },
  when: ({ text }) => text.trim() !== '',
  full: ({ text }) => [text.trim()],
  shorten: ({ text }, tokens, measure) => [cut(text, tokens - elementTokens, measure)],
});

/** Tokens of the tags and delimiters around an instruction, at most. */
const elementTokens = 36;

function cut(text: string, tokens: number, measure: Measure): string {
  return trimText(text.trim(), tokens, measure);
}

export function systemExtraPath(agentFolder: string): string {
  return `${agentFolder}/system-extra.md`;
}

/**
 * The user's addition to every system prompt: `system-extra.md`, read at each turn (R040, R041). Null if there is none;
 * a sentence if the note cannot be read.
 */
export const systemExtra: Fact<OwnText | string | null> = {
  id: 'system-extra',
  gather: async (world: World, signal) => {
    const path = systemExtraPath(world.agentFolder);
    if (world.vault.file(path) === undefined) return null;
    const outcome = await world.readNote(path, signal);
    if (!outcome.ok) return `[File content unavailable] ${describeFailure(outcome.failure)}`;
    return bodyOf(outcome.value.text) === '' ? null : ownText(outcome.value.text, world, signal);
  },
};

/** The user's addition to the system prompt, after Docent's own text or a custom base (R040, R260). */
export const systemExtraSection = section({
  id: 'system-extra',
  zone: 'instructions',
  afterBase: true,
  buildOrder: 42,
  priority: 92,
  trim: 'never',
  needs: { extra: systemExtra },
  when: ({ extra }) => extra !== null,
  full: ({ extra }) => (extra === null ? [] : [extra]),
});

/** The vault's own context file, such as AGENTS.md (R195-R197). */
export const projectContextSection = section({
  id: 'project-context',
  tag: 'project_context',
  zone: 'instructions',
  share: 'own',
  afterBase: true,
  buildOrder: 40,
  priority: 86,
  trim: 'tail',
  needs: { file: projectContext },
  when: ({ file }) => file !== null,
  full: ({ file }) => (file === null ? [] : [wrapContext(file.name, file.text)]),
  shorten: ({ file }, tokens, measure) =>
    file && [boundContext(file.name, cut(file.text, tokens - elementTokens - 2 * measure.count(file.name), measure))],
});

/** The user's lasting preferences, after everything else in the system prompt (R198, R201). */
export const userMemorySection = section({
  id: 'user-memory',
  zone: 'instructions',
  share: 'own',
  afterBase: true,
  buildOrder: 120,
  priority: 89,
  trim: 'tail',
  needs: { memory: userMemory },
  when: ({ memory }) => memory.trim() !== '',
  // The rule is outside the element, so that it separates the memory from what precedes it.
  full: ({ memory }) => ['---\n\n', element('user_memory', {}, memory.trim())],
  shorten: ({ memory }, tokens, measure) => [
    '---\n\n',
    element('user_memory', {}, cut(memory, tokens - elementTokens, measure)),
  ],
});
