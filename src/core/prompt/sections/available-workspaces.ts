/** The workspaces the user has set up (R164). */
import { availableWorkspaces } from '../facts';
import { section } from '../section';

export const availableWorkspacesSection = section({
  id: 'available-workspaces',
  tag: 'available_workspaces',
  zone: 'reference',
  flatOrder: 65,
  priority: 45,
  trim: 'tail',
  needs: { workspaces: availableWorkspaces },
  when: ({ workspaces }) => workspaces.length > 0,
  full: ({ workspaces }) => [
    [
      'Workspaces in this vault:',
      ...workspaces.map(
        ({ id, name, description, rootFolder }) =>
          `- ${name} (id: "${id}")` +
          (description === undefined ? '' : `\n  Description: ${description}`) +
          `\n  Root folder: ${rootFolder}`,
      ),
      'load_workspace brings in the instructions and key notes of one.',
    ].join('\n'),
  ],
  brief: ({ workspaces }) => [`Workspaces: ${workspaces.map(({ name }) => name).join(', ')}`],
});
