/** The standard composition as a record of options: one key for each part that can be switched off (R018-R020, R252). */
import { plansFolder } from '../library/agent-folder';
import type { Skill } from '../library/skills';
import { planTools, readingTools, toolNames } from '../markup/variables';
import type { Computer } from '../ports/device';
import type { PermissionMode } from '../settings/mode';
import type { Settings } from '../settings/settings';
import { offers, type TurnState } from './facts/turn-state';
import { resolveOverride } from './override';
import type { Section } from './section';

/** The sections that each key switches, by id. */
export const sectionsByKey = {
  preamble: ['preamble'],
  coreMandates: ['core-mandates'],
  agentContexts: ['sub-agents'],
  agentSkills: ['available-skills'],
  hookContext: ['hook-notice'],
  primaryWorkflows: ['primary-workflow'],
  planningWorkflow: ['planning-workflow'],
  operationalGuidelines: ['guidelines'],
  sandbox: ['permissions'],
  gitRepo: ['git'],
  finalReminder: ['final-reminder'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type CompositionKey = keyof typeof sectionsByKey;
export const compositionKeys = Object.keys(sectionsByKey) as readonly CompositionKey[];

/** The name of a key's switch: an environment variable ends in it in capitals (R252). */
export function switchName(key: CompositionKey): string {
  return key === 'gitRepo' ? 'git' : key.toLowerCase();
}

/** All parts are optional; one that is missing is not told (R019). */
export interface CompositionOptions {
  readonly preamble?: { readonly interactive: boolean };
  readonly coreMandates?: {
    readonly interactive: boolean;
    readonly modernModel: boolean;
    readonly hasSkills: boolean;
  };
  /** The directory of sub-agents, as it is told. */
  readonly agentContexts?: string;
  readonly agentSkills?: readonly SkillOption[];
  readonly hookContext?: boolean;
  readonly primaryWorkflows?: {
    readonly interactive: boolean;
    readonly enableVaultInvestigator: boolean;
    readonly enableWriteTodosTool: boolean;
  };
  readonly planningWorkflow?: {
    readonly planModeToolsList: readonly string[];
    readonly plansDir: string;
  };
  readonly operationalGuidelines?: {
    readonly interactive: boolean;
    readonly modernModel: boolean;
    readonly enableOutputEconomy: boolean;
  };
  readonly sandbox?: PermissionMode;
  readonly gitRepo?: { readonly interactive: boolean };
  readonly finalReminder?: { readonly readFileToolName: string };
}

export type SkillOption = Pick<Skill, 'name' | 'description' | 'location'>;

/** Whether the user left a part switched on. */
export type Switches = (key: CompositionKey) => boolean;

const allOn: Switches = () => true;

/** The part, or undefined when its guard fails or it is switched off; then it is not even made (R018). */
export function withSection<Part>(
  key: CompositionKey,
  factory: () => Part,
  guard = true,
  isOn: Switches = allOn,
): Part | undefined {
  return guard && isOn(key) ? factory() : undefined;
}

/** A missing part renders as nothing (R018). */
export function renderPart<Part>(part: Part | undefined, render: (part: Part) => string): string {
  return part === undefined ? '' : render(part);
}

/** What the options are made of. */
export interface CompositionInput {
  readonly state: TurnState;
  readonly skills: readonly SkillOption[];
  readonly subagentDirectory: string;
}

/** Applies the guards that hold whatever the switches say: skills, planning or primary, git (R253). */
export function compositionOptionsOf(input: CompositionInput, isOn: Switches = allOn): CompositionOptions {
  const { state, skills, subagentDirectory } = input;
  const { interactive, modernModel, permissionMode } = state;
  const isPlan = permissionMode === 'plan';
  const hasGit = state.repository && offers(state, toolNames.gitStatus, toolNames.gitDiff, toolNames.gitLog);
  const parts = {
    preamble: withSection('preamble', () => ({ interactive }), true, isOn),
    coreMandates: withSection(
      'coreMandates',
      () => ({ interactive, modernModel, hasSkills: skills.length > 0 }),
      true,
      isOn,
    ),
    agentContexts: withSection('agentContexts', () => subagentDirectory, subagentDirectory !== '', isOn),
    agentSkills: withSection(
      'agentSkills',
      () => skills.map(({ name, description, location }) => ({ name, description, location })),
      skills.length > 0,
      isOn,
    ),
    hookContext: withSection('hookContext', () => true, state.hooked, isOn),
    primaryWorkflows: withSection(
      'primaryWorkflows',
      () => ({
        interactive,
        enableVaultInvestigator: subagentDirectory.includes('vault-investigator'),
        enableWriteTodosTool: offers(state, toolNames.writeTodos),
      }),
      !isPlan,
      isOn,
    ),
    planningWorkflow: withSection(
      'planningWorkflow',
      () => ({
        planModeToolsList: planTools.filter((name) => offers(state, name)),
        plansDir: plansFolder(state),
      }),
      isPlan,
      isOn,
    ),
    operationalGuidelines: withSection(
      'operationalGuidelines',
      () => ({ interactive, modernModel, enableOutputEconomy: offers(state, ...readingTools) }),
      true,
      isOn,
    ),
    sandbox: withSection('sandbox', () => permissionMode, true, isOn),
    gitRepo: withSection('gitRepo', () => ({ interactive }), hasGit, isOn),
    finalReminder: withSection('finalReminder', () => ({ readFileToolName: toolNames.readNote }), !modernModel, isOn),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** Ids of the sections that the switches turn off; what is enforced in code stays enforced. */
export function sectionsSwitchedOff(isOn: Switches): ReadonlySet<string> {
  return new Set(compositionKeys.filter((key) => !isOn(key)).flatMap((key) => [...sectionsByKey[key]]));
}

// Switches of sections: what the user or the environment has left out of the prompt (R252). What is enforced stays so.

const prefix = 'DOCENT_PROMPT_';

export interface SectionSwitch {
  readonly isOn: boolean;
  /** The variable that decides, over the settings; null when they do. */
  readonly variable: string | null;
}

export interface SwitchPorts {
  readonly computer: Pick<Computer, 'variable'> | null;
  settings(): Pick<Settings, 'sectionsOff'>;
}

/** The variables that switch a section: of the part of the composition that it is, and of its own name. */
export function switchVariables(section: string): string[] {
  const keys = compositionKeys.filter((key) => includes(sectionsByKey[key], section));
  const own = section.replace(/-/g, '_');
  return [...new Set([...keys.map(switchName), own].map((name) => prefix + name.toUpperCase()))];
}

/** `0` and `false` switch off, `1` and `true` switch on, anything else leaves it to the settings. */
export function switchOf(section: string, ports: SwitchPorts): SectionSwitch {
  for (const variable of switchVariables(section)) {
    const { isSwitch, isDisabled } = resolveOverride(ports.computer?.variable(variable));
    if (isSwitch || isDisabled) return { isOn: isSwitch, variable };
  }
  return { isOn: !ports.settings().sectionsOff.includes(section), variable: null };
}

/** The sections that are on, in their order; of the others nothing is gathered. */
export function sectionsOn(sections: readonly Section[], ports: SwitchPorts): readonly Section[] {
  return sections.filter(({ id }) => switchOf(id, ports).isOn);
}

function includes(ids: (typeof sectionsByKey)[CompositionKey], section: string): boolean {
  return (ids as readonly string[]).includes(section);
}
