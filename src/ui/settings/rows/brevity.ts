/** How long answers are asked to be (K29). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const brevityRow: SettingRow = {
  group: 'chats',
  keys: ['brevity'],
  define: () => ({
    name: words.ownPrompt.brevity,
    desc: words.ownPrompt.brevityDesc,
    control: { type: 'dropdown', key: 'brevity', options: { ...words.ownPrompt.brevityChoices } },
  }),
  read: (_key, ports) => ports.settings().brevity,
  write: (_key, value) => ({ brevity: value === 'normal' ? 'normal' : 'brief' }),
};
