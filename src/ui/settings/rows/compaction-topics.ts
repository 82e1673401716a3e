/** Whether a summary ends where the topic at hand begins (R250). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const compactionTopicsRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionTopics'],
  define: () => ({
    name: words.status.settings.topics,
    desc: words.status.settings.topicsDesc,
    control: { type: 'toggle', key: 'compactionTopics' },
  }),
  read: (_key, ports) => ports.settings().compactionTopics,
  write: (_key, value) => ({ compactionTopics: value === true }),
};
