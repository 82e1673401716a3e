/** Whether older messages are summarised by themselves (R239). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const ways = ['automatic', 'manual'] as const;

export const compactionRow: SettingRow = {
  group: 'long-chats',
  keys: ['compaction'],
  define: () => ({
    name: words.status.settings.compaction,
    desc: words.status.settings.compactionDesc,
    control: { type: 'dropdown', key: 'compaction', options: { ...words.status.settings.compactionChoices } },
  }),
  read: (_key, ports) => ports.settings().compaction,
  write: (_key, value) => ({ compaction: ways.find((way) => way === value) ?? 'automatic' }),
};
