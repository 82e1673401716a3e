/** What the user adds to every system prompt: `system-extra.md`, read at each turn (R040, R041). */
import { bodyOf } from '../../markdown/properties';
import type { OwnText } from '../../markup/markup';
import { describeFailure } from '../../ports/failure';
import { ownText } from '../own-text';
import type { Fact } from '../section';
import type { World } from '../world';

export function systemExtraPath(agentFolder: string): string {
  return `${agentFolder}/system-extra.md`;
}

/** Null when there is nothing to add; a sentence when the note cannot be read. */
export const systemExtra: Fact<OwnText | string | null> = {
  id: 'system-extra',
  gather: async (world: World, signal) => {
    const path = systemExtraPath(world.agentFolder);
    if (world.vault.file(path) === undefined) return null;
    const outcome = await world.readNote(path, signal);
    if (!outcome.ok) return `[File content unavailable] ${describeFailure(outcome.failure)}`;
    return bodyOf(outcome.value.text) === '' ? null : ownText(outcome.value.text, world);
  },
};
