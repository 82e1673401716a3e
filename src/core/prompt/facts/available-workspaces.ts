/** The workspaces that can be loaded (R164). */
import { whileReading } from '../../base/async';
import type { WorkspaceSummary } from '../prompt-data';
import type { Fact } from '../section';
import { listWorkspaces } from '../user-notes';

export const availableWorkspaces: Fact<readonly WorkspaceSummary[]> = {
  id: 'available-workspaces',
  gather: ({ vault, agentFolder }) => whileReading(() => listWorkspaces(vault, agentFolder)),
};
