/** Puts a system prompt into a file: asked for outside the vault, and asked before something else is replaced (R043-R046). */
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
import type { Settings } from '../settings/settings';
import { allowOutside, allowsOutside, type PlacePorts, readText, type TextPlace, writeText } from './text-files';

export interface ExportPorts extends PlacePorts {
  readonly device: DeviceStorage;
  readonly digest: Digest;
  /** Whether this file outside the vault may be written. */
  confirmOutside(path: string): Promise<boolean>;
  /** Whether what stands there may be replaced. */
  confirmOverwrite(path: string): Promise<boolean>;
}

export interface Exported {
  readonly path: string;
  /** False when the user wanted what stood there to stay. */
  readonly isWritten: boolean;
}

/** @param trustsOwn whether a file that is still as Docent wrote it may be replaced without asking */
export async function exportPrompt(
  place: TextPlace,
  text: string,
  ports: ExportPorts,
  trustsOwn = false,
): Promise<Outcome<Exported>> {
  const { path } = place;
  const keep: Outcome<Exported> = succeed({ path, isWritten: false });
  if (place.kind === 'outside' && !allowsOutside(ports.device, path)) {
    if (!(await ports.confirmOutside(path))) return keep;
    allowOutside(ports.device, path);
  }
  const there = await readText(place, ports);
  if (!there.ok) return there;
  if (there.value === text) return succeed({ path, isWritten: true });
  const isOwn = trustsOwn && there.value !== null && ports.device.get(writtenKey(path)) === ports.digest(there.value);
  if (there.value !== null && !isOwn && !(await ports.confirmOverwrite(path))) return keep;
  const written = await writeText(place, text, ports);
  if (!written.ok) return written;
  ports.device.set(writtenKey(path), ports.digest(text));
  return succeed({ path, isWritten: true });
}

function writtenKey(path: string): string {
  return `exported ${path}`;
}

export const exportVariable = 'DOCENT_WRITE_SYSTEM_MD';

/** Where the system prompt is written to: the agent folder's exports, or a path of the user's (R043-R045, K9). */
export interface ExportPlace {
  readonly place: Exclude<OverridePlace, { readonly kind: 'off' }>;
  /** Whether each turn writes its system prompt there. */
  readonly isAutomatic: boolean;
  readonly fromEnvironment: boolean;
}

export interface ExportPlacePorts {
  readonly computer: Computer | null;
  settings(): Pick<Settings, 'promptExport' | 'promptExportPath'>;
  agentFolder(): string;
}

/** Apart from where an override is read (K9). */
export function defaultExportPath(agentFolder: string): string {
  return `${agentFolder}/exports/system.md`;
}

/** The environment comes before the settings; a path that cannot be followed gives way to the default one. */
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

// Writes the base prompt as a note that can stand in its place: headings for our tags, variables for names (R043, R046).

/** What stands for a section whose text is a variable, by its id. */
const variables = new Map<string, string>([
  ...sectionsByKey.agentSkills.map((id): [string, string] => [id, '${AgentSkills}']),
  ...sectionsByKey.agentContexts.map((id): [string, string] => [id, '${SubAgents}']),
]);

/** All that a base of the user's own would replace; such a base comes back as it is written. */
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

function headingOf({ id }: Section): string {
  return words.sections[id]?.name ?? id;
}

/** Without markup. Names of tools become variables in our own texts, which a user's text has as it wants them. */
function plainText(content: Content): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return withVariables(part);
      return 'own' in part ? part.own : plainText(part.children);
    })
    .join('');
}

/** Names of one word, such as `remember`, cannot be told from the word itself. */
const names = Object.values<string>(toolNames).filter((name) => name.includes('_'));
const named = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');

function withVariables(text: string): string {
  return text.replace(named, (name) => `\${ToolName_${name}}`);
}
