/** Whether the prompt tells the model how full its window is. */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const choices = ['auto', 'always', 'never'] as const;

export const contextStatusRow: SettingRow = {
  group: 'long-chats',
  keys: ['contextStatus'],
  define: () => ({
    name: words.settings.contextStatus,
    desc: words.settings.contextStatusDesc,
    control: { type: 'dropdown', key: 'contextStatus', options: { ...words.settings.contextStatusChoices } },
  }),
  read: (_key, ports) => ports.settings().contextStatus,
  write: (_key, value) => ({ contextStatus: choices.find((choice) => choice === value) ?? 'auto' }),
};
