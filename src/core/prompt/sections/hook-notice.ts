/** Explains text in `hook_context` tags, if other plugins may add some (R064, R142). */
import { turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import full from './prose/hook-notice.eta.md';
import brief from './prose/hook-notice-brief.eta.md';

export const hookNoticeSection = section({
  id: 'hook-notice',
  tag: 'hook_notice',
  composition: true,
  zone: 'instructions',
  buildOrder: 24,
  priority: 66,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.hooked && state.tier >= 2,
  full: ({ state }) => [writeTemplate(state.tier <= 3 ? brief : full, recordOf(state))],
  brief: ({ state }) => [writeTemplate(brief, recordOf(state))],
});
