/** The change of mode in the middle of a chat, when this turn is the first in another one (K4). */
import type { ModeId } from '../../mode';
import type { Fact } from '../section';
import { builtInTemplates } from '../tiered-prompt-store';

export interface ModeChange {
  readonly from: ModeId;
  readonly to: ModeId;
  /** The template of the mode; null when it stands at the head of the chat already. */
  readonly text: string | null;
}

export const modeNotice: Fact<ModeChange | null> = {
  id: 'mode-notice',
  gather: ({ turn: { mode, tier, headMode, earlierMode } }) =>
    earlierMode === null || earlierMode === mode
      ? null
      : { from: earlierMode, to: mode, text: mode === headMode ? null : builtInTemplates.serve(mode, tier).text },
};
