/** The agents and the ids a model must quote, when its tools are described in the prompt (R154-R160). */
import type { ToolAgentInfo } from '../prompt-data';
import type { Fact } from '../section';

export interface ToolsAndContext {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly agents: readonly ToolAgentInfo[];
}

export const toolsAndContext: Fact<ToolsAndContext | null> = {
  id: 'tools-and-context',
  gather: ({ turn }) =>
    turn.toolAgents && { sessionId: turn.sessionId, workspaceId: turn.workspaceId, agents: turn.toolAgents },
};
