/** Write places: which paths the agent may make or change, by guard, fence and kind of file. */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';
import { guardNewPath } from './path-guard';

/** Kinds of file whose text the agent may write (design 9). */
const writable = /\.(?:md|canvas|csv|txt|base)$/i;

export function isWritableKind(path: string): boolean {
  return writable.test(path);
}

/**
 * A path for a new file.
 * @param isKept whether the user keeps a path from the agent
 */
export function guardPlace(path: unknown, configDir: string, isKept: (path: string) => boolean): Outcome<string> {
  const guarded = guardNewPath(path, configDir);
  if (!guarded.ok) return guarded;
  if (!isKept(guarded.value)) return succeed(guarded.value);
  return fail({
    kind: 'refused',
    words: words.failures.pathHidden(guarded.value),
    remedy: words.failures.pathHiddenRemedy,
  });
}

/** What the agent may write, or why not. */
export function checkKind(path: string): Outcome<void> {
  if (isWritableKind(path)) return succeed(undefined);
  return fail({ kind: 'refused', words: words.writing.kindRefused(path), remedy: words.writing.kindRefusedRemedy });
}

export function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
