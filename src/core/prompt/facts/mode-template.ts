/** The text of the chat's mode at its tier, as the orchestrator finds it, and what the model's family is told besides. */
import { collapseBlankLines } from '../../markup/prose';
import { suffixFor } from '../model-suffix';
import { findTemplate } from '../own-template';
import type { TemplateText } from '../own-text';
import type { Fact } from '../section';
import { templateContextOf } from '../template-context';
import type { World } from '../world';
import { projectContext } from './project-context';
import { userMemory } from './user-memory';

export const modeTemplate: Fact<TemplateText> = {
  id: 'mode-template',
  gather: async (world, signal) => {
    const [base, suffix] = await Promise.all([
      findTemplate(world, world.turn.headMode, signal),
      writeSuffix(world, signal),
    ]);
    const withSuffix = (text: string): string =>
      collapseBlankLines([text, suffix].filter((part) => part !== '').join('\n\n'));
    return typeof base === 'string' ? withSuffix(base) : { ...base, own: withSuffix(base.own) };
  },
};

/** Nothing is read for a family that has no suffix. */
async function writeSuffix(world: World, signal: AbortSignal): Promise<string> {
  const suffix = suffixFor(world.turn.modelId, world.prompts.suffixes);
  if (suffix === undefined) return '';
  const [memory, file] = await Promise.all([userMemory.gather(world, signal), projectContext.gather(world, signal)]);
  return suffix.write(templateContextOf(world, { memory, file })).trim();
}
