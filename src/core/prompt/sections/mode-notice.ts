/** Tells that the user has chosen another mode, with the text of the new one (K4, R107). */
import type { ModeChange } from '../facts/mode-notice';
import { modeNotice } from '../facts';
import { section } from '../section';

export const modeNoticeSection = section({
  id: 'mode-notice',
  tag: 'mode_notice',
  zone: 'turn',
  flatOrder: 117,
  priority: 96,
  trim: 'never',
  needs: { change: modeNotice },
  when: ({ change }) => change !== null,
  full: ({ change }) => {
    if (change === null) return [];
    return [change.text === null ? `${announce(change)} Its first instructions hold again.` : withText(change)];
  },
});

function withText(change: ModeChange): string {
  return `${announce(change)} What follows replaces the former mode's instructions.\n\n${change.text}`;
}

function announce({ from, to }: ModeChange): string {
  return `The user has changed this chat from ${nameOf(from)} to ${nameOf(to)} mode.`;
}

function nameOf(mode: string): string {
  return mode.charAt(0).toUpperCase() + mode.slice(1);
}
