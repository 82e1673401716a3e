/** Asks what replaces settings that cannot be read: a notice when it happens, and a row of the settings until then. */
import { Notice } from 'obsidian';
import { describeFailure } from '../../core/ports/failure';
import { describeDamage, type SettingsChoice, type SettingsDamage } from '../../core/settings/damaged-settings';
import { words } from '../../text';
import type { DamagedSettings } from '../state/ports';
import type { SettingRow } from './setting-row';

const say = words.settings.damaged;

function describe(damage: SettingsDamage): string {
  return damage.choices.includes('defaults') ? `${describeDamage(damage)} ${say.defaultsNote}` : describeDamage(damage);
}

/** Replaces the settings and reports what became of them. */
async function choose(file: DamagedSettings, choice: SettingsChoice): Promise<void> {
  const chosen = await file.choose(choice);
  if (!chosen.ok) new Notice(describeFailure(chosen.failure));
  else new Notice(choice === 'retry' ? say.repaired : say.chosen[choice]);
}

const asked = new WeakSet<SettingsDamage>();

/**
 * Shows a notice with the choices, which remains until the settings are in order or the user dismisses it.
 * @returns hides it
 */
export function askAboutDamagedSettings(file: DamagedSettings): () => void {
  const { damage } = file;
  if (damage === null || asked.has(damage)) return () => undefined;
  asked.add(damage);
  const message = createFragment((fragment) => {
    fragment.createDiv({ text: describe(damage), attr: { dir: 'auto' } });
    const buttons = fragment.createDiv('docent-notice-buttons');
    for (const choice of damage.choices) {
      const button = buttons.createEl('button', { text: say.choices[choice] });
      button.addEventListener('click', () => void choose(file, choice));
    }
  });
  const notice = new Notice(message, 0);
  const hide = (): void => {
    release();
    notice.hide();
  };
  const release = file.subscribe(() => {
    if (file.damage !== damage) hide();
  });
  return hide;
}

/** The choices for damaged settings; not shown while the settings are in order. */
export const damagedSettingsRow: SettingRow = {
  group: 'first',
  keys: [],
  define: ({ damaged: file, ...ports }) => {
    const damage = file?.damage ?? null;
    return {
      name: damage?.flaw === 'conflict' ? say.conflictName : say.name,
      desc: damage === null ? say.desc : describe(damage),
      visible: () => (file?.damage ?? null) !== null,
      render: (setting) => {
        setting.settingEl.addClass('docent-damaged-settings');
        for (const choice of damage?.choices ?? []) {
          setting.addButton((button) =>
            button.setButtonText(say.choices[choice]).onClick(async () => {
              if (file !== undefined) await choose(file, choice);
              ports.refresh();
            }),
          );
        }
      },
    };
  },
  read: () => undefined,
  write: () => ({}),
};
