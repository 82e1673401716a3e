/** Reports variables without a value in the user's texts; the prompt contains them unchanged (R038). */
import { words } from '../../../text';
import { listSubagents } from '../../library/subagents';
import { findUnknown, promptNames, templateNames } from '../../markup/variables';
import { describeFailure } from '../../ports/failure';
import { findOverride } from '../../prompt/override';
import { systemExtraPath } from '../../prompt/sections/user-instructions';
import { aboutNote, agentNotes, type Check, type CheckPlace, type CheckResult, fine, promptsOf } from '../check';

const say = words.diagnostics.variables;

/** A note, and the variable names that its kind of text supports. */
interface Text {
  readonly path: string;
  readonly known: readonly string[];
  readonly inUse: boolean;
}

export const variablesCheck: Check = {
  id: 'variables',
  label: say.label,
  run: async (place, signal) => {
    const found = await Promise.all(textsOf(place).map((text) => unknownIn(text, place, signal)));
    const results = found.flat();
    return results.length > 0 ? results : [fine(say.fine)];
  },
};

function textsOf(place: CheckPlace): Text[] {
  const { vault, toolNames, next, scope } = place;
  const named = promptsOf(next);
  const forPrompts = promptNames(toolNames);
  const prompts = scope === 'next' ? named : agentNotes(place, 'prompts');
  const texts = [...new Set([...prompts, ...named])]
    .filter((path) => vault.file(path) !== undefined)
    .map((path) => ({ path, known: forPrompts, inUse: named.includes(path) }));
  const forTemplates = templateNames(toolNames);
  const instructions = instructionsIn(place).map((path) => ({ path, known: forTemplates, inUse: true }));
  if (scope === 'next') return [...texts, ...instructions];
  const templates = agentNotes(place, 'modes/user');
  const own = listSubagents(vault, place.agentFolder()).subagents.filter(({ source }) => source === 'agent-folder');
  return [
    ...texts,
    ...instructions,
    ...templates.map((path) => ({ path, known: forTemplates, inUse: false })),
    ...own.map(({ location, queryVariable }) => ({
      path: location,
      known: ['query', 'systemPrompt', queryVariable],
      inUse: false,
    })),
  ];
}

/** Returns the user's notes that every request contains. */
function instructionsIn({ vault, override, agentFolder }: CheckPlace): string[] {
  const { place } = findOverride(override);
  const paths = [...(place.kind === 'vault' ? [place.path] : []), systemExtraPath(agentFolder())];
  return paths.filter((path) => vault.file(path) !== undefined);
}

async function unknownIn({ path, known, inUse }: Text, place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const outcome = await place.readNote(path, signal);
  if (!outcome.ok) return [aboutNote(path, 'error', describeFailure(outcome.failure), inUse)];
  return findUnknown(outcome.value.text, known).map(({ name, nearest }) =>
    // A name unlike any other may be intended as it is, for example in code.
    nearest === null
      ? aboutNote(path, 'note', say.unknown(name))
      : aboutNote(path, 'warning', say.nearest(name, nearest), inUse),
  );
}
