/** Reports to a model with a small context window how full it is (R146-R148). */
import { lines } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { tinyWindow } from '../../ports/model';
import { type Offered, offeredTools, offers } from '../facts/turn-state';
import { type Fact, section } from '../section';
import type { ContextStatusInfo } from '../world';

/**
 * Percentage points by which the share must grow before the same level is sent again. In a tiny window each turn is more
 * than the first number.
 */
const step = 5;
const tinyStep = 15;

/** How full the context window is, for models that get this report and did not get it yet (R145, R149). */
export const contextStatus: Fact<ContextStatusInfo | null> = {
  id: 'context-status',
  gather: ({ turn: { contextStatus: status, contextWindow, lastSent } }) => {
    const known = lastSent?.get('context-status') ?? '';
    const [, level = ''] = /Status: ([A-Z]+)/.exec(known) ?? [];
    const [, percent = ''] = /(\d+)% used/.exec(known) ?? [];
    if (status === null || level !== status.status.toUpperCase()) return status;
    const least = contextWindow <= tinyWindow ? tinyStep : step;
    return Math.abs(status.percentUsed - Number(percent)) < least ? null : status;
  },
};

/** What to do at each level; what must last goes into a saved state, or else into the answer, which is the newest. */
const advice: Readonly<Record<ContextStatusInfo['status'], (tools: Offered, info: ContextStatusInfo) => string>> = {
  ok: () => '',
  warning: (tools) =>
    lines(
      'The context window is filling up:',
      offers(tools, toolNames.saveState) && `- Save what you will need with ${toolNames.saveState}.`,
      '- Keep answers short.',
      '- Stay with the current task.',
    ),
  critical: (tools, { atLimit }) => {
    const next = atLimit === undefined ? '' : atLimit === 'left-out' ? 'left out' : 'summarized';
    const when = next === '' ? '' : ` before older messages are ${next}`;
    return lines(
      'The context window is nearly full:',
      offers(tools, toolNames.saveState)
        ? `- Call ${toolNames.saveState} NOW${when}.`
        : `- State in this answer what you will need${when}.`,
      atLimit === 'saved-and-summarized' && '- State is saved automatically when the limit is reached.',
    );
  },
};

export const contextStatusSection = section({
  id: 'context-status',
  tag: 'context_status',
  zone: 'turn',
  place: 'after-message',
  buildOrder: 0,
  priority: 95,
  trim: 'never',
  needs: { status: contextStatus, tools: offeredTools },
  when: ({ status }) => status !== null,
  full: ({ status, tools }) => (status === null ? [] : [describe(status, tools)]),
  brief: ({ status }) =>
    status === null ? [] : [`Status: ${status.status.toUpperCase()}, ${status.percentUsed}% used`],
});

function describe(info: ContextStatusInfo, tools: Offered): string {
  const { usedTokens, maxTokens, percentUsed, status, statusMessage } = info;
  const figures = lines(
    `Tokens: ${usedTokens}/${maxTokens} (${percentUsed}% used)`,
    `Status: ${status.toUpperCase()}`,
    statusMessage,
  );
  return [figures, advice[status](tools, info)].filter((part) => part !== '').join('\n\n');
}
