/**
 * Checks the user's subagents: which cannot be used and why, and which of two with the same name is used (R062, R137).
 */
import { words } from '../../../text';
import { isBroken } from '../../library/note-problems';
import { listSubagents, type SubagentListing, type SubagentProblem } from '../../library/subagents';
import { lacking } from '../../library/user-notes';
import { toolNames } from '../../markup/variables';
import { aboutNote, type Check, type CheckPlace, type CheckResult, fine } from '../check';

const say = words.diagnostics.subagents;

export const subagentsCheck: Check = {
  id: 'subagents',
  label: say.label,
  run: async (place, signal) => {
    const listing = listSubagents(place.vault, place.agentFolder());
    const inUse = place.toolNames.includes(toolNames.runSubagent);
    const found = await Promise.all(
      listing.problems.map((problem) => resultOf(problem, listing, inUse, place, signal)),
    );
    const results = [...found, ...withoutTools(listing, inUse, place)];
    if (results.length > 0) return results;
    const own = listing.subagents.filter(({ source }) => source === 'agent-folder');
    return [fine(say.fine(listing.subagents.length, own.length))];
  },
};

async function resultOf(
  { kind, location, words: reason }: SubagentProblem,
  { subagents }: SubagentListing,
  inUse: boolean,
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (kind === 'invalid') {
    const broken = await isBroken(place.vault, location, signal, place.readNote);
    return aboutNote(location, 'error', broken ? words.agentFolder.propertiesBroken : reason, inUse);
  }
  const name = nameAt(location, place);
  const winner = subagents.find((each) => each.name === name)?.location ?? '';
  if (place.vault.file(location) !== undefined) return aboutNote(location, 'warning', say.hidden(name, winner), inUse);
  return aboutNote(winner, 'note', say.replacesBuiltIn(name));
}

/** Returns the name from a note's properties, or from the label of a built-in subagent. */
function nameAt(location: string, { vault }: CheckPlace): string {
  const name = vault.outline(location)?.properties.name;
  return typeof name === 'string' ? name : location.slice(location.lastIndexOf('/') + 1);
}

function withoutTools({ subagents }: SubagentListing, inUse: boolean, place: CheckPlace): CheckResult[] {
  return subagents
    .filter(({ source }) => source === 'agent-folder')
    .flatMap(({ location, tools }) => {
      const missing = lacking(tools, place.subagentToolNames ?? place.toolNames);
      return missing.length === 0 ? [] : [aboutNote(location, 'warning', say.toolsMissing(missing), inUse)];
    });
}
