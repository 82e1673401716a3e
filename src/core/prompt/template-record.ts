/** The record that prompt templates get as `it`, and the text that Docent's own templates give. */
import { plansFolder } from '../library/agent-folder';
import { collapseBlankLines, numberSteps } from '../markup/prose';
import { readingTools, toolNames, writingTools } from '../markup/variables';
import { type ModeId, type Tier } from '../settings/mode';
import { projectContext, userMemory } from './facts/context-texts';
import { hasSection, type Offered, offers, type TurnState, turnStateOf } from './facts/turn-state';
import type { ContextTexts, Offers, Template, TemplateContext, TemplateRecord, ToolRole, World } from './world';

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

/** Returns which tools and groups of tools there are, for templates. */
export function offersOf(state: Offered): Offers {
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

/** A vault has no shell. */
const toolsByRole: Readonly<Record<ToolRole, string | null>> = {
  ReadFile: toolNames.readNote,
  WriteFile: toolNames.createNote,
  Grep: toolNames.searchNotes,
  Glob: toolNames.findNotes,
  Edit: toolNames.editNote,
  Shell: null,
  ReadManyFiles: toolNames.readNotes,
  Memory: toolNames.remember,
  LS: toolNames.listFolder,
};

/** Returns the typed record that the templates of model families and of the user are filled from (R024). */
export function templateContextOf(world: World, { memory, file }: ContextTexts): TemplateContext {
  const { turn, device } = world;
  const roles = Object.entries(toolsByRole).map(([role, name]) => [
    role,
    name !== null && offers(turn, name) ? name : '',
  ]);
  return {
    ...recordOf(turnStateOf(world)),
    IsGitRepository: device.repository,
    SandboxStatus: sandboxOf(turn.permissionMode, device.operatingSystem),
    UserMemory: memory.trim(),
    ProjectContext: file?.text.trim() ?? '',
    ProjectContextFile: file?.name ?? '',
    ToolNames: Object.fromEntries(roles) as TemplateContext['ToolNames'],
  };
}

/** The fields that are read from notes. */
const readFields = ['UserMemory', 'ProjectContext'];

/**
 * Reads the record for a template.
 * @param text of a template of the user's: memory and context file are read only if it names them; absent for Docent's
 */
export async function readTemplateContext(world: World, signal: AbortSignal, text?: string): Promise<TemplateContext> {
  if (text !== undefined && !readFields.some((name) => text.includes(name))) {
    return templateContextOf(world, { memory: '', file: null });
  }
  // The user's own template may bring in what its section does not; Docent's may name only what the prompt has.
  const isThere = (section: string): boolean => text !== undefined || hasSection(world.turn, section);
  const [memory, file] = await Promise.all([
    isThere('user-memory') ? userMemory.gather(world, signal) : '',
    isThere('project-context') ? projectContext.gather(world, signal) : null,
  ]);
  return templateContextOf(world, { memory, file });
}

/** Returns the names that the templates of subagents may ask for, without `it.`. */
export function subagentFields(): string[] {
  const aboutTools = templateFields().filter((name) => /^(?:offers|tools)\./.test(name));
  return ['query', 'systemPrompt', ...aboutTools];
}

/** Returns the names that the user's templates may ask for, without `it.`. */
export function templateFields(): string[] {
  const context: TemplateContext = {
    ...fullRecord(5, 'assistant'),
    IsGitRepository: false,
    SandboxStatus: 'generic',
    UserMemory: '',
    ProjectContext: '',
    ProjectContextFile: '',
    ToolNames: Object.fromEntries(Object.keys(toolsByRole).map((role) => [role, ''])) as TemplateContext['ToolNames'],
  };
  return Object.entries(context).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).map((key) => `${name}.${key}`) : [name],
  );
}

function sandboxOf(mode: World['turn']['permissionMode'], system: string): TemplateContext['SandboxStatus'] {
  if (mode === 'auto-edit') return 'none';
  return system === 'macOS' ? 'macos' : 'generic';
}
