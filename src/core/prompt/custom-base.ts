/** The user's own system prompt: where it stands, and what a request does when it is not there (R027-R034, R041, K8). */
import { words } from '../../text';
import type { OwnText } from '../markup/markup';
import type { Computer } from '../ports/device';
import { describeFailure, type Failure, type FailureAction, fail, type Outcome, succeed } from '../ports/failure';
import type { Settings } from '../settings/settings';
import { ownText } from './own-text';
import { type OverridePlace, placeOverride, resolveOverride } from './resolve-override';
import type { World } from './world';

export const overrideVariable = 'DOCENT_SYSTEM_MD';

export interface Override {
  readonly place: OverridePlace;
  /** Whether the environment says so, which the settings cannot change. */
  readonly fromEnvironment: boolean;
}

export interface OverridePorts {
  readonly computer: Computer | null;
  settings(): Pick<Settings, 'systemPrompt' | 'systemPromptPath'>;
  agentFolder(): string;
  /** Whether the user agreed to the use of this file outside the vault. */
  allowsOutside(path: string): boolean;
}

export function defaultOverridePath(agentFolder: string): string {
  return `${agentFolder}/system.md`;
}

/** The environment comes before the settings. */
export function findOverride({ computer, settings, agentFolder }: Omit<OverridePorts, 'allowsOutside'>): Override {
  const variable = resolveOverride(computer?.variable(overrideVariable));
  const fromEnvironment = variable.value !== null;
  const resolved = fromEnvironment ? variable : resolveOverride(writtenIn(settings()));
  return { place: placeOverride(resolved, defaultOverridePath(agentFolder()), computer), fromEnvironment };
}

function writtenIn({ systemPrompt, systemPromptPath }: ReturnType<OverridePorts['settings']>): string {
  return systemPrompt === 'path' ? systemPromptPath : String(systemPrompt === 'default');
}

/** Null without an override; an override that cannot be read is a failure, and nothing may be sent. */
export async function readCustomBase(
  ports: OverridePorts,
  world: World,
  signal: AbortSignal,
): Promise<Outcome<OwnText | null>> {
  const override = findOverride(ports);
  if (override.place.kind === 'off') return succeed(null);
  const read = await readOverride(override, ports, world, signal);
  return read.ok ? succeed(ownText(read.value, world)) : read;
}

/** The override's text as it stands on disk. */
export async function readOverride(
  { place, fromEnvironment }: Override,
  { computer, allowsOutside }: Pick<OverridePorts, 'computer' | 'allowsOutside'>,
  { vault, readNote }: Pick<World, 'vault' | 'readNote'>,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const blocked = (failure: Pick<Failure, 'words' | 'remedy'>, ...actions: FailureAction[]): Outcome<never> =>
    fail({ kind: 'configuration', ...failure, actions: [...actions, ...(fromEnvironment ? [] : [turnOff]), 'retry'] });
  if (place.kind === 'off') return blocked({ words: say.off, remedy: '' });
  const { path } = place;
  const remedy = fromEnvironment ? say.remedyEnvironment(overrideVariable) : say.remedy;
  if (!/\.md$/i.test(path)) return blocked({ words: say.notMarkdown(path), remedy });
  if (place.kind === 'vault') {
    if (vault.file(path) === undefined) return blocked({ words: say.missing(path), remedy }, createIt);
    const read = await readNote(path, signal);
    if (read.ok) return succeed(read.value.text);
    if (read.failure.kind === 'aborted') return read;
    return blocked({ words: say.unreadable(path, describeFailure(read.failure)), remedy });
  }
  if (computer === null) return blocked({ words: say.missing(path), remedy });
  if (!allowsOutside(path)) return blocked({ words: say.notAllowed(path), remedy: say.notAllowedRemedy }, allowIt);
  const read = await computer.read(path);
  if (read.ok) return succeed(read.value);
  if (read.failure.kind === 'not-found') return blocked({ words: say.missing(path), remedy }, createIt);
  return blocked({ words: say.unreadable(path, describeFailure(read.failure)), remedy });
}

const say = words.ownPrompt;
const createIt: FailureAction = 'create-system-prompt';
const turnOff: FailureAction = 'turn-off-system-prompt';
const allowIt: FailureAction = 'allow-outside-file';
