/** Writes that were cut off and whose end the user has to choose, and how full the journal of the others is. */
import { words } from '../../../text';
import type { Check, CheckResult } from '../check';
import { fine } from '../results';

const say = words.diagnostics.writes;

export const writesCheck: Check = {
  id: 'writes',
  label: say.label,
  run: ({ writes }) => {
    const results: CheckResult[] = (writes?.unclear() ?? []).map(({ path }) => ({
      level: 'error',
      words: say.unclear,
      path,
      actions: [
        { id: 'keep-write', label: say.keep, path },
        { id: 'take-back-write', label: say.takeBack, path },
      ],
    }));
    return Promise.resolve([...results, fine(say.usage(writes?.usage() ?? null))]);
  },
};
