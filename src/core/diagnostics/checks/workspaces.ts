/** The user's workspaces: which are left out or lead nowhere, and why (R174). */
import { words } from '../../../text';
import { findBrokenProperties, findWorkspaceProblems, type NoteProblem } from '../../library/note-problems';
import { workspacesIn } from '../../library/user-notes';
import type { Check, CheckPlace, CheckResult } from '../check';
import { aboutNote, createFolder, fine, openNote } from '../results';

const say = words.diagnostics.workspaces;

export const workspacesCheck: Check = {
  id: 'workspaces',
  label: say.label,
  run: async (place, signal) => {
    const { vault, readNote } = place;
    const agentFolder = place.agentFolder();
    const broken = await findBrokenProperties(vault, agentFolder, signal, readNote, ['workspaces']);
    const problems = [...findWorkspaceProblems(vault, agentFolder), ...broken];
    const results = [...goneSelected(place), ...problems.map(resultOf)];
    if (results.length > 0) return results;
    const { length } = workspacesIn(vault, agentFolder).read;
    return [fine(length === 0 ? say.none(`${agentFolder}/workspaces`) : say.fine(length))];
  },
};

/** Each request holds the list of workspaces with their folders, so all that is wrong with one concerns the next. */
function resultOf({ path, kind, reason, folder }: NoteProblem): CheckResult {
  if (kind === 'same-name') return aboutNote(path, 'note', reason);
  const result = aboutNote(path, kind === 'invalid' ? 'error' : 'warning', reason, true);
  return folder === undefined ? result : { ...result, actions: [openNote(path), createFolder(folder)] };
}

function goneSelected({ vault, next: { selectedWorkspace } }: CheckPlace): CheckResult[] {
  if (selectedWorkspace === null || vault.file(selectedWorkspace) !== undefined) return [];
  return [{ level: 'warning', words: say.gone, path: selectedWorkspace, inUse: true }];
}
