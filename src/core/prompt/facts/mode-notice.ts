/** The change of mode in the middle of a chat, when this turn is the first in another one (K4). */
import type { ModeId } from '../../settings/mode';
import { findTemplate } from '../own-template';
import type { TemplateText } from '../own-text';
import type { Fact } from '../section';

export interface ModeChange {
  readonly from: ModeId;
  readonly to: ModeId;
  /** The template of the mode; null when it stands at the head of the chat already. */
  readonly text: TemplateText | null;
}

export const modeNotice: Fact<ModeChange | null> = {
  id: 'mode-notice',
  gather: async (world, signal) => {
    const { mode, headMode, earlierMode } = world.turn;
    if (earlierMode === null || earlierMode === mode) return null;
    const text = mode === headMode ? null : await findTemplate(world, mode, signal);
    return { from: earlierMode, to: mode, text };
  },
};
