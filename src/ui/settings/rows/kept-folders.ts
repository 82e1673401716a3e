/** Folders whose notes the agent never sees. */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';
import { foldersOf } from '../lines-of';

export const keptFoldersRow: SettingRow = {
  group: 'notes',
  keys: ['keptFolders'],
  define: () => ({
    name: words.keeping.folders,
    desc: words.keeping.foldersDesc,
    control: { type: 'textarea', key: 'keptFolders', rows: 2, placeholder: words.keeping.foldersExample },
  }),
  read: (_key, ports) => ports.settings().keptFolders.join('\n'),
  write: (_key, value) => ({ keptFolders: foldersOf(value) }),
};
