/** Tokens at which older messages are summarised at the latest, for windows that are larger than one wants to pay for (K23). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

/** Tokens. */
const least = 1_024;

export const compactionCapRow: SettingRow = {
  group: 'long-chats',
  keys: ['compactionCap'],
  define: () => ({
    name: words.status.settings.cap,
    desc: words.status.settings.capDesc,
    control: {
      type: 'text',
      key: 'compactionCap',
      validate: (value: string) => (parse(value) === undefined ? words.status.settings.capBad : undefined),
    },
  }),
  read: (_key, ports) => String(ports.settings().compactionCap ?? ''),
  write: (_key, value) => ({ compactionCap: parse(String(value)) ?? null }),
};

/** Null for an empty box, undefined for what is no number of tokens. */
function parse(value: string): number | null | undefined {
  const digits = value.replace(/[\s,._]/g, '');
  if (digits === '') return null;
  const cap = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return cap >= least ? cap : undefined;
}
