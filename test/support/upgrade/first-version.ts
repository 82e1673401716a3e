/**
 * A vault that was used for a while with version 0.1.0 of the plugin, written by that version itself: its settings,
 * chats, journal, prompts, and what its device stored.
 */
import { createHash } from 'node:crypto';
import stored from './first-version.json';

export interface UsedChat {
  readonly name: string;
  /** The messages of its user, in order. */
  readonly questions: readonly string[];
  /** How the last line of each answer began. */
  readonly endings: readonly string[];
}

interface FirstVersion {
  readonly files: Readonly<Record<string, string>>;
  /** What it stored on the device, by key, in a vault of the name “vault”. */
  readonly device: Readonly<Record<string, string>>;
  /** The notes before the changes that it applied, and after them. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly chats: readonly UsedChat[];
}

export const settingsFile = '.obsidian/plugins/docent/data.json';
const samples: FirstVersion = stored;

/** Returns the samples with a journal that was written now: older copies may be removed at any time. */
export function firstVersion(now = Date.now()): FirstVersion {
  const files = Object.entries(samples.files).map(([file, text]): [string, string] => [
    file,
    file.includes('/journal/log/') ? text.replace(/.+/g, (line) => withTime(line, now)) : text,
  ]);
  return { ...samples, files: Object.fromEntries(files) };
}

/** A line ends with a checksum of what is before it. */
function withTime(line: string, now: number): string {
  const json = line.replace(/,"c":"\w+"}$/, '}').replace(/"time":\d+/, `"time":${now}`);
  const sum = createHash('sha256').update(json, 'utf8').digest('hex').slice(0, 16);
  return `${json.slice(0, -1)},"c":"${sum}"}`;
}
