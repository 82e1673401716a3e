/**
 * Workspaces in the prompt: the available ones, those named with `#`, and the one selected for the chat. Named ones are
 * omitted if none can be loaded (R164, R172-R174, R177, R178, R265).
 */
import { describeWorkspace } from '../../library/user-notes';
import {
  formatBasic,
  formatWorkspaceData,
  isComprehensive,
  loadWorkspace,
  nameOf,
  type WorkspaceData,
} from '../../library/workspaces';
import { namesWithin } from '../../markup/budget';
import { element } from '../../markup/markup';
import { lines } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { availableWorkspaces } from '../facts/library';
import { offeredTools, offers } from '../facts/turn-state';
import { type Fact, section } from '../section';
import type { MentionedWorkspace, World } from '../world';

/** The share of the context window, in tokens, for the folders and notes that a workspace lists. */
const structureShare = 0.006;

function structureTokens({ turn }: World): number {
  return Math.floor(turn.contextWindow * structureShare);
}

/** The workspaces that the user named with `#` in this message, each loaded separately (R172-R174). */
export const workspaceReferences: Fact<readonly MentionedWorkspace[]> = {
  id: 'workspace-references',
  gather: (world, signal) =>
    Promise.all(
      world.turn.mentions
        .filter((mention) => mention.kind === 'workspace')
        .map(async ({ id }) => ({
          summary: describeWorkspace(world.vault, id),
          data: await loadWorkspace(id, world, signal, structureTokens(world)),
        })),
    ),
};

export const workspacesSection = section({
  id: 'workspaces',
  tag: 'workspaces',
  zone: 'turn',
  buildOrder: 90,
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

/** The workspaces that the user has set up (R164). */
export const availableWorkspacesSection = section({
  id: 'available-workspaces',
  tag: 'available_workspaces',
  zone: 'reference',
  share: 'lists',
  buildOrder: 65,
  priority: 45,
  trim: 'tail',
  needs: { workspaces: availableWorkspaces, tools: offeredTools },
  when: ({ workspaces }) => workspaces.length > 0,
  full: ({ workspaces, tools }) => [
    lines(
      'Workspaces in this vault:',
      ...workspaces.map(
        ({ id, name, description, rootFolder }) =>
          `- ${name} (id: "${id}")` +
          (description === undefined ? '' : `\n  Description: ${description}`) +
          `\n  Root folder: ${rootFolder}`,
      ),
      offers(tools, toolNames.loadWorkspace) &&
        `${toolNames.loadWorkspace} returns the instructions of one and the paths of its key notes.`,
    ),
  ],
  shorten: ({ workspaces }, tokens, measure) => [namesWithin('Workspaces:', workspaces, tokens - 16, measure)],
  brief: ({ workspaces }) => [`Workspaces: ${workspaces.map(({ name }) => name).join(', ')}`],
});

/** The chat's workspace with its full record (R177). */
export interface SelectedWorkspace {
  /** The full record, if it could be loaded. */
  readonly loaded: WorkspaceData | null;
  /** The basic record, used if there is no full one (R178). */
  readonly basic: unknown;
}

export const selectedWorkspace: Fact<SelectedWorkspace | null> = {
  id: 'selected-workspace',
  gather: async (world, signal) => {
    const path = world.turn.selectedWorkspace;
    if (path === null) return null;
    const loaded = await loadWorkspace(path, world, signal, structureTokens(world));
    return { loaded, basic: loaded === null ? basicOf(path, world) : null };
  },
};

/** Returns what is known of a workspace whose note cannot be read: its name, and what its properties say. */
function basicOf(path: string, { vault }: World): Readonly<Record<string, string>> {
  const { id, name, description, rootFolder } = describeWorkspace(vault, path);
  if (vault.file(path) === undefined) return { id, name };
  return { id, name, ...(description === undefined ? {} : { description }), rootFolder };
}

/** The workspace selected for this chat (R177, R178). */
export const selectedWorkspaceSection = section({
  id: 'selected-workspace',
  tag: 'selected_workspace',
  attributes: ({ workspace }): Readonly<Record<string, string>> =>
    workspace === null || workspace.loaded === null
      ? {}
      : { name: nameOf(workspace.loaded, 'Selected Workspace'), id: workspace.loaded.id ?? 'unknown' },
  zone: 'reference',
  buildOrder: 100,
  priority: 60,
  trim: 'tail',
  needs: { workspace: selectedWorkspace },
  when: ({ workspace }) => workspace !== null && (workspace.loaded !== null || isPresent(workspace.basic)),
  full: ({ workspace }) => {
    if (workspace === null) return [];
    if (workspace.loaded === null) return [JSON.stringify(workspace.basic, null, 2)];
    return [`Work in this workspace:\n\n${formatWorkspaceData(workspace.loaded)}`];
  },
});

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
