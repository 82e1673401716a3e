/** The user's prompts: which cannot be used, or not fully, and why (R128, R131). */
import { words } from '../../../text';
import { findBrokenProperties, findPromptProblems, type NoteProblem } from '../../library/note-problems';
import { promptsIn } from '../../library/user-notes';
import type { Check, CheckPlace, CheckResult } from '../check';
import { aboutNote, fine, promptsOf } from '../results';

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
      ...goneStanding(place),
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

function goneStanding({ vault, registered, next: { selectedPrompt } }: CheckPlace): CheckResult[] {
  if (selectedPrompt === null || vault.file(selectedPrompt) !== undefined) return [];
  const source = registered?.(selectedPrompt)?.source ?? 'config';
  if (source !== 'config') return [];
  return [{ level: 'warning', words: say.gone, path: selectedPrompt, inUse: true }];
}
