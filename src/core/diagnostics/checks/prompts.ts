/** Checks the user's prompts and workspaces: which cannot be used, or only in part, and why (R128, R131, R174). */
import { words } from '../../../text';
import { isAtPlace } from '../../base/fold';
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
  fineWithout,
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
    if (read.length > 0) return [fine(say.fine(read.length))];
    const folder = `${agentFolder}/prompts`;
    return [fineWithout(say.none(folder), place, (path) => isAtPlace(`${folder}/`, path))];
  },
};

/**
 * An invalid prompt is missing from the list in each request, so it affects the next one. A prompt without its tools
 * affects it only if the request names the prompt.
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
  return [{ level: 'warning', words: say.missing, path: selectedPrompt, inUse: true, isNoticed: true }];
}

const workspaceWords = words.diagnostics.workspaces;

/** Checks the user's workspaces: which are left out or name a missing folder, and why (R174). */
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
    if (length > 0) return [fine(workspaceWords.fine(length))];
    const folder = `${agentFolder}/workspaces`;
    return [fineWithout(workspaceWords.none(folder), place, (path) => isAtPlace(`${folder}/`, path))];
  },
};

/**
 * Each request contains the list of workspaces with their folders, so every problem of one affects the next request.
 */
function workspaceResultOf({ path, kind, reason, folder }: NoteProblem): CheckResult {
  if (kind === 'same-name') return aboutNote(path, 'note', reason);
  const result = aboutNote(path, kind === 'invalid' ? 'error' : 'warning', reason, true);
  return folder === undefined ? result : { ...result, actions: [openNote(path), createFolder(folder)] };
}

function missingSelected({ vault, next: { selectedWorkspace } }: CheckPlace): CheckResult[] {
  if (selectedWorkspace === null || vault.file(selectedWorkspace) !== undefined) return [];
  return [
    { level: 'warning', words: workspaceWords.missingWorkspace, path: selectedWorkspace, inUse: true, isNoticed: true },
  ];
}
