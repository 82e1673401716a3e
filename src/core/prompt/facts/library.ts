/** Facts about the user's library that this turn can use; shared by several sections. */
import { offeredPrompts } from '../../library/prompts';
import { type Skill, skillsOfChat } from '../../library/skills';
import { listSubagents, type Subagent } from '../../library/subagents';
import { listWorkspaces, type PromptSummary, type WorkspaceSummary } from '../../library/user-notes';
import { toolNames } from '../../markup/variables';
import type { Fact } from '../section';
import type { World } from '../world';

/** The skills that can be activated, from all sources (R063, R134). */
export const availableSkills: Fact<readonly Skill[]> = {
  id: 'available-skills',
  gather: (world) => skillsOf(world),
};

export function skillsOf({ vault, turn, agentFolder, givenSkills }: World): readonly Skill[] {
  return skillsOfChat(vault, agentFolder, turn.selectedWorkspace, givenSkills).skills;
}

/**
 * The user's prompts and those of servers, which a message can name (R165); built-in prompts appear only in the
 * interface.
 */
export const availablePrompts: Fact<readonly PromptSummary[]> = {
  id: 'available-prompts',
  afterReads: true,
  gather: ({ vault, agentFolder, turn, prompts }) =>
    offeredPrompts({ vault, agentFolder, registered: prompts.listed(), toolNames: turn.toolNames })
      .filter(({ source }) => source !== 'static')
      .map(({ id, name, description }) => ({ id, name, description })),
};

/** The workspaces that can be loaded (R164). */
export const availableWorkspaces: Fact<readonly WorkspaceSummary[]> = {
  id: 'available-workspaces',
  afterReads: true,
  gather: ({ vault, agentFolder }) => listWorkspaces(vault, agentFolder),
};

/** The subagents that can be started; none if the run-subagent tool is not declared (R062). */
export const subagents: Fact<readonly Subagent[]> = {
  id: 'subagents',
  gather: ({ vault, agentFolder, turn }) =>
    turn.toolNames.includes(toolNames.runSubagent) ? listSubagents(vault, agentFolder).subagents : [],
};
