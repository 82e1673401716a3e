/** Reports to a model with a small context window how full it is (R146-R148). */
import { type Fact, section } from '../section';
import type { ContextStatusInfo } from '../world';

/** Percentage points by which the share must grow before the same level is sent again. */
const step = 10;

/** How full the context window is, for models that get this report and did not get it yet (R145, R149). */
export const contextStatus: Fact<ContextStatusInfo | null> = {
  id: 'context-status',
  gather: ({ turn: { contextStatus: status, lastSent } }) => {
    const known = lastSent?.get('context-status') ?? '';
    const [, level = ''] = /Status: ([A-Z]+)/.exec(known) ?? [];
    const [, percent = ''] = /(\d+)% used/.exec(known) ?? [];
    if (status === null || level !== status.status.toUpperCase()) return status;
    return Math.abs(status.percentUsed - Number(percent)) < step ? null : status;
  },
};

const advice = {
  ok: '',
  warning:
    '\n\nThe context window is filling up:\n- save what must last with save_state\n- keep answers short\n- stay with the task at hand',
  critical:
    '\n\nThe context window is nearly full:\n- call save_state NOW, before older messages are summarised\n- state is saved automatically when the limit is reached',
} as const;

export const contextStatusSection = section({
  id: 'context-status',
  tag: 'context_status',
  zone: 'turn',
  place: 'after-message',
  buildOrder: 0,
  priority: 95,
  trim: 'never',
  needs: { status: contextStatus },
  when: ({ status }) => status !== null,
  full: ({ status }) =>
    status === null
      ? []
      : [
          `Tokens: ${status.usedTokens}/${status.maxTokens} (${status.percentUsed}% used)\n` +
            `Status: ${status.status.toUpperCase()}` +
            (status.statusMessage === '' ? '' : `\n${status.statusMessage}`) +
            advice[status.status],
        ],
  brief: ({ status }) =>
    status === null ? [] : [`Status: ${status.status.toUpperCase()}, ${status.percentUsed}% used`],
});
