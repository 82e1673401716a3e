/** The window of the model, when the user knows better than the table. */
import { words } from '../../../text';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

/** Tokens. */
const smallest = 1024;

export const contextWindowRow: SettingRow = {
  group: 'model',
  keys: ['contextWindow'],
  define: (ports) => ({
    name: words.settings.contextWindow,
    desc: words.settings.contextWindowDesc,
    control: {
      type: 'text',
      key: 'contextWindow',
      placeholder: knownWindow(ports),
      validate: (value: string) => (parse(value) === undefined ? words.settings.contextWindowBad : undefined),
    },
  }),
  read: (_key, ports) => {
    const { contextWindow } = ports.settings();
    return contextWindow === null ? '' : String(contextWindow);
  },
  write: (_key, value) => ({ contextWindow: parse(String(value)) ?? null }),
};

/** What holds while the box is empty. */
function knownWindow(ports: SettingsPorts): string {
  const model = ports.prompts.model(ports.settings().model);
  return model.ok ? model.value.description.contextWindow.toLocaleString('en') : '';
}

/** Null for an empty box, undefined for what is no window. */
function parse(value: string): number | null | undefined {
  const digits = value.replace(/[\s,._]/g, '');
  if (digits === '') return null;
  const window = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return window >= smallest ? window : undefined;
}
