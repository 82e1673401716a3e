/** Fills Docent's own prompt templates: the record that they get as `it`, and the text that they give. */
import { plansFolder } from '../library/agent-folder';
import { collapseBlankLines, numberSteps } from '../markup/prose';
import { readingTools, toolNames, writingTools } from '../markup/variables';
import { type ModeId, type Tier } from '../settings/mode';
import { offers, type TurnState } from './facts/turn-state';
import type { Offers, Template, TemplateRecord } from './world';

/** A mode: its templates by tier; the nearest tier of the same mode replaces a missing one (R104). */
export interface Mode {
  readonly id: ModeId;
  readonly templates: Readonly<Partial<Record<Tier, Template | string>>>;
}

/** What single templates get besides the record, by the name of their file; a brief form gets the same. */
export interface TemplateExtras {
  readonly 'core-mandates': { readonly hasSkills: boolean };
  readonly 'primary-workflow': { readonly hasInvestigator: boolean };
  readonly git: { readonly hasOwnRules: boolean };
}

/** The default name, which the user has not chosen. */
const defaultName = 'Assistant';

const records = new WeakMap<TurnState, TemplateRecord>();

/** Returns what templates are filled from; the same record for the same state. */
export function recordOf(state: TurnState): TemplateRecord {
  const known = records.get(state) ?? createRecord(state);
  records.set(state, known);
  return known;
}

function createRecord(state: TurnState): TemplateRecord {
  const { sanityChecks: _sanityChecks, toolNames: _toolNames, agentName, modelFamily = 'other', ...own } = state;
  const name = agentName.trim();
  return {
    ...own,
    modelFamily,
    agentName: name === defaultName ? '' : name,
    plansFolder: plansFolder(state),
    offers: offersOf(state),
    tools: toolNames,
  };
}

const { searchNotes, findNotes, gitStatus, gitDiff, gitLog } = toolNames;

function offersOf(state: TurnState): Offers {
  const each = Object.entries<string>(toolNames).map(([key, name]) => [key, offers(state, name)]);
  return {
    ...(Object.fromEntries(each) as Record<keyof typeof toolNames, boolean>),
    any: state.toolNames.length > 0,
    search: offers(state, searchNotes, findNotes),
    reading: offers(state, ...readingTools),
    writing: offers(state, ...writingTools),
    git: offers(state, gitStatus, gitDiff, gitLog),
  };
}

/** Returns the record of a chat in which everything is offered, for texts that no chat asks for. */
export function fullRecord(tier: Tier, mode: ModeId): TemplateRecord {
  return recordOf({
    tier,
    mode,
    modernModel: false,
    permissionMode: 'review',
    toolNames: Object.values(toolNames),
    interactive: true,
    contextWindow: 128_000,
    platform: 'desktop',
    repository: false,
    hooked: false,
    agentFolder: 'Docent',
    agentName: '',
    brevity: 'brief',
    sanityChecks: 'auto',
  });
}

/** Returns the text of a template: trimmed, steps numbered, at most one empty line in a row. */
export function writeTemplate(
  template: Template,
  record: TemplateRecord,
  extras?: TemplateExtras[keyof TemplateExtras],
): string {
  return collapseBlankLines(numberSteps(template(extras === undefined ? record : { ...record, ...extras }).trim()));
}
