/** Checks the user's skills: which cannot be used and why, and which of two with the same name is used (R134). */
import { words } from '../../../text';
import { isBroken } from '../../library/note-problems';
import { folderNameOf, listSkills, type SkillListing, type SkillProblem } from '../../library/skills';
import { describeWorkspace } from '../../library/user-notes';
import { toolNames } from '../../markup/variables';
import { aboutNote, agentNotes, type Check, type CheckPlace, type CheckResult, fine } from '../check';

const say = words.diagnostics.skills;

export const skillsCheck: Check = {
  id: 'skills',
  label: say.label,
  run: async (place, signal) => {
    const { vault } = place;
    const agentFolder = place.agentFolder();
    const listing = listSkills(vault, agentFolder, workspaceFolder(place));
    const found = await Promise.all(listing.problems.map((problem) => resultOf(problem, listing, place, signal)));
    const results = [...found, ...withoutNote(place), ...misplaced(place)];
    if (results.length > 0) return results;
    const { length } = listing.skills;
    return [fine(length === 0 ? say.none(`${agentFolder}/skills`) : say.fine(length))];
  },
};

function workspaceFolder({ vault, next: { selectedWorkspace } }: CheckPlace): string | null {
  if (selectedWorkspace === null || vault.file(selectedWorkspace) === undefined) return null;
  return describeWorkspace(vault, selectedWorkspace).rootFolder.replace(/^\/+|\/+$/g, '');
}

async function resultOf(
  { kind, location, words: reason }: SkillProblem,
  { skills }: SkillListing,
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CheckResult> {
  const inUse = place.toolNames.includes(toolNames.activateSkill);
  const isNote = place.vault.file(location) !== undefined;
  if (kind === 'hidden') {
    // A skill has the name of its folder, so the winner is the skill with that name.
    const name = isNote ? folderNameOf(location) : location.slice(location.lastIndexOf('/') + 1);
    const winner = skills.find((skill) => skill.name === name)?.location ?? '';
    if (!isNote) return aboutNote(winner, 'note', say.replacesOther(name, location));
    // Overriding a weaker source is the purpose of the precedence; within one source, it is a mistake.
    const isSlip = skillsFolderOf(location) === skillsFolderOf(winner);
    return aboutNote(location, isSlip ? 'warning' : 'note', say.hidden(name, winner), isSlip && inUse);
  }
  if (!isNote) return { level: 'error', words: `${location}: ${reason}`, inUse };
  const broken = await isBroken(place.vault, location, signal, place.readNote);
  return aboutNote(location, 'error', broken ? words.agentFolder.propertiesBroken : reason, inUse);
}

function skillsFolderOf(location: string): string {
  return location.split('/').slice(0, -2).join('/');
}

/** Returns the folders among the skills that have no SKILL.md. */
function withoutNote({ vault, agentFolder }: CheckPlace): CheckResult[] {
  const prefix = `${agentFolder()}/skills/`;
  return vault
    .folders()
    .filter((folder) => folder.startsWith(prefix) && !folder.includes('/', prefix.length))
    .filter((folder) => vault.file(`${folder}/SKILL.md`) === undefined)
    .map((folder) => ({ level: 'note', words: say.noNote(folder) }));
}

/** Returns the notes directly in the skills folder, outside any skill's own folder. */
function misplaced(place: CheckPlace): CheckResult[] {
  return agentNotes(place, 'skills').map((path) =>
    aboutNote(path, 'warning', say.misplaced(path.replace(/\.md$/i, ''))),
  );
}
