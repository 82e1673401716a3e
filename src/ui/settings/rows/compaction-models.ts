/** Which model summarises, by the model of the chat or for all of a provider (R249). */
import { words } from '../../../text';
import { modelChoices } from '../../state/model-choices';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

const say = words.status.settings;
const prefix = 'compactionModels.';
const same = '';

export const compactionModelsRow: SettingRow = {
  group: 'long-chats',
  keys: [prefix],
  define: (ports) => ({
    type: 'page',
    name: say.models,
    desc: say.modelsDesc,
    displayValue: () => say.modelsNamed(Object.keys(ports.settings().compactionModels).length),
    items: itemsOf(ports),
  }),
  read: (key, ports) => ports.settings().compactionModels[key.slice(prefix.length)] ?? same,
  write: (key, value, ports) => {
    const { [key.slice(prefix.length)]: _before, ...others } = ports.settings().compactionModels;
    const named = String(value);
    return { compactionModels: named === same ? others : { ...others, [key.slice(prefix.length)]: named } };
  },
};

/** A line for each provider that has been set up, and one for each of its models where it has several. */
function itemsOf(ports: SettingsPorts) {
  const settings = ports.settings();
  const models = modelChoices(ports.providers, settings, settings.model);
  const line = (key: string, name: string, unset: string) => {
    const { [key]: _own, ...others } = models;
    return {
      name,
      control: { type: 'dropdown' as const, key: prefix + key, options: { [same]: unset, ...others } },
    };
  };
  const lines = ports.providers
    .filter(({ id }) => settings.providers[id] !== undefined)
    .flatMap(({ id, label }) => {
      const own = Object.entries(models).filter(([model]) => model.startsWith(`${id}/`));
      const each = own.length > 1 ? own.map(([model, name]) => line(model, name, say.modelsAsProvider)) : [];
      return [line(id, say.modelsOf(label), say.modelsSame), ...each];
    });
  return lines.length > 0 ? lines : [{ name: say.modelsNone }];
}
