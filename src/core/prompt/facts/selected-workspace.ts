/** The chat's workspace with its full record (R177). */
import { loadWorkspace, type WorkspaceData } from '../../library/workspaces';
import type { Fact } from '../section';

export interface SelectedWorkspace {
  /** The full record, when it could be loaded. */
  readonly loaded: WorkspaceData | null;
  /** The basic record, used when there is no full one (R178). */
  readonly basic: unknown;
}

export const selectedWorkspace: Fact<SelectedWorkspace | null> = {
  id: 'selected-workspace',
  gather: async (world, signal) => {
    const path = world.turn.selectedWorkspace;
    if (path === null) return null;
    return { loaded: await loadWorkspace(path, world, signal), basic: null };
  },
};
