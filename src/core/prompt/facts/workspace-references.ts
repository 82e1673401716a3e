/** The workspaces that the user named with `#` in this message, each loaded on its own (R172-R174). */
import { describeWorkspace } from '../../library/user-notes';
import { loadWorkspace } from '../../library/workspaces';
import type { MentionedWorkspace } from '../prompt-data';
import type { Fact } from '../section';

export const workspaceReferences: Fact<readonly MentionedWorkspace[]> = {
  id: 'workspace-references',
  gather: (world, signal) =>
    Promise.all(
      world.turn.mentions
        .filter((mention) => mention.kind === 'workspace')
        .map(async ({ id }) => ({
          summary: describeWorkspace(world.vault, id),
          data: await loadWorkspace(id, world, signal),
        })),
    ),
};
