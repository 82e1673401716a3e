/** Skills in use: those whose text came into the conversation by activate_skill. */
import type { SessionEntry } from '../../session/entry';

/** Where the skills stand whose text came into the conversation. */
export function skillsIn(entries: readonly SessionEntry[]): string[] {
  return [
    ...new Set(
      entries.flatMap((entry) =>
        entry.kind === 'tool-result' && entry.name === 'activate_skill' && !entry.isError
          ? entry.sources.slice(0, 1).map(({ path }) => path)
          : [],
      ),
    ),
  ];
}
