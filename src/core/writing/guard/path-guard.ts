/**
 * Path guard: the only source of `VaultPath` values, and the vault layer that refuses all other paths (H1, H2; rules
 * 6.4).
 */
import { words } from '../../../text';
import { byteLength, startOf } from '../../base/cut';
import { foldPlace } from '../../base/fold';
import { remember } from '../../base/lazy';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { DiskVault, FileEntry, Vault } from '../../ports/vault';
import type { RealPaths, WriteGuard } from '../changeset/ports';

declare const guarded: unique symbol;

/** A path that passed the guard. */
export type VaultPath = string & { readonly [guarded]: true };

const maxPathLength = 1024;
/** Bytes of UTF-8. */
const maxSegmentLength = 240;
const maxVerdicts = 50_000;

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;
/** The 8.3 short name that Windows may give a folder, which opens even a folder that starts with a dot. */
const shortName = /^[^.]{1,6}~\d{1,6}(\.[^.]{0,3})?$/;
const encodedTrick = /%(2e|2f|5c|00)/i;
/** What most paths look like: every disk spells them in one way, and no part of them begins with a dot. */
const plainPath = /^\w[\w ()-]*(?:[./]\w[\w ()-]*)*$/;
const lone = new RegExp('[\\ud800-\\udfff]', 'u');

/**
 * Checks a path that may not exist yet.
 * @param configDir the folder of Obsidian's settings, refused in any spelling
 */
export function guardNewPath(path: unknown, configDir: string): Outcome<VaultPath> {
  if (typeof path !== 'string' || !staysInside(path, configDir)) return refuse(path);
  const segments = path.split('/');
  const strange = segments.some((segment) => hasForbiddenCharacter(segment) || isOddSegment(segment));
  const disguised = path.startsWith('~') || segments.slice(0, -1).some((folder) => shortName.test(folder));
  return strange || disguised ? refuse(path) : succeed(path as VaultPath);
}

/** Checks an indexed path: an exact match, or the only one that differs just in case or Unicode form. */
export function guardExistingPath(path: unknown, vault: Pick<Vault, 'file'>, configDir: string): Outcome<VaultPath> {
  const entry = guardIndexed(path, vault, (each) => staysInside(each, configDir));
  return entry.ok ? succeed(entry.value.path) : entry;
}

type GuardedEntry = FileEntry & { readonly path: VaultPath };

function guardIndexed(
  path: unknown,
  vault: Pick<Vault, 'file'>,
  isInside: (path: string) => boolean,
): Outcome<GuardedEntry> {
  if (typeof path !== 'string' || !isInside(path)) return refuse(path);
  const entry = vault.file(path);
  if (entry === undefined) return fail(missing(path));
  return entry.path === path || isInside(entry.path) ? succeed(entry as GuardedEntry) : refuse(path);
}

/** Returns a view of the vault that reads only indexed paths inside it. */
export function guardPaths(vault: DiskVault, configDir: string): DiskVault {
  const isInside = remember(maxVerdicts, (path: string) => staysInside(path, configDir));
  const guard = (path: string): Outcome<GuardedEntry> => guardIndexed(path, vault, isInside);
  const find = (path: string): FileEntry | undefined => {
    const checked = guard(path);
    return checked.ok ? checked.value : undefined;
  };
  return {
    name: vault.name,
    files: () => vault.files(),
    folders: () => vault.folders(),
    file: find,
    read: async (path, signal) => {
      const checked = guard(path);
      return checked.ok ? vault.read(checked.value.path, signal) : checked;
    },
    readBytes: async (path) => {
      const checked = guard(path);
      return checked.ok ? vault.readBytes(checked.value.path) : checked;
    },
    outline: (path) => {
      const entry = find(path);
      return entry && vault.outline(entry.path);
    },
    tags: (path) => {
      const entry = find(path);
      return entry && vault.tags(entry.path);
    },
    backlinks: (path) => {
      const entry = find(path);
      return entry ? vault.backlinks(entry.path) : [];
    },
    resolveLink: (linkText, fromPath) => {
      const target = vault.resolveLink(linkText, fromPath);
      return target === undefined ? undefined : find(target)?.path;
    },
  };
}

/**
 * Whether a path that Docent once recorded names something that the app lists: what is outside of the vault, or in a
 * folder that starts with a dot, comes from a forged record.
 */
export function isListedPlace(path: string): boolean {
  return !/(?:^|[\\/])\./.test(foldPlace(path));
}

/** Whether a path stays inside the vault and out of dot-folders and Obsidian's settings, in any spelling. */
function staysInside(path: string, configDir: string): boolean {
  if (path === '' || path.length > maxPathLength) return false;
  if (plainPath.test(path) && configDir.startsWith('.')) return true;
  if (lone.test(path)) return false;
  if (path.includes('\\') || path.includes('\0') || encodedTrick.test(path)) return false;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return false;
  const segments = path.split('/');
  if (segments.some((segment) => /^(?:\.|$)/.test(foldPlace(segment)))) return false;
  return foldName(segments[0] ?? '') !== foldName(configDir);
}

