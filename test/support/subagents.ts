/** Sub-agents for tests of other tools: there are none. */
import { fail } from '../../src/core/ports/failure';
import type { SubagentPort } from '../../src/core/tools/tool';

export const noSubagents: SubagentPort = {
  run: (name) => Promise.resolve(fail({ kind: 'not-found', words: `No ${name}.`, remedy: 'Go on.' })),
};
