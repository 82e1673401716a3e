/** When older messages are summarised, and what happens with that (R239, R246, R251, K23). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const ways = ['automatic', 'manual'] as const;
const checks = ['auto', 'on', 'off'] as const;

export const compactionRow: SettingRow = {
  keys: ['compaction'],
  define: () => ({
    name: words.status.settings.compaction,
    desc: words.status.settings.compactionDesc,
    control: { type: 'dropdown', key: 'compaction', options: { ...words.status.settings.compactionChoices } },
  }),
  read: (_key, ports) => ports.settings().compaction,
  write: (_key, value) => ({ compaction: ways.find((way) => way === value) ?? 'automatic' }),
};

/** Percent of the room. */
const range = { least: 20, most: 95 } as const;

export const compactionShareRow: SettingRow = {
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

export const compactionCheckRow: SettingRow = {
  keys: ['compactionCheck'],
  define: () => ({
    name: words.status.settings.check,
    desc: words.status.settings.checkDesc,
    control: { type: 'dropdown', key: 'compactionCheck', options: { ...words.status.settings.checkChoices } },
  }),
  read: (_key, ports) => ports.settings().compactionCheck,
  write: (_key, value) => ({ compactionCheck: checks.find((check) => check === value) ?? 'auto' }),
};

export const saveStateRow: SettingRow = {
  keys: ['saveStateFirst'],
  define: () => ({
    name: words.status.settings.saveState,
    desc: words.status.settings.saveStateDesc,
    control: { type: 'toggle', key: 'saveStateFirst' },
  }),
  read: (_key, ports) => ports.settings().saveStateFirst,
  write: (_key, value) => ({ saveStateFirst: value === true }),
};
