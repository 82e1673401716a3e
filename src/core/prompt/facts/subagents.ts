/** The sub-agents that can be started: none where nothing starts them (R062). */
import { toolNames } from '../../markup/variables';
import { listSubagents } from '../../subagents/list-subagents';
import type { Subagent } from '../../subagents/subagent';
import type { Fact } from '../section';

export const subagents: Fact<readonly Subagent[]> = {
  id: 'subagents',
  gather: ({ vault, agentFolder, turn }) =>
    turn.toolNames.includes(toolNames.runSubagent) ? listSubagents(vault, agentFolder).subagents : [],
};
