/**
 * The standard composition as a record of options, with one key for each part that can be turned off (R018-R020, R252).
 */
import { plansFolder } from '../library/agent-folder';
import type { Skill } from '../library/skills';
import { readingTools, toolNames } from '../markup/variables';
import type { Computer } from '../ports/device';
import type { PermissionMode } from '../settings/mode';
import type { Settings } from '../settings/settings';
import { offers, type TurnState } from './facts/turn-state';
import { resolveOverride } from './override';
import type { Section } from './section';

/** The section ids that each key turns on or off. */
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

/** Returns the name of a key's switch: its environment variable ends in this name in capitals (R252). */
export function switchName(key: CompositionKey): string {
  return key === 'gitRepo' ? 'git' : key.toLowerCase();
}

/** All parts are optional; a missing part is not sent (R019). */
export interface CompositionOptions {
  readonly preamble?: { readonly interactive: boolean };
  readonly coreMandates?: {
    readonly interactive: boolean;
    readonly modernModel: boolean;
    readonly hasSkills: boolean;
  };
  /** The list of subagents, as sent. */
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

type SkillOption = Pick<Skill, 'name' | 'description' | 'location'>;

/** Whether the user left a part turned on. */
export type Switches = (key: CompositionKey) => boolean;

const allOn: Switches = () => true;

/** Returns the part, or undefined if its guard fails or it is turned off; the factory is then not called (R018). */
export function withSection<Part>(
  key: CompositionKey,
  factory: () => Part,
  guard = true,
  isOn: Switches = allOn,
): Part | undefined {
  return guard && isOn(key) ? factory() : undefined;
}

/** Renders a part; a missing one renders as nothing (R018). */
export function renderPart<Part>(part: Part | undefined, render: (part: Part) => string): string {
  return part === undefined ? '' : render(part);
}

/** What the options are computed from. */
export interface CompositionInput {
  readonly state: TurnState;
  readonly skills: readonly SkillOption[];
  readonly subagentDirectory: string;
}

/** Applies the guards that hold regardless of the switches: skills, planning or primary, git (R253). */
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
        planModeToolsList: state.toolNames,
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

/** Returns the ids of the sections that are turned off; rules enforced in code stay enforced. */
export function sectionsSwitchedOff(isOn: Switches): ReadonlySet<string> {
  return new Set(compositionKeys.filter((key) => !isOn(key)).flatMap((key) => [...sectionsByKey[key]]));
}

const prefix = 'DOCENT_PROMPT_';

export interface SectionSwitch {
  readonly isOn: boolean;
  /** The variable that overrides the settings; null if the settings decide. */
  readonly variable: string | null;
}

export interface SwitchPorts {
  readonly computer: Pick<Computer, 'variable'> | null;
  settings(): Pick<Settings, 'sectionsOff'>;
}

/** Returns the variables for a section: that of its part of the composition, and that of its own name. */
export function switchVariables(section: string): string[] {
  const keys = compositionKeys.filter((key) => includes(sectionsByKey[key], section));
  const own = section.replace(/-/g, '_');
  return [...new Set([...keys.map(switchName), own].map((name) => prefix + name.toUpperCase()))];
}

/**
 * Returns whether the user or the environment turned a section off (R252). `0` and `false` turn it off, `1` and `true`
 * turn it on; any other value leaves it to the settings.
 */
export function switchOf(section: string, ports: SwitchPorts): SectionSwitch {
  for (const variable of switchVariables(section)) {
    const { isSwitch, isDisabled } = resolveOverride(ports.computer?.variable(variable));
    if (isSwitch || isDisabled) return { isOn: isSwitch, variable };
  }
  return { isOn: !ports.settings().sectionsOff.includes(section), variable: null };
}

/** Returns the sections that are on, in order; no facts are gathered for the others. */
export function sectionsOn(sections: readonly Section[], ports: SwitchPorts): readonly Section[] {
  return sections.filter(({ id }) => switchOf(id, ports).isOn);
}

function includes(ids: (typeof sectionsByKey)[CompositionKey], section: string): boolean {
  return (ids as readonly string[]).includes(section);
}
