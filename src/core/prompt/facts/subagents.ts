/** The sub-agents that can be started: none where nothing starts them (R062). */
import { listSubagents, type Subagent } from '../../library/subagents';
import { toolNames } from '../../markup/variables';
import type { Fact } from '../section';

export const subagents: Fact<readonly Subagent[]> = {
  id: 'subagents',
  gather: ({ vault, agentFolder, turn }) =>
    turn.toolNames.includes(toolNames.runSubagent) ? listSubagents(vault, agentFolder).subagents : [],
};
