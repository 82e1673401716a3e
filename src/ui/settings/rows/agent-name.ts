/** What the agent goes by (R108). */
import { defaultSettings } from '../../../core/settings/settings';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const agentNameRow: SettingRow = {
  group: 'chats',
  keys: ['agentName'],
  define: () => ({
    name: words.ownPrompt.agentName,
    desc: words.ownPrompt.agentNameDesc,
    control: { type: 'text', key: 'agentName', placeholder: defaultSettings.agentName },
  }),
  read: (_key, ports) => ports.settings().agentName,
  write: (_key, value) => ({ agentName: String(value).trim() || defaultSettings.agentName }),
};
