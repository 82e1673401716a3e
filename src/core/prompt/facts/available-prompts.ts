/** The custom prompts that can be mentioned (R165). */
import type { PromptSummary } from '../prompt-data';
import type { Fact } from '../section';
import { listPrompts } from '../user-notes';

export const availablePrompts: Fact<readonly PromptSummary[]> = {
  id: 'available-prompts',
  gather: ({ vault, agentFolder, turn }) => listPrompts(vault, agentFolder, turn.toolNames),
};
