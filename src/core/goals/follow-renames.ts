/** Artifacts follow their files: the events that a chat needs when files or folders got new paths (R116). */
import type { GoalEvent } from '../session/goal-entry';
import type { Goals } from './goal-state';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Nothing for renames that touch no artifact, so that most chats write nothing. */
export function eventsOfRenames({ list }: Goals, renames: readonly Rename[]): GoalEvent[] {
  const paths = list.flatMap(({ artifacts }) => artifacts.map(({ path }) => path));
  const pathsAt = (from: string): string[] => paths.filter((path) => path === from || path.startsWith(`${from}/`));
  return renames.flatMap(({ from, to }) => {
    const known = pathsAt(from);
    if (known.length === 0) return [];
    paths.push(...known.map((path) => to + path.slice(from.length)));
    return { type: 'artifact-renamed', from, to };
  });
}
