/** What every chat is told besides (R108). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const additionalInstructionsRow: SettingRow = {
  group: 'chats',
  keys: ['additionalInstructions'],
  define: () => ({
    name: words.ownPrompt.additional,
    desc: words.ownPrompt.additionalDesc,
    control: { type: 'textarea', key: 'additionalInstructions', rows: 4 },
  }),
  read: (_key, ports) => ports.settings().additionalInstructions,
  write: (_key, value) => ({ additionalInstructions: String(value) }),
};
