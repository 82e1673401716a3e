/** What a compaction took out of the history and the prompt tells instead: the summary, and the skills in use (R135, R150). */
import type { CompactedContext } from '../../prompt/world';
import { seenEntries } from '../../request/history';
import { openTasks, summaryLines } from '../../request/history-text';
import type { SessionEntry } from '../../session/entry';
import { summaryInForce } from '../../session/log-state';
import { skillsIn } from './skills-in';

export interface CompactedState {
  readonly previousContext: CompactedContext | null;
  /** Where the notes of skills stand whose text was taken out. */
  readonly activeSkills: readonly string[];
}

export function foldCompacted(entries: readonly SessionEntry[]): CompactedState {
  const summary = summaryInForce(entries);
  if (summary === null) return { previousContext: null, activeSkills: [] };
  const { snapshot, paths, removed, kept, skills } = summary;
  const shown = new Set(skillsIn(seenEntries(entries)));
  return {
    previousContext: {
      summary: summaryLines(snapshot),
      filesReferenced: paths,
      topics: openTasks(snapshot),
      messagesRemoved: removed,
      messagesKept: kept,
    },
    activeSkills: skills.filter((skill) => !shown.has(skill)),
  };
}
