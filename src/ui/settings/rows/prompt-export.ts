/** Whether and where the system prompt is written (R043-R045). */
import { defaultExportPath, exportVariable } from '../../../core/own-prompt/export-prompt';
import type { Settings } from '../../../core/settings/settings';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const say = words.ownPrompt;
const choices = ['off', 'default', 'path'] as const;

export const promptExportRow: SettingRow = {
  group: 'own-prompt',
  keys: ['promptExport', 'promptExportPath'],
  define: (ports) => {
    const byVariable = ports.ownPrompt.exportsByVariable();
    return {
      type: 'group',
      items: [
        {
          name: say.exportSetting,
          desc: byVariable
            ? say.byVariable(exportVariable)
            : `${say.exportSettingDesc} ${say.defaultFile(defaultExportPath(ports.settings().agentFolder))}`,
          control: {
            type: 'dropdown',
            key: 'promptExport',
            options: { ...say.settingChoices },
            disabled: () => byVariable,
          },
        },
        {
          name: say.exportPath,
          desc: say.pathDesc,
          visible: () => ports.settings().promptExport === 'path',
          control: {
            type: 'text',
            key: 'promptExportPath',
            disabled: () => byVariable,
            validate: (value: string) => (/\.md$/i.test(value.trim()) ? undefined : say.pathBad),
          },
        },
      ],
    };
  },
  read: (key, ports) => ports.settings()[key === 'promptExportPath' ? key : 'promptExport'],
  write: (key, value): Partial<Settings> =>
    key === 'promptExportPath'
      ? { promptExportPath: String(value).trim() }
      : { promptExport: choices.find((choice) => choice === value) ?? 'off' },
  changed: (ports) => ports.refresh(),
};
