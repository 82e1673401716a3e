/** The sub-agents that can be started: none where nothing starts them (R062). */
import { listSubagents } from '../../subagents/list-subagents';
import type { Subagent } from '../../subagents/subagent';
import type { Fact } from '../section';
import { toolNames } from '../tool-names';

export const subagents: Fact<readonly Subagent[]> = {
  id: 'subagents',
  gather: ({ vault, agentFolder, turn }) =>
    turn.toolNames.includes(toolNames.runSubagent) ? listSubagents(vault, agentFolder).subagents : [],
};
