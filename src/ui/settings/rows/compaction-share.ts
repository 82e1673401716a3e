/** How full a window is when older messages are summarised (R239, K23). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

/** Percent of the room. */
const range = { least: 20, most: 95 } as const;

export const compactionShareRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionShare'],
  define: () => ({
    name: words.status.settings.share,
    desc: words.status.settings.shareDesc,
    control: {
      type: 'text',
      key: 'compactionShare',
      validate: (value: string) => (parse(value) === undefined ? words.status.settings.shareBad : undefined),
    },
  }),
  read: (_key, ports) => String(ports.settings().compactionShare ?? ''),
  write: (_key, value) => ({ compactionShare: parse(String(value)) ?? null }),
};

/** Null for an empty box, undefined for what is no share. */
function parse(value: string): number | null | undefined {
  const digits = value.replace(/[\s%]/g, '');
  if (digits === '') return null;
  const share = /^\d{1,3}$/.test(digits) ? Number(digits) : 0;
  return share >= range.least && share <= range.most ? share : undefined;
}
