/** How much prompt the model is given. */
import { tiers } from '../../../core/settings/mode';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const tierRow: SettingRow = {
  group: 'chats',
  keys: ['tier'],
  define: () => ({
    name: words.settings.tier,
    desc: words.settings.tierDesc,
    control: { type: 'dropdown', key: 'tier', options: { ...words.settings.tiers } },
  }),
  read: (_key, ports) => String(ports.settings().tier),
  write: (_key, value) => ({ tier: tiers.find((tier) => String(tier) === value) ?? 'auto' }),
};
