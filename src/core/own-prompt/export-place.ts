/** Where the system prompt is written to: the agent folder's exports, or a path of the user's (R043-R045, K9). */
import type { Computer } from '../ports/device';
import { type OverridePlace, placeOverride, resolveOverride } from '../prompt/override';
import type { Settings } from '../settings/settings';

export const exportVariable = 'DOCENT_WRITE_SYSTEM_MD';

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
