/** What the agent is for, with a line of guidance for each mode (R110). */
import { modeIds } from '../../../core/settings/mode';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const modeRow: SettingRow = {
  group: 'chats',
  keys: ['mode'],
  define: () => ({
    name: words.settings.mode,
    desc: createFragment((lines) => {
      for (const id of modeIds) {
        const line = lines.createDiv();
        line.createEl('strong', { text: words.settings.modes[id] });
        line.appendText(`: ${words.settings.modeGuidance[id]}`);
      }
    }),
    control: { type: 'dropdown', key: 'mode', options: { ...words.settings.modes } },
  }),
  read: (_key, ports) => ports.settings().mode,
  write: (_key, value) => {
    const mode = modeIds.find((id) => id === value);
    return mode === undefined ? {} : { mode };
  },
};
