/** The text of the chat's mode at its tier, as the orchestrator finds it. */
import { PromptOrchestrator } from '../prompt-orchestrator';
import type { Fact } from '../section';
import { builtInTemplates } from '../tiered-prompt-store';

const orchestrator = new PromptOrchestrator(builtInTemplates);

export const modeTemplate: Fact<string> = {
  id: 'mode-template',
  gather: ({ turn }) => orchestrator.getSystemPromptForTierAndMode(turn.headMode, turn.tier),
};
