/** The workspaces that can be loaded (R164). */
import { whileReading } from '../../base/async';
import { listWorkspaces, type WorkspaceSummary } from '../../library/user-notes';
import type { Fact } from '../section';

export const availableWorkspaces: Fact<readonly WorkspaceSummary[]> = {
  id: 'available-workspaces',
  gather: ({ vault, agentFolder }) => whileReading(() => listWorkspaces(vault, agentFolder)),
};
