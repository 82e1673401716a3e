/** The workspace this chat works in (R177, R178). */
import { formatWorkspaceData, nameOf } from '../../library/workspaces';
import { selectedWorkspace } from '../facts';
import { section } from '../section';

export const selectedWorkspaceSection = section({
  id: 'selected-workspace',
  tag: 'selected_workspace',
  attributes: ({ workspace }): Readonly<Record<string, string>> =>
    workspace === null || workspace.loaded === null
      ? {}
      : { name: nameOf(workspace.loaded, 'Selected Workspace'), id: workspace.loaded.id ?? 'unknown' },
  zone: 'reference',
  flatOrder: 100,
  priority: 60,
  trim: 'tail',
  needs: { workspace: selectedWorkspace },
  when: ({ workspace }) => workspace !== null && (workspace.loaded !== null || isPresent(workspace.basic)),
  full: ({ workspace }) => {
    if (workspace === null) return [];
    if (workspace.loaded === null) return [JSON.stringify(workspace.basic, null, 2)];
    return [`This chat works in this workspace:\n\n${formatWorkspaceData(workspace.loaded)}`];
  },
});

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
