/** Texts that the user writes for the prompt, read and filled in once (R035-R039). */
import { formatSkills } from '../library/skills';
import { formatSubagents, listSubagents } from '../library/subagents';
import { describePrompt } from '../library/user-notes';
import { bodyOf } from '../markdown/properties';
import { type Content, element, type OwnText } from '../markup/markup';
import { collapseBlankLines } from '../markup/prose';
import { fillVariables, promptVariables, templateVariables, type Variables, variablesIn } from '../markup/variables';
import { withoutHidden } from './editor-changes';
import { skillsOf } from './facts/library';
import type { World } from './world';

// Instructions that the user writes as notes, made ready for the prompt: properties off, variables at hand (R035-R039).

/** What stands in the prompt for a template: ours is escaped as a whole, the user's may keep its tags. */
export type TemplateText = string | OwnText;

/** @param text a note as it stands on disk */
export function ownText(text: string, world: World): OwnText {
  const own = collapseBlankLines(bodyOf(text));
  return { own, values: valuesFor(variablesIn(own), world) };
}

/** Only of the variables that are used, so that nothing is looked up for the others. */
function valuesFor(names: readonly string[], world: World): OwnText['values'] {
  const variables = templateVariablesOf(names, world);
  const known = names.flatMap((name): [string, Content][] => {
    const value = variables.get(name);
    if (value === undefined) return [];
    return [[name, name === 'AgentSkills' && value !== '' ? [element('available_skills', {}, value)] : [value]]];
  });
  return Object.fromEntries(known);
}

/** Skills and sub-agents are looked up only when their variable is among the names. */
function templateVariablesOf(names: readonly string[], world: World): Variables {
  const { vault, agentFolder, turn } = world;
  const skills = names.includes('AgentSkills') ? skillsOf(world) : [];
  const agents = names.includes('SubAgents') ? listSubagents(vault, agentFolder).subagents : [];
  return templateVariables({
    agentSkills: formatSkills(skills),
    subAgents: formatSubagents(agents),
    availableTools: turn.toolNames,
  });
}

// A prompt of the user's or of ours as the model gets it: its variables filled in once, literally (design 5).

/** @param written what the user wrote after the prompt's name */
export function fillPrompt(text: string, world: World, written: string): string {
  const names = variablesIn(text);
  if (names.length === 0) return text;
  const { vault, turn, device } = world;
  const note = withoutHidden(turn.editor, (path) => vault.file(path) !== undefined)?.activeNote ?? null;
  const values = promptVariables({
    selection: note?.selectedText ?? '',
    activeNote: note?.path ?? '',
    arguments: written,
    date: device.date,
  });
  return fillVariables(text, new Map([...templateVariablesOf(names, world), ...values])).text;
}

/** Reads a prompt by its id: the user's note as it stands now, or what is registered under it. */
export interface ReadPrompt {
  readonly name: string;
  /** Its variables are not filled in. */
  readonly text: string;
}

/** Null when there is no such prompt, or its note cannot be read. */
export async function readPrompt(
  id: string,
  { vault, prompts, readNote }: Pick<World, 'vault' | 'prompts' | 'readNote'>,
  signal: AbortSignal,
): Promise<ReadPrompt | null> {
  if (vault.file(id) !== undefined) {
    const outcome = await readNote(id, signal);
    return outcome.ok ? { name: describePrompt(vault, id).name, text: bodyOf(outcome.value.text) } : null;
  }
  const registered = prompts.registered(id);
  // What the registry holds of a note outlives the note by a moment.
  if (registered === undefined || registered.source === 'config') return null;
  return { name: registered.name, text: registered.content };
}
