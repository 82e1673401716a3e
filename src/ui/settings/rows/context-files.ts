/** Names of the notes that hold the vault's conventions (R195). */
import { defaultSettings } from '../../../core/settings/settings';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

export const contextFilesRow: SettingRow = {
  group: 'notes',
  keys: ['contextFiles'],
  define: () => ({
    name: words.ownPrompt.contextFiles,
    desc: words.ownPrompt.contextFilesDesc,
    control: {
      type: 'textarea',
      key: 'contextFiles',
      rows: 2,
      validate: (value: string) =>
        namesIn(value).some((name) => /[/\\]/.test(name)) ? words.ownPrompt.contextFilesBad : undefined,
    },
  }),
  read: (_key, ports) => ports.settings().contextFiles.join('\n'),
  write: (_key, value) => {
    const names = namesIn(String(value));
    return { contextFiles: names.length === 0 ? [...defaultSettings.contextFiles] : names };
  },
};

function namesIn(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
