/** Checks the user's skills: which cannot be used and why, and which of two with the same name is used (R134). */
import { words } from '../../../text';
import { foldPlace, isAtPlace } from '../../base/fold';
import { isBroken } from '../../library/note-problems';
import {
  allowedAmong,
  folderNameOf,
  missingResources,
  type Skill,
  type SkillListing,
  type SkillProblem,
  skillsOfChat,
} from '../../library/skills';
import { bodyOf } from '../../markdown/properties';
import { toolNames } from '../../markup/variables';
import { aboutNote, agentNotes, type Check, type CheckPlace, type CheckResult, fine, fineWithout } from '../check';

const say = words.diagnostics.skills;

export const skillsCheck: Check = {
  id: 'skills',
  label: say.label,
  run: async (place, signal) => {
    const { vault } = place;
    const agentFolder = place.agentFolder();
    const listing = skillsOfChat(vault, agentFolder, place.next.selectedWorkspace, place.givenSkills?.());
    const found = await Promise.all(listing.problems.map((problem) => resultOf(problem, listing, place, signal)));
    const inPart = await Promise.all(listing.skills.map((skill) => findGaps(skill, place, signal)));
    const results = [...found, ...inPart.flat(), ...withoutNote(place), ...misplaced(place)];
    if (results.length > 0) return results;
    const { length } = listing.skills.filter(({ source }) => source !== 'built-in');
    if (length > 0) return [fine(say.fine(length))];
    const folder = `${agentFolder}/skills`;
    return [fineWithout(say.none(folder), place, (path) => isAtPlace(`${folder}/`, path))];
  },
};

/** Returns what a skill names and does not have: files of its folder, and tools to which it limits a turn. */
async function findGaps(skill: Skill, place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const { location, allowedTools = [] } = skill;
  const { vault, toolNames: offered } = place;
  const note = vault.file(location) === undefined ? null : await place.readNote(location, signal);
  const body = note?.ok === true ? bodyOf(note.value.text) : '';
  const missing = missingResources(withWaiting(place), location, body, vault.outline(location)?.links);
  const isUnknown = allowedTools.length > 0 && allowedAmong(skill, offered) === null;
  const gaps = [
    ...(missing.length === 0 ? [] : [words.agentFolder.resourceMissing(missing)]),
    ...(isUnknown ? [words.agentFolder.toolsUnknown(allowedTools)] : []),
  ];
  if (note === null) return gaps.map((gap) => ({ level: 'warning', words: `${location}: ${gap}` }));
  return gaps.map((gap) => aboutNote(location, 'warning', gap));
}

/** Finds the files of the vault, and those that wait: another check names them. */
function withWaiting({ vault, waiting }: CheckPlace): { file(path: string): unknown } {
  const paths = new Set(waiting?.().map(({ path }) => foldPlace(path)));
  return { file: (path) => vault.file(path) ?? (paths.has(foldPlace(path)) || undefined) };
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
    if (!isNote && place.vault.file(winner) === undefined)
      return { level: 'note', words: `${location}: ${say.hidden(name, winner)}` };
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
function withoutNote(place: CheckPlace): CheckResult[] {
  const prefix = `${place.agentFolder()}/skills/`;
  const all = withWaiting(place);
  return place.vault
    .folders()
    .filter((folder) => folder.startsWith(prefix) && !folder.includes('/', prefix.length))
    .filter((folder) => all.file(`${folder}/SKILL.md`) === undefined)
    .map((folder) => ({ level: 'note', words: say.noNote(folder) }));
}

/** Returns the notes directly in the skills folder, outside any skill's own folder. */
function misplaced(place: CheckPlace): CheckResult[] {
  return agentNotes(place, 'skills').map((path) =>
    aboutNote(path, 'warning', say.misplaced(path.replace(/\.md$/i, ''))),
  );
}
