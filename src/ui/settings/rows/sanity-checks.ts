/** Whether the model is asked to check itself (R109, K30). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const choices = ['auto', 'on', 'off'] as const;

export const sanityChecksRow: SettingRow = {
  group: 'chats',
  keys: ['sanityChecks'],
  define: () => ({
    name: words.ownPrompt.sanity,
    desc: words.ownPrompt.sanityDesc,
    control: { type: 'dropdown', key: 'sanityChecks', options: { ...words.ownPrompt.sanityChoices } },
  }),
  read: (_key, ports) => ports.settings().sanityChecks,
  write: (_key, value) => ({ sanityChecks: choices.find((choice) => choice === value) ?? 'auto' }),
};
