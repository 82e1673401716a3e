/** What a model is sent of a log: a summary that the system prompt does not tell stands in the messages (K2). */
import type { Message } from '../../ports/message';
import { foldLog } from '../../request/history';
import type { SessionEntry } from '../../session/entry';
import type { PreparedTurn } from '../prepare-turn';
import { foldCompacted } from './fold-compacted';

export function messagesOf(
  prepared: Pick<PreparedTurn, 'turn' | 'prompt'>,
  entries: readonly SessionEntry[],
): Message[] {
  return foldLog(entries, tellsSummary(prepared, entries) ? 'left-out' : 'told');
}

/** Whether the system prompt tells the summary that is in force; one that was made since is not in it yet. */
export function tellsSummary(
  { turn, prompt }: Pick<PreparedTurn, 'turn' | 'prompt'>,
  entries: readonly SessionEntry[],
): boolean {
  const current = foldCompacted(entries).previousContext?.summary;
  if (current === undefined || turn.previousContext?.summary !== current) return false;
  return prompt.blocks.some(({ section, text }) => section === 'previous-context' && text !== '');
}
