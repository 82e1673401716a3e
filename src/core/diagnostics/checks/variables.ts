/**
 * Reports variables without a value in the user's texts, which the prompt contains unchanged (R038), and templates that
 * cannot be filled in or ask for what there is not (R025).
 */
import { words } from '../../../text';
import { listSubagents } from '../../library/subagents';
import { bodyOf } from '../../markdown/properties';
import { hasTags, readUserTemplate } from '../../markup/user-templates';
import {
  findNearest,
  findUnknown,
  maxUnknown,
  promptNames,
  promptValueNames,
  templateNames,
} from '../../markup/variables';
import { describeFailure } from '../../ports/failure';
import { findOverride } from '../../prompt/override';
import { systemExtraPath } from '../../prompt/sections/user-instructions';
import { subagentFields, templateFields } from '../../prompt/template-record';
import { ownTemplatePath } from '../../prompt/tiered-prompt-store';
import { aboutNote, agentNotes, type Check, type CheckPlace, type CheckResult, fine, promptsOf } from '../check';

const say = words.diagnostics.variables;

/** A note, and the variable names that its kind of text supports. */
interface Text {
  readonly path: string;
  readonly known: readonly string[];
  /** The names that its tags may ask for; absent for a text whose tags are text. */
  readonly fields?: readonly string[];
  readonly inUse: boolean;
}

export const variablesCheck: Check = {
  id: 'variables',
  label: say.label,
  run: async (place, signal) => {
    const found = await Promise.all(textsOf(place).map((text) => judgeText(text, place, signal)));
    const results = found.flat();
    return results.length > 0 ? results : [fine(say.fine)];
  },
};

function textsOf(place: CheckPlace): Text[] {
  const { vault, toolNames, next, scope } = place;
  const named = promptsOf(next);
  const forPrompts = promptNames(toolNames);
  const fields = templateFields();
  const promptFields = [...fields, ...promptValueNames];
  const prompts = scope === 'next' ? named : agentNotes(place, 'prompts');
  const texts = [...new Set([...prompts, ...named])]
    .filter((path) => vault.file(path) !== undefined)
    .map((path) => ({ path, known: forPrompts, fields: promptFields, inUse: named.includes(path) }));
  const forTemplates = templateNames(toolNames);
  const instructions = instructionsIn(place).map((path) => ({ path, known: forTemplates, fields, inUse: true }));
  if (scope === 'next') return [...texts, ...instructions];
  const templates = agentNotes(place, 'modes/user');
  const current = next.mode === 'user' ? ownTemplatePath(place.agentFolder(), next.tier) : null;
  const own = listSubagents(vault, place.agentFolder()).subagents.filter(({ source }) => source === 'agent-folder');
  return [
    ...texts,
    ...instructions,
    ...templates.map((path) => ({ path, known: forTemplates, fields, inUse: path === current })),
    ...own.map(({ location, queryVariable }) => ({
      path: location,
      known: ['query', 'systemPrompt', queryVariable],
      fields: subagentFields(),
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

async function judgeText(text: Text, place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const { path, inUse } = text;
  const outcome = await place.readNote(path, signal);
  if (!outcome.ok) return [aboutNote(path, 'error', describeFailure(outcome.failure), inUse)];
  const sent = blankHead(outcome.value.text);
  return [...judgeTags(text, sent), ...judgeVariables(text, sent)];
}

/** Empties the lines of the properties and of the comment for the user, which are not sent; line numbers stay the same. */
function blankHead(text: string): string {
  const body = bodyOf(text);
  const head = text.slice(0, text.trimEnd().length - body.length);
  return head.replace(/[^\n]/g, '') + body;
}

function judgeVariables({ path, known, inUse }: Text, text: string): CheckResult[] {
  return findUnknown(text, known).map(({ name, nearest }) =>
    // A name unlike any other may be intended as it is, for example in code.
    nearest === null
      ? aboutNote(path, 'note', say.unknown(name))
      : aboutNote(path, 'warning', say.nearest(name, nearest), inUse),
  );
}

function judgeTags({ path, fields, inUse }: Text, text: string): CheckResult[] {
  if (fields === undefined || !hasTags(text)) return [];
  const read = readUserTemplate(text);
  if (read.kind === 'fault') {
    const { kind, line, reason } = read.fault;
    const isBroken = kind === 'broken';
    const message = (isBroken ? say.broken : say.refused)(line, say.reasons[reason]);
    return [aboutNote(path, isBroken ? 'error' : 'warning', message, inUse)];
  }
  return read.names
    .filter(({ name }) => !fields.includes(name))
    .slice(0, maxUnknown)
    .map(({ name, line }) => {
      const nearest = findNearest(name, fields);
      return aboutNote(path, 'warning', say.missing(line, `it.${name}`, nearest && `it.${nearest}`), inUse);
    });
}
