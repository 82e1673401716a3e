/** The text that "Copy diagnostics" puts on the clipboard: versions, settings, sizes and the last events, without secrets. */
import { redact } from '../base/redact';
import type { Settings } from '../settings/settings';
import type { EventLog } from './event-log';

export interface DiagnosticsInput {
  readonly pluginVersion: string;
  readonly appVersion: string;
  readonly platform: string;
  readonly settings: Settings;
  readonly notes: number;
  readonly log: EventLog;
  readonly secrets: readonly string[];
}

export function printDiagnostics(input: DiagnosticsInput): string {
  const { pluginVersion, appVersion, platform, settings, notes, log, secrets } = input;
  const lines = [
    `Docent ${pluginVersion}, app ${appVersion}, ${platform}, ${notes} notes`,
    '',
    JSON.stringify(settings, null, 2),
    '',
    ...log.events.map(({ time, area, words }) => `${new Date(time).toISOString()} ${area}: ${words}`),
  ];
  return `${redact(lines.join('\n'), secrets)}\n`;
}
