/** Reports interrupted writes, which the user has to resolve, and the size of the journal. */
import { words } from '../../../text';
import { describeFailure } from '../../ports/failure';
import type { RecoveryChoice } from '../../session/entry';
import { type Check, type CheckAction, type CheckResult, fine } from '../check';

const say = words.diagnostics.writes;

const acts: Readonly<Record<RecoveryChoice, CheckAction['id']>> = {
  before: 'take-back-write',
  after: 'finish-write',
  'as-is': 'keep-write',
};

export const writesCheck: Check = {
  id: 'writes',
  label: say.label,
  run: async ({ writes }) => {
    const results: CheckResult[] = (writes?.interrupted() ?? []).map(({ path, choices }) => ({
      level: 'error',
      words: say.interrupted,
      path,
      actions: choices.map((choice) => ({ id: acts[choice], label: say.choices[choice], path })),
    }));
    const unread = writes?.unread?.() ?? null;
    if (unread !== null) results.push({ level: 'warning', words: describeFailure(unread) });
    const unrecorded = writes?.unrecordedEnds?.() ?? 0;
    if (unrecorded > 0) results.push({ level: 'warning', words: say.unrecorded(unrecorded) });
    return [...results, fine(say.usage((await writes?.measure()) ?? null))];
  },
};
