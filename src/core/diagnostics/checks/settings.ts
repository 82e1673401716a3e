/** Checks the settings: values that could not be read, and notes or folders they name that are missing. */
import { words } from '../../../text';
import { type Check, type CheckPlace, type CheckResult, createFolder, fine, openSettings } from '../check';

const say = words.diagnostics.settings;

export const settingsCheck: Check = {
  id: 'settings',
  label: say.label,
  run: async (place) => {
    const { vault, next } = place;
    const problems = await place.settingsProblems();
    const unread = problems.map(({ key, problem }): CheckResult => {
      return { level: 'warning', words: words.settings.problems[problem](key), inUse: true, actions: [openSettings] };
    });
    const missingNotes = next.contextNotes
      .filter((path) => vault.file(path) === undefined)
      .map((path): CheckResult => {
        return {
          ...{ level: 'warning', words: say.contextNoteMissing(path), inUse: true, isNoticed: true },
          actions: [openSettings],
        };
      });
    const first = unread.length === 0 ? [fine(say.fine)] : unread;
    return [...first, ...missingNotes, ...missingFolder(place)];
  },
};

function missingFolder({ vault, agentFolder }: CheckPlace): CheckResult[] {
  const folder = agentFolder();
  if (vault.folders().includes(folder)) return [];
  return [{ level: 'note', words: say.folderMissing(folder), actions: [createFolder(folder), openSettings] }];
}
