/** Tells that the user has chosen another mode, with the text of the new one (K4, R107). */
import { words } from '../../../text';
import type { Content } from '../../markup/markup';
import type { ModeId } from '../../settings/mode';
import { modeNotice } from '../facts';
import type { ModeChange } from '../facts/mode-notice';
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
    return withText(change);
  },
});

function withText(change: ModeChange): Content {
  const announced = announce(change);
  if (change.text === null) return [`${announced} Its first instructions hold again.`];
  return [`${announced} What follows replaces the former mode's instructions.\n\n`, change.text];
}

function announce({ from, to }: ModeChange): string {
  return `The user has changed this chat from ${nameOf(from)} to ${nameOf(to)} mode.`;
}

/** As the settings call it, so that user and model have one word for one thing. */
function nameOf(mode: ModeId): string {
  return words.settings.modes[mode];
}
