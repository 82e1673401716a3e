/** Goals over a log in memory, for tests of goals and of tools that change them. */
import { GoalManager } from '../../src/core/goals/goal-manager';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import type { Goal } from '../../src/core/session/goal-entry';
import { SessionLog } from '../../src/core/session/session-log';
import { logPorts, memoryStore, type MemoryStore } from './memory-ports';

/** A goal that nothing was done for yet. */
export function goalOf(description: string, changes: Partial<Goal> = {}): Goal {
  return {
    ...{ id: 'g1', description, priority: 'high', status: 'active', createdAt: 0 },
    ...{ checkpoints: [], decisions: [], artifacts: [] },
    ...changes,
  };
}

export interface GoalBench {
  readonly goals: GoalManager;
  readonly log: SessionLog;
  readonly store: MemoryStore;
  readonly entries: readonly SessionEntry[];
  add(body: EntryBody): Promise<SessionEntry>;
}

export function goalBench(): GoalBench {
  const store = memoryStore();
  const log = SessionLog.start('c1', logPorts(store));
  return {
    goals: new GoalManager(log, (body) => log.append(body)),
    log,
    store,
    get entries() {
      return log.entries;
    },
    async add(body) {
      const stored = await log.append(body);
      if (!stored.ok) throw new Error(stored.failure.words);
      return stored.value;
    },
  };
}
