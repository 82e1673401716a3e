/** Which model answers. */
import { words } from '../../../text';
import { modelChoices } from '../../state/model-choices';
import type { SettingRow } from '../setting-row';

export const modelRow: SettingRow = {
  group: 'model',
  keys: ['model'],
  define: (ports) => ({
    name: words.settings.model,
    desc: words.settings.modelDesc,
    control: {
      type: 'dropdown',
      key: 'model',
      options: modelChoices(ports.providers, ports.settings(), ports.settings().model),
    },
  }),
  read: (_key, ports) => ports.settings().model,
  write: (_key, value) => ({ model: String(value) }),
  // What is known of the window is shown beside it.
  changed: (ports) => ports.refresh(),
};
