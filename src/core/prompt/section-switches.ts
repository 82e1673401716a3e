/** Switches of sections: what the user or the environment has left out of the prompt (R252). What is enforced stays so. */
import type { Computer } from '../ports/device';
import type { Settings } from '../settings/settings';
import { type CompositionKey, compositionKeys, sectionsByKey, switchName } from './composition-options';
import { resolveOverride } from './resolve-override';
import type { Section } from './section';

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
