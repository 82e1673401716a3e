/** The user's prompts: which cannot be used, or not fully, and why (R128, R131). */
import { words } from '../../../text';
import {
  findBrokenProperties,
  findPromptProblems,
  findWorkspaceProblems,
  type NoteProblem,
} from '../../library/note-problems';
import { promptsIn, workspacesIn } from '../../library/user-notes';
import {
  aboutNote,
  type Check,
  type CheckPlace,
  type CheckResult,
  createFolder,
  fine,
  openNote,
  promptsOf,
} from '../check';

const say = words.diagnostics.prompts;

export const promptsCheck: Check = {
  id: 'prompts',
  label: say.label,
  run: async (place, signal) => {
    const { vault, toolNames, readNote } = place;
    const agentFolder = place.agentFolder();
    const broken = await findBrokenProperties(vault, agentFolder, signal, readNote, ['prompts']);
    const problems = [...findPromptProblems(vault, agentFolder, toolNames), ...broken];
    const { read } = promptsIn(vault, agentFolder);
    const off = read.filter(({ properties }) => properties?.disabled === true);
    const results = [
      ...missingPinned(place),
      ...problems.map((problem) => resultOf(problem, place)),
      ...off.map(({ path }) => aboutNote(path, 'note', say.off)),
    ];
    if (results.length > 0) return results;
    return [fine(read.length === 0 ? say.none(`${agentFolder}/prompts`) : say.fine(read.length))];
  },
};

/**
 * An invalid prompt is missing from the list that each request holds, so it concerns the next one; a prompt without its
 * tools only when the request names it.
 */
function resultOf({ path, kind, reason }: NoteProblem, { next }: CheckPlace): CheckResult {
  const isNamed = promptsOf(next).includes(path);
  switch (kind) {
    case 'same-name':
      return aboutNote(path, 'note', reason);
    case 'missing-tools':
      return aboutNote(path, 'warning', reason, isNamed);
    case 'broken-properties':
      return aboutNote(path, 'warning', `${reason} ${say.brokenOffered}`, true);
    default:
      return aboutNote(path, 'error', reason, true);
  }
}

function missingPinned({ vault, registered, next: { selectedPrompt } }: CheckPlace): CheckResult[] {
  if (selectedPrompt === null || vault.file(selectedPrompt) !== undefined) return [];
  const source = registered?.(selectedPrompt)?.source ?? 'config';
  if (source !== 'config') return [];
  return [{ level: 'warning', words: say.gone, path: selectedPrompt, inUse: true }];
}

const workspaceWords = words.diagnostics.workspaces;

/** The user's workspaces: which are left out or lead nowhere, and why (R174). */
export const workspacesCheck: Check = {
  id: 'workspaces',
  label: workspaceWords.label,
  run: async (place, signal) => {
    const { vault, readNote } = place;
    const agentFolder = place.agentFolder();
    const broken = await findBrokenProperties(vault, agentFolder, signal, readNote, ['workspaces']);
    const problems = [...findWorkspaceProblems(vault, agentFolder), ...broken];
    const results = [...missingSelected(place), ...problems.map(workspaceResultOf)];
    if (results.length > 0) return results;
    const { length } = workspacesIn(vault, agentFolder).read;
    return [fine(length === 0 ? workspaceWords.none(`${agentFolder}/workspaces`) : workspaceWords.fine(length))];
  },
};

/** Each request holds the list of workspaces with their folders, so all that is wrong with one concerns the next. */
function workspaceResultOf({ path, kind, reason, folder }: NoteProblem): CheckResult {
  if (kind === 'same-name') return aboutNote(path, 'note', reason);
  const result = aboutNote(path, kind === 'invalid' ? 'error' : 'warning', reason, true);
  return folder === undefined ? result : { ...result, actions: [openNote(path), createFolder(folder)] };
}

function missingSelected({ vault, next: { selectedWorkspace } }: CheckPlace): CheckResult[] {
  if (selectedWorkspace === null || vault.file(selectedWorkspace) !== undefined) return [];
  return [{ level: 'warning', words: workspaceWords.gone, path: selectedWorkspace, inUse: true }];
}
