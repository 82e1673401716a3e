/** What a chat may cost: where the user is told, and where nothing more is sent. */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const say = words.spending.settings;
const rows = { spendingNotice: say.notice, spendingLimit: say.limit } as const;

export const spendingRow: SettingRow = {
  group: 'chats',
  keys: Object.keys(rows),
  define: () => ({
    type: 'group',
    items: Object.entries(rows).map(([key, texts]) => ({
      ...texts,
      control: {
        type: 'text',
        key,
        placeholder: say.none,
        validate: (value: string) => (parse(value) === undefined ? say.bad : undefined),
      },
    })),
  }),
  read: (key, ports) => String(ports.settings()[key as keyof typeof rows] ?? ''),
  write: (key, value) => ({ [key]: parse(String(value)) ?? null }),
};

/** Dollars; null for an empty box, undefined for what is no amount. */
function parse(text: string): number | null | undefined {
  const digits = text.replace(/[\s$]/g, '').replace(',', '.');
  if (digits === '') return null;
  return /^\d{1,6}(?:\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}
