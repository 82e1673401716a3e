/**
 * Exports a system prompt to a file, with confirmation for files outside the vault and before another file is replaced
 * (R043-R046).
 */
import { words } from '../../text';
import type { Content } from '../markup/markup';
import { toolNames } from '../markup/variables';
import type { Computer, DeviceStorage, Digest } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import { sectionsByKey } from '../prompt/composition-options';
import { type OverridePlace, placeOverride, resolveOverride } from '../prompt/override';
import type { ProvidedPrompt } from '../prompt/provide-prompt';
import { factsFor, type Section } from '../prompt/section';
import { modeTemplateSection } from '../prompt/sections/mode';
import { SystemPromptBuilder } from '../prompt/system-prompt-builder';
import type { Settings } from '../settings/settings';
import { mayUse, type PlacePorts, readText, type TextPlace, writeText } from './text-files';

export interface ExportPorts extends PlacePorts {
  readonly device: DeviceStorage;
  readonly digest: Digest;
  /** Asks whether this file outside the vault may be written. */
  confirmOutside(path: string): Promise<boolean>;
  /** Asks whether the existing file may be replaced. */
  confirmOverwrite(path: string): Promise<boolean>;
  /** Asks, if a note would run or load something that it did not before, whether it may be written. */
  confirmActive(path: string, before: string, after: string): Promise<boolean>;
}

export interface Exported {
  readonly path: string;
  /** False if the user chose to keep the existing file. */
  readonly isWritten: boolean;
}

/**
 * Writes the text to the file, after the confirmations it needs.
 * @param trustsOwn whether a file that is unchanged since Docent wrote it may be replaced without asking
 */
export async function exportPrompt(
  place: TextPlace,
  text: string,
  ports: ExportPorts,
  trustsOwn = false,
): Promise<Outcome<Exported>> {
  const { path } = place;
  const keep: Outcome<Exported> = succeed({ path, isWritten: false });
  if (!(await mayUse(place, ports))) return keep;
  const there = await readText(place, ports);
  if (!there.ok) return there;
  if (there.value === text) return succeed({ path, isWritten: true });
  const isOwn = trustsOwn && there.value !== null && ports.device.get(writtenKey(path)) === ports.digest(there.value);
  if (there.value !== null && !isOwn && !(await ports.confirmOverwrite(path))) return keep;
  if (!(await mayRun(place, there.value, text, ports))) return keep;
  const now = await readText(place, ports);
  if (!now.ok) return now;
  // What was confirmed is the replacement of another text: the file has changed since it was read.
  if (now.value !== there.value) return exportPrompt(place, text, ports, trustsOwn);
  const written = await writeText(place, text, ports);
  if (!written.ok) return written;
  ports.device.set(writtenKey(path), ports.digest(text));
  return succeed({ path, isWritten: true });
}

function mayRun({ kind, path }: TextPlace, before: string | null, text: string, ports: ExportPorts): Promise<boolean> {
  return kind === 'vault' ? ports.confirmActive(path, before ?? '', text) : Promise.resolve(true);
}

function writtenKey(path: string): string {
  return `exported ${path}`;
}

export const exportVariable = 'DOCENT_WRITE_SYSTEM_MD';

/** Where the system prompt is exported to: the agent folder's exports, or a path of the user's (R043-R045, K9). */
export interface ExportPlace {
  readonly place: Exclude<OverridePlace, { readonly kind: 'off' }>;
  /** Whether each turn exports its system prompt there. */
  readonly isAutomatic: boolean;
  readonly fromEnvironment: boolean;
}

export interface ExportPlacePorts {
  readonly computer: Computer | null;
  settings(): Pick<Settings, 'promptExport' | 'promptExportPath'>;
  agentFolder(): string;
}

/** Returns a path that differs from the one an override is read from (K9). */
export function defaultExportPath(agentFolder: string): string {
  return `${agentFolder}/exports/system.md`;
}

/** Resolves the export path. The environment overrides the settings; an unusable path falls back to the default. */
export function findExportPlace(ports: ExportPlacePorts): ExportPlace {
  const { computer } = ports;
  const { promptExport, promptExportPath } = ports.settings();
  const variable = resolveOverride(computer?.variable(exportVariable));
  const fromEnvironment = variable.value !== null;
  const written = promptExport === 'path' ? promptExportPath : String(promptExport === 'default');
  const fallback = defaultExportPath(ports.agentFolder());
  const place = placeOverride(fromEnvironment ? variable : resolveOverride(written), fallback, computer);
  if (place.kind === 'off') return { place: { kind: 'vault', path: fallback }, isAutomatic: false, fromEnvironment };
  return { place, isAutomatic: true, fromEnvironment };
}

/** Replacements for sections whose text is a variable, by section id. */
const variables = new Map<string, string>([
  ...sectionsByKey.agentSkills.map((id): [string, string] => [id, '${AgentSkills}']),
  ...sectionsByKey.agentContexts.map((id): [string, string] => [id, '${SubAgents}']),
]);

/**
 * Returns the base prompt as a note that can replace it: headings for Docent's tags, variables for tool names (R043,
 * R046). Contains everything that a custom base would replace; a custom base is returned as written.
 */
export function exportTemplate({ sections, facts }: Pick<ProvidedPrompt, 'sections' | 'facts'>): string {
  const base = sections.filter(({ zone, afterBase }) => zone === 'instructions' && afterBase !== true);
  const parts = base.map((section) => {
    const own = factsFor(section, facts);
    const variable = variables.get(section.id);
    if (!section.when(own)) return variable ?? '';
    const text = variable ?? plainText(section.full(own));
    return section === modeTemplateSection ? text : `# ${headingOf(section)}\n\n${text}`;
  });
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Returns the whole prompt as one text, in the order of a prompt without a history (R022, R046, R144). */
export function exportResolved({ sections, facts }: Pick<ProvidedPrompt, 'sections' | 'facts'>): string {
  return new SystemPromptBuilder(() => Promise.resolve('')).compose({ sections, facts });
}

function headingOf({ id }: Section): string {
  return words.sections[id]?.name ?? id;
}

/**
 * Returns the text without markup. Tool names become variables in Docent's texts; the user's own text stays as written.
 */
function plainText(content: Content): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return withVariables(part);
      return 'own' in part ? (part.template ?? part.own) : plainText(part.children);
    })
    .join('');
}

/** Names of one word, such as `remember`, cannot be distinguished from the ordinary word. */
const names = Object.values<string>(toolNames).filter((name) => name.includes('_'));
const named = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');

function withVariables(text: string): string {
  return text.replace(named, (name) => `\${ToolName_${name}}`);
}
