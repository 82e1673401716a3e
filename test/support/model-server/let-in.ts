/**
 * What a device stores once its user allowed the instruction files of a vault there, for walks that are about something
 * else. A user's device begins without it: every file waits.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { foldPlace } from '../../../src/core/base/fold';
import { settingsFile } from '../../../src/core/writing/guard/instruction-places';

/** The name in the storage of the device. */
export const letInKey = 'docent-let-in';

const directing =
  /(?:^|\/)(?:modes|prompts|workspaces|skills|subagents)\/|(?:^|\/)(?:agents|claude|skill|memory|commit|compaction|system[^/]*)\.(?:md|txt)$/;

/** Whether a file directs the agent, by its place or because the settings name it. */
function isDirecting(name: string, named: readonly string[]): boolean {
  const place = foldPlace(name);
  if (name === settingsFile) return true;
  const names = named.map((each) => foldPlace(each.replace(/^\.\//, '')));
  return directing.test(place) || names.some((each) => place === each || place.endsWith(`/${each}`));
}

type Settings = Readonly<Record<string, unknown>>;

/** Returns the record with these files and settings, as far as they direct the agent; null if nothing does. */
export function letIn(files: Readonly<Record<string, string>>, settings: Settings = {}): string | null {
  const named = namedIn(settings);
  const entries = Object.entries({ ...files, ...textIn(settings) })
    .filter(([name]) => isDirecting(name, named))
    .map(([name, text]) => {
      const hash = createHash('sha256')
        .update(text.replace(/^\ufeff/, ''), 'utf8')
        .digest('hex');
      return [foldPlace(name), { hash, text: null }] as const;
    });
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

/** Returns the record for all files of a vault's folder, by its name on the device. */
export function letInFolder(folder: string, settings: Settings = {}): Record<string, string> {
  const named = namedIn(settings);
  const files: Record<string, string> = {};
  const visit = (inner: string): void => {
    for (const item of readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = inner === '' ? item.name : `${inner}/${item.name}`;
      if (item.name.startsWith('.')) continue;
      if (item.isDirectory()) visit(name);
      else if (isDirecting(name, named)) files[name] = readFileSync(path.join(folder, name), 'utf8');
    }
  };
  visit('');
  return { [letInKey]: letIn(files, settings) ?? '{}' };
}

/** Returns the files that the settings name. */
function namedIn({ contextFiles, systemPromptPath }: Settings): string[] {
  return [contextFiles, systemPromptPath].flat().filter((name): name is string => typeof name === 'string');
}

/** Returns what the settings say to the model, as the file by which it is asked about. */
function textIn({ agentName, additionalInstructions }: Settings): Record<string, string> {
  const texts = [typeof agentName === 'string' ? `name: ${agentName}` : '', additionalInstructions];
  const text = texts.filter((each) => typeof each === 'string' && each.trim() !== '').join('\n\n');
  return text === '' ? {} : { [settingsFile]: text };
}
