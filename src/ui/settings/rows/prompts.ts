/** The way to the list of prompts (R129). */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const promptsRow: SettingRow = {
  group: 'chats',
  keys: [],
  define: (ports) => ({
    name: words.prompts.setting,
    desc: words.prompts.settingDesc(`${ports.settings().agentFolder}/prompts`),
    render: (setting) => {
      setting.addButton((button) =>
        button.setButtonText(words.prompts.settingOpen).onClick(() => ports.prompts.show()),
      );
    },
  }),
  read: () => undefined,
  write: () => ({}),
};
