/** What the agent may do by itself in a new chat. */
import { startingPermissions } from '../../../core/settings/settings';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const permissionRow: SettingRow = {
  group: 'chats',
  keys: ['permission'],
  define: () => ({
    name: words.asking.permission,
    desc: words.asking.permissionDesc,
    control: {
      type: 'dropdown',
      key: 'permission',
      options: Object.fromEntries(startingPermissions.map((mode) => [mode, words.asking.permissions[mode]])),
    },
  }),
  read: (_key, ports) => ports.settings().permission,
  write: (_key, value) => ({ permission: startingPermissions.find((mode) => mode === value) ?? 'review' }),
};
