/** What the agent is for. */
import { modeIds } from '../../../core/mode';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const modeRow: SettingRow = {
  keys: ['mode'],
  define: () => ({
    name: words.settings.mode,
    desc: words.settings.modeDesc,
    control: { type: 'dropdown', key: 'mode', options: { ...words.settings.modes } },
  }),
  read: (_key, ports) => ports.settings().mode,
  write: (_key, value) => {
    const mode = modeIds.find((id) => id === value);
    return mode === undefined ? {} : { mode };
  },
};
