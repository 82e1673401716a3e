/** Folders of pages from the web, whose text counts as written by others. */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';
import { foldersOf } from '../lines-of';

export const clippingFoldersRow: SettingRow = {
  group: 'notes',
  keys: ['clippingFolders'],
  define: () => ({
    name: words.keeping.clippings,
    desc: words.keeping.clippingsDesc,
    control: { type: 'textarea', key: 'clippingFolders', rows: 2 },
  }),
  read: (_key, ports) => ports.settings().clippingFolders.join('\n'),
  write: (_key, value) => ({ clippingFolders: foldersOf(value) }),
};
