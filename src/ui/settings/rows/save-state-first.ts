/** Whether a state is saved before older messages are summarised (R251). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const saveStateFirstRow: SettingRow = {
  group: 'long-chats',
  keys: ['saveStateFirst'],
  define: () => ({
    name: words.status.settings.saveState,
    desc: words.status.settings.saveStateDesc,
    control: { type: 'toggle', key: 'saveStateFirst' },
  }),
  read: (_key, ports) => ports.settings().saveStateFirst,
  write: (_key, value) => ({ saveStateFirst: value === true }),
};
