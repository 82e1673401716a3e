/** Whether a second request looks over a summary (R246). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const checks = ['auto', 'on', 'off'] as const;

export const compactionCheckRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionCheck'],
  define: () => ({
    name: words.status.settings.check,
    desc: words.status.settings.checkDesc,
    control: { type: 'dropdown', key: 'compactionCheck', options: { ...words.status.settings.checkChoices } },
  }),
  read: (_key, ports) => ports.settings().compactionCheck,
  write: (_key, value) => ({ compactionCheck: checks.find((check) => check === value) ?? 'auto' }),
};
