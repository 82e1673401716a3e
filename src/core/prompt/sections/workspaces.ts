/** The workspaces the user named with `#`; omitted when none of them loads (R172-R174, R265). */
import { formatBasic, formatWorkspaceData, isComprehensive, nameOf } from '../../library/workspaces';
import { element } from '../../markup/markup';
import { workspaceReferences } from '../facts';
import type { MentionedWorkspace } from '../prompt-data';
import { section } from '../section';

export const workspacesSection = section({
  id: 'workspaces',
  tag: 'workspaces',
  zone: 'turn',
  flatOrder: 90,
  priority: 72,
  trim: 'tail',
  needs: { references: workspaceReferences },
  when: ({ references }) => references.some(({ data }) => data !== null),
  full: ({ references }) => [
    'The user named these workspaces. Work within their context:\n',
    ...references.flatMap((reference) => (reference.data === null ? [] : ['\n', describe(reference)])),
  ],
});

function describe({ summary, data }: MentionedWorkspace) {
  if (data === null || !isComprehensive(data)) {
    const basic = data ?? { name: summary.name, description: summary.description, rootFolder: summary.rootFolder };
    return element('workspace', { name: nameOf(basic, summary.name), id: summary.id }, formatBasic(basic));
  }
  return element('workspace', { name: nameOf(data, summary.name), id: summary.id }, formatWorkspaceData(data));
}
