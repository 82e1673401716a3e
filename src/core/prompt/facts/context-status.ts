/** How full the window is, for models that are told (R145, R149). */
import type { ContextStatusInfo } from '../prompt-data';
import type { Fact } from '../section';

export const contextStatus: Fact<ContextStatusInfo | null> = {
  id: 'context-status',
  gather: (world) => world.turn.contextStatus,
};
