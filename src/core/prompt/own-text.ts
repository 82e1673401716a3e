/** Instructions that the user writes as notes, made ready for the prompt: properties off, variables at hand (R035-R039). */
import { formatSkills } from '../library/skills';
import { formatSubagents, listSubagents } from '../library/subagents';
import { bodyOf } from '../markdown/properties';
import { type Content, element, type OwnText } from '../markup/markup';
import { collapseBlankLines } from '../markup/prose';
import { templateVariables, type Variables, variablesIn } from '../markup/variables';
import { skillsOf } from './facts/available-skills';
import type { World } from './world';

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
export function templateVariablesOf(names: readonly string[], world: World): Variables {
  const { vault, agentFolder, turn } = world;
  const skills = names.includes('AgentSkills') ? skillsOf(world) : [];
  const agents = names.includes('SubAgents') ? listSubagents(vault, agentFolder).subagents : [];
  return templateVariables({
    agentSkills: formatSkills(skills),
    subAgents: formatSubagents(agents),
    availableTools: turn.toolNames,
  });
}
