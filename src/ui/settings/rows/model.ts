/** Which model answers. */
import { words } from '../../../text';
import type { SettingRow, SettingsPorts } from '../setting-row';

export const modelRow: SettingRow = {
  keys: ['model'],
  define: (ports) => ({
    name: words.settings.model,
    desc: words.settings.modelDesc,
    control: { type: 'dropdown', key: 'model', options: optionsOf(ports) },
  }),
  read: (_key, ports) => ports.settings().model,
  write: (_key, value) => ({ model: String(value) }),
};

/** The reader, then the models of each provider that has been set up, and whatever is chosen now. */
function optionsOf(ports: SettingsPorts): Record<string, string> {
  const { model, providers: configured } = ports.settings();
  const options: Record<string, string> = { 'reader/built-in': words.settings.builtInReader };
  for (const { id, label, models } of ports.providers) {
    const chosen = configured[id];
    if (chosen === undefined) continue;
    for (const name of new Set([...chosen.models, ...(chosen.models.length === 0 ? models : [])])) {
      options[`${id}/${name}`] = `${label}: ${name}`;
    }
  }
  return model in options ? options : { ...options, [model]: model };
}
