/** load_workspace: reads the instructions and key notes of a workspace that is not selected (R164). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { foldPlace } from '../base/fold';
import { listWorkspaces } from '../library/user-notes';
import { formatWorkspaceData, loadWorkspace as readWorkspace } from '../library/workspaces';
import { fail, succeed } from '../ports/failure';
import { nameOf } from './resolve-path';
import { beginningOf } from './results';
import { tool } from './tool';

export const loadWorkspace = tool({
  name: 'load_workspace',
  agent: 'vault',
  description: 'Returns the instructions of a workspace and the paths of its key notes.',
  parameters: () => z.object({ id: z.string().describe('Name or id.') }),
  effect: 'reads',
  fromTier: 3,
  title: ({ id }) => words.writing.workspaceTitle(nameOf(id)),
  async run({ id }, vault, signal, { agentFolder = '' }) {
    const all = listWorkspaces(vault, agentFolder);
    const find = (spell: (text: string) => string) => {
      const wanted = spell(id.trim());
      return all.find((each) => spell(each.id) === wanted) ?? all.find((each) => spell(each.name) === wanted);
    };
    const found = find((text) => text) ?? find(foldPlace);
    const world = { vault, readNote: (path: string, stop: AbortSignal) => vault.read(path, stop) };
    const data = found === undefined ? null : await readWorkspace(found.id, world, signal);
    if (found === undefined || data === null) {
      return fail({
        kind: 'not-found',
        words: words.writing.workspaceMissing(id.trim()),
        remedy: words.writing.workspaceMissingRemedy(all.map(({ name }) => name)),
      });
    }
    const text = beginningOf(formatWorkspaceData(data), found.id);
    const named = [...(data.keyFiles ?? []), ...(data.recentFiles ?? [])];
    return succeed({ text, sources: [{ path: found.id }], touched: [found.id], named });
  },
});
