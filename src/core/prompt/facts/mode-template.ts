/** The text of the chat's mode at its tier, from the template store. */
import type { Fact } from '../section';
import { builtInTemplates } from '../tiered-prompt-store';

export const modeTemplate: Fact<string> = {
  id: 'mode-template',
  gather: (world) => builtInTemplates.serve(world.turn.headMode, world.turn.tier).text,
};
