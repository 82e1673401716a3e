/** Where prompts, workspaces and chats are kept. */
import { guardNewPath } from '../../../core/writing/guard/path-guard';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const agentFolderRow: SettingRow = {
  group: 'notes',
  keys: ['agentFolder'],
  define: () => ({
    name: words.settings.agentFolder,
    desc: words.settings.agentFolderDesc,
    control: {
      type: 'text',
      key: 'agentFolder',
      validate: (value: string) => (guardNewPath(trim(value), '').ok ? undefined : words.settings.agentFolderBad),
    },
  }),
  read: (_key, ports) => ports.settings().agentFolder,
  write: (_key, value) => ({ agentFolder: trim(String(value)) }),
};

function trim(value: string): string {
  return value.trim().replace(/^\/+|\/+$/g, '');
}
