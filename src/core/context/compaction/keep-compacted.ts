/** Puts a summary in force: one entry in the log, after which the next request stands behind it (R127, research 6.2). */
import { requestMarkers } from '../../goals/goal-markers';
import { type Outcome, succeed } from '../../ports/failure';
import type { SessionEntry, SummaryBody } from '../../session/entry';
import { snapshotPartNames } from './read-snapshot';
import type { ReliefChat } from './relief-ports';

export async function keepCompacted(chat: ReliefChat, body: SummaryBody): Promise<Outcome<SessionEntry>> {
  const stored = await chat.record(body);
  if (!stored.ok) return stored;
  chat.context.repin();
  chat.context.forgetSent();
  // What was put together without a model quotes messages whose markers were heard when they came.
  if (body.by === 'model') {
    const text = snapshotPartNames.map((name) => body.snapshot[name]).join('\n\n');
    const marked = await requestMarkers(chat.goals, text, stored.value.id);
    if (!marked.ok) return marked;
  }
  return succeed(stored.value);
}
