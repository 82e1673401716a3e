/** The user's own system prompt: where it is, and how a request fails if it is missing (R027-R034, R041, K8). */
import { words } from '../../text';
import type { OwnText } from '../markup/markup';
import type { Computer } from '../ports/device';
import { describeFailure, type Failure, type FailureAction, fail, type Outcome, succeed } from '../ports/failure';
import type { Settings } from '../settings/settings';
import { isBroken, ownText } from './user-text';
import type { World } from './world';

export const overrideVariable = 'DOCENT_SYSTEM_MD';

const say = words.ownPrompt;

const createIt: FailureAction = 'create-system-prompt';
const turnOff: FailureAction = 'turn-off-system-prompt';
const letIn: FailureAction = 'review-instructions';
const allowIt: FailureAction = 'allow-outside-file';

export interface Override {
  readonly place: OverridePlace;
  /** Whether the environment sets it, which settings cannot change. */
  readonly fromEnvironment: boolean;
}

export interface OverridePorts {
  readonly computer: Computer | null;
  settings(): Pick<Settings, 'systemPrompt' | 'systemPromptPath'>;
  agentFolder(): string;
  /** Whether the user allowed this file outside the vault. */
  allowsOutside(path: string): boolean;
}

export function defaultOverridePath(agentFolder: string): string {
  return `${agentFolder}/system.md`;
}

/** Resolves the override; the environment takes precedence over the settings. */
export function findOverride({ computer, settings, agentFolder }: Omit<OverridePorts, 'allowsOutside'>): Override {
  const variable = resolveOverride(computer?.variable(overrideVariable));
  const fromEnvironment = variable.value !== null;
  const resolved = fromEnvironment ? variable : resolveOverride(writtenIn(settings()));
  return { place: placeOverride(resolved, defaultOverridePath(agentFolder()), computer), fromEnvironment };
}

function writtenIn({ systemPrompt, systemPromptPath }: ReturnType<OverridePorts['settings']>): string {
  return systemPrompt === 'path' ? systemPromptPath : String(systemPrompt === 'default');
}

/**
 * Resolves to null without an override, and if it is a template with a mistake in it, which the diagnostics report. An
 * override that cannot be read is a failure, and nothing may be sent.
 */
export async function readCustomBase(
  ports: OverridePorts,
  world: World,
  signal: AbortSignal,
): Promise<Outcome<OwnText | null>> {
  const override = findOverride(ports);
  if (override.place.kind === 'off') return succeed(null);
  const read = await readOverride(override, ports, world, signal);
  if (!read.ok) return read;
  return succeed(isBroken(read.value) ? null : await ownText(read.value, world, signal));
}

/** Reads the override's text from disk. */
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
    const read = await readNote(path, signal);
    if (read.ok) return succeed(read.value.text);
    if (read.failure.kind === 'aborted') return read;
    if (read.failure.action === letIn) return blocked({ words: say.waits(path), remedy: say.waitsRemedy }, letIn);
    if (vault.file(path) === undefined) return blocked({ words: say.missing(path), remedy }, createIt);
    return blocked({ words: say.unreadable(path, describeFailure(read.failure)), remedy });
  }
  if (computer === null) return blocked({ words: say.missing(path), remedy });
  if (!allowsOutside(path)) return blocked({ words: say.notAllowed(path), remedy: say.notAllowedRemedy }, allowIt);
  const read = await computer.read(path);
  if (read.ok) return succeed(read.value);
  if (read.failure.kind === 'not-found') return blocked({ words: say.missing(path), remedy }, createIt);
  return blocked({ words: say.unreadable(path, describeFailure(read.failure)), remedy });
}

export interface ResolvedOverride {
  /** A path as written, `true`, `false`, or null if empty; surrounding whitespace is ignored. */
  readonly value: string | null;
  /** Whether the default file is used. */
  readonly isSwitch: boolean;
  readonly isDisabled: boolean;
}

/** Interprets the value of a setting or an environment variable (R027-R033). */
export function resolveOverride(written: string | null | undefined): ResolvedOverride {
  const value = written?.trim() ?? '';
  switch (value.toLowerCase()) {
    case '':
      return { value: null, isSwitch: false, isDisabled: false };
    case '1':
    case 'true':
      return { value: 'true', isSwitch: true, isDisabled: false };
    case '0':
    case 'false':
      return { value: 'false', isSwitch: false, isDisabled: true };
    default:
      return { value, isSwitch: false, isDisabled: false };
  }
}

/** Why a path cannot be used, so that it counts as not set. */
type OverrideWarning = 'no-home' | 'only-on-desktop';

export type OverridePlace =
  | { readonly kind: 'off'; readonly warning?: OverrideWarning; readonly written?: string }
  /** A path inside the vault. */
  | { readonly kind: 'vault'; readonly path: string }
  /** An absolute path on the computer. */
  | { readonly kind: 'outside'; readonly path: string };

/** Folders of the computer; not available on mobile. */
export interface ComputerFolders {
  /** Absolute, null when unknown. */
  readonly home: string | null;
  /** Absolute, null when unknown. */
  readonly vaultRoot: string | null;
}

/**
 * Resolves a value to off, the default file, or a path. Relative paths start at the vault's root (R031). Paths that
 * lead out of the vault, the home folder, and absolute paths work only on a computer (R029, R030).
 * @param defaultPath inside the vault, used for `true`
 */
export function placeOverride(
  { value, isSwitch, isDisabled }: ResolvedOverride,
  defaultPath: string,
  computer: ComputerFolders | null,
): OverridePlace {
  if (value === null || isDisabled) return { kind: 'off' };
  if (isSwitch) return { kind: 'vault', path: defaultPath };
  const path = withSlashes(value);
  if (isHome(path) || isAbsolute(path)) {
    if (computer === null) return { kind: 'off', warning: 'only-on-desktop', written: value };
    if (isAbsolute(path)) return insideOrOutside(path, computer);
    if (computer.home === null) return { kind: 'off', warning: 'no-home', written: value };
    return insideOrOutside(withSlashes(computer.home) + path.slice(1), computer);
  }
  const inside = joinPath(path);
  if (inside !== null) return { kind: 'vault', path: inside };
  const root = computer?.vaultRoot ?? null;
  if (computer === null || root === null) return { kind: 'off', warning: 'only-on-desktop', written: value };
  return insideOrOutside(`${withSlashes(root)}/${path}`, computer);
}

/**
 * Converts Windows backslashes to slashes. Only in an absolute path of another system is one part of a name: Obsidian
 * has no such names in a vault.
 */
function withSlashes(path: string): string {
  return isHome(path) || path.startsWith('/') ? path : path.replace(/\\/g, '/');
}

function isHome(path: string): boolean {
  return path === '~' || path.startsWith('~/');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:\//i.test(path);
}

function insideOrOutside(absolute: string, { vaultRoot }: ComputerFolders): OverridePlace {
  const drive = /^([a-z]:)?\/+/i.exec(absolute)?.[0] ?? '/';
  const path = drive + (joinPath(absolute.slice(drive.length)) ?? '');
  const root = vaultRoot === null ? null : withSlashes(vaultRoot).replace(/\/+$/, '');
  // Windows takes drive and folders in any case.
  const spell = (text: string): string => (drive.includes(':') ? text.toLowerCase() : text);
  if (root !== null && root !== '' && spell(path.slice(0, root.length + 1)) === spell(`${root}/`)) {
    return { kind: 'vault', path: path.slice(root.length + 1) };
  }
  return { kind: 'outside', path };
}

/** Resolves `.` and `..`; returns null if the path leads above its start. */
function joinPath(path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}
