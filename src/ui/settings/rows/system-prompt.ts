/** Whether a note of the user's stands in place of Docent's instructions, and which one (R027-R031). */
import { defaultOverridePath, overrideVariable } from '../../../core/prompt/override';
import type { Settings } from '../../../core/settings/settings';
import { words } from '../../../text';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

const say = words.ownPrompt;
const choices = ['off', 'default', 'path'] as const;

export const systemPromptRow: SettingRow = {
  group: 'own-prompt',
  keys: ['systemPrompt', 'systemPromptPath'],
  define: (ports) => {
    const byVariable = ports.ownPrompt.override().fromEnvironment;
    return {
      type: 'group',
      items: [
        {
          name: say.setting,
          desc: byVariable ? say.byVariable(overrideVariable) : describe(ports),
          control: {
            type: 'dropdown',
            key: 'systemPrompt',
            options: { ...say.settingChoices },
            disabled: () => byVariable,
          },
        },
        {
          name: say.path,
          desc: say.pathDesc,
          visible: () => ports.settings().systemPrompt === 'path',
          control: {
            type: 'text',
            key: 'systemPromptPath',
            disabled: () => byVariable,
            validate: (value: string) => (/\.md$/i.test(value.trim()) ? undefined : say.pathBad),
          },
        },
      ],
    };
  },
  read: (key, ports) => ports.settings()[key === 'systemPromptPath' ? key : 'systemPrompt'],
  write: (key, value): Partial<Settings> =>
    key === 'systemPromptPath'
      ? { systemPromptPath: String(value).trim() }
      : { systemPrompt: choices.find((choice) => choice === value) ?? 'off' },
  changed: (ports) => {
    ports.refresh();
    if (ports.ownPrompt.override().place.kind === 'outside') void ports.ownPrompt.carryOut('allow');
  },
};

function describe(ports: SettingsPorts): string {
  return `${say.settingDesc} ${say.defaultFile(defaultOverridePath(ports.settings().agentFolder))}`;
}