function foldName(name: string): string {
  return foldPlace(name.normalize('NFKC')).replace(/[. ]+$/, '');
}

function hasForbiddenCharacter(segment: string): boolean {
  for (const character of segment) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
    if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return true;
    if (code === 0x200b || code === 0x2060 || code === 0xfeff) return true;
  }
  return /[:*?"<>|]/.test(segment) || hasUnseenCharacter(segment);
}

/** A joiner between letters of a script that needs it, or inside an emoji. */
const neededJoiner =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{M}][\u200c\u200d](?=[\p{L}\p{M}])|(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})\u200d(?=\p{Extended_Pictographic})/gu;
/** The flags of England, Scotland, and Wales, which consist of tag characters. */
const regionFlag = /\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;
const unseen =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/u;

/** Whether a name contains a character that nobody sees, so that it looks like another name. */
function hasUnseenCharacter(segment: string): boolean {
  if (!/[^\x20-\x7e]/.test(segment)) return false;
  const seen = segment.replace(neededJoiner, '').replace(regionFlag, '');
  return unseen.test(seen.replace(/(?:\p{Emoji}|[\u4e00-\u9fff])(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/gu, ''));
}

function isOddSegment(segment: string): boolean {
  return /[.\p{Zs}]$/u.test(segment) || deviceName.test(segment) || byteLength(segment) > maxSegmentLength;
}

function refuse(path: unknown): Outcome<never> {
  const shown = typeof path === 'string' ? startOf(path, 80) : typeof path;
  return fail({ kind: 'refused', words: words.failures.pathRefused(shown), remedy: words.failures.pathRefusedRemedy });
}

function missing(path: string): Failure {
  return { kind: 'not-found', words: words.failures.noteMissing(path), remedy: words.failures.noteMissingRemedy };
}

// Writable paths: which files the agent may create or change, by path, hiding rules, and file type.

/** File types whose text the agent may write (design 9). */
const writable = /\.(?:md|canvas|csv|txt|base)$/i;

export function isWritableKind(path: string): boolean {
  return writable.test(path);
}

/**
 * Checks a path for a new file.
 * @param isHidden whether the user hides a path from the agent
 */
export function guardWritablePath(
  path: unknown,
  configDir: string,
  isHidden: (path: string) => boolean,
): Outcome<string> {
  const guarded = guardNewPath(path, configDir);
  if (!guarded.ok) return guarded;
  if (!isHidden(guarded.value)) return succeed(guarded.value);
  return fail({
    kind: 'refused',
    words: words.failures.pathHidden(guarded.value),
    remedy: words.failures.pathHiddenRemedy,
  });
}

/** Fails for a file type that the agent may not write. */
export function checkKind(path: string): Outcome<void> {
  if (isWritableKind(path)) return succeed(undefined);
  return fail({ kind: 'refused', words: words.writing.kindRefused(path), remedy: words.writing.kindRefusedRemedy });
}

export function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

// The check right before a write: the path rules again, and on desktop the real path behind links (6.4).

/**
 * @param realPaths null on a device whose file system has no links
 * @param whole the vault with what is hidden from the agent, in which the user takes writes back
 */
export function createWriteGuard(
  vault: Pick<Vault, 'file'>,
  configDir: string,
  realPaths: RealPaths | null,
  whole = vault,
): WriteGuard {
  const really = (path: string): Promise<Outcome<void>> =>
    realPaths === null ? Promise.resolve(succeed(undefined)) : checkRealPath(path, realPaths);
  return {
    // A path that only resembles an indexed one is not the approved path.
    existing: async (path, isBack = false) => {
      const guarded = guardExistingPath(path, isBack ? whole : vault, configDir);
      if (!guarded.ok) return guarded;
      return guarded.value === path ? really(path) : refuseWrite(path);
    },
    fresh: async (path, isBack = false) => {
      const guarded = isBack && staysInside(path, configDir) ? succeed(path) : guardNewPath(path, configDir);
      return guarded.ok ? really(path) : guarded;
    },
  };
}

/** Refuses a path whose deepest existing part is outside the vault, such as behind a symbolic link. */
export async function checkRealPath(path: string, realPaths: RealPaths): Promise<Outcome<void>> {
  const root = await realPaths.realPath('');
  if (root === null) return refuseWrite(path);
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('/')))) {
    const real = await realPaths.realPath(part);
    if (real !== null) return isWithin(real, root) ? succeed(undefined) : refuseWrite(path);
  }
  return succeed(undefined);
}

function isWithin(path: string, root: string): boolean {
  const [inner, outer] = [path.replace(/\\/g, '/'), root.replace(/\\/g, '/').replace(/\/$/, '')];
  return inner === outer || inner.startsWith(`${outer}/`);
}

function refuseWrite(path: string): Outcome<never> {
  return fail({
    kind: 'refused',
    words: words.writing.leadsOut(startOf(path, 80)),
    remedy: words.writing.leadsOutRemedy,
  });
}
