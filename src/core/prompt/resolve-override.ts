/** Resolves where a text that replaces or receives the system prompt stands: off, a default file, or a path (R027-R033). */

export interface ResolvedOverride {
  /** A path as it was written, `true`, `false`, or null for nothing; blanks around it do not count. */
  readonly value: string | null;
  /** Whether the default file is meant. */
  readonly isSwitch: boolean;
  readonly isDisabled: boolean;
}

/** What a setting or an environment variable says. */
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

/** Why a path cannot be followed, so that it counts as not set. */
export type OverrideWarning = 'no-home' | 'only-on-desktop';

export type OverridePlace =
  | { readonly kind: 'off'; readonly warning?: OverrideWarning; readonly written?: string }
  /** A path inside the vault. */
  | { readonly kind: 'vault'; readonly path: string }
  /** An absolute path of the computer. */
  | { readonly kind: 'outside'; readonly path: string };

/** Where the vault stands on a computer; null on a phone. */
export interface ComputerFolders {
  /** Absolute, null when unknown. */
  readonly home: string | null;
  /** Absolute, null when unknown. */
  readonly vaultRoot: string | null;
}

/**
 * Relative paths count from the vault's root (R031); those that lead out of it, the home folder and absolute paths are
 * for a computer alone (R029, R030).
 * @param defaultPath inside the vault, meant by the switch
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

/** What Windows writes with backslashes; elsewhere a backslash is part of a name. */
function withSlashes(path: string): string {
  return /^(~?\\|\.{1,2}\\|[a-z]:)/i.test(path) ? path.replace(/\\/g, '/') : path;
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
  if (root !== null && root !== '' && path.startsWith(`${root}/`)) {
    return { kind: 'vault', path: path.slice(root.length + 1) };
  }
  return { kind: 'outside', path };
}

/** Without `.` and `..`; null when the path leads above where it begins. */
function joinPath(path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}
