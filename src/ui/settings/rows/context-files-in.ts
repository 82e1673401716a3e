/** Whether the vault's own context file stands in every prompt, or comes with the first note that is looked at (R200). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const choices = ['prompt', 'first-touch'] as const;

export const contextFilesInRow: SettingRow = {
  group: 'notes',
  keys: ['contextFilesIn'],
  define: () => ({
    name: words.settings.contextFilesIn,
    desc: words.settings.contextFilesInDesc,
    control: { type: 'dropdown', key: 'contextFilesIn', options: { ...words.settings.contextFilesInChoices } },
  }),
  read: (_key, ports) => ports.settings().contextFilesIn,
  write: (_key, value) => ({ contextFilesIn: choices.find((choice) => choice === value) ?? 'prompt' }),
};
