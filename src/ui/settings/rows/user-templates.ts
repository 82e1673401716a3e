/** The templates of the user's own mode: made from here, with their tokens beside their budgets (R101, R102). */
import type { Setting } from 'obsidian';
import { ownTemplateFolder } from '../../../core/prompt/tiered-prompt-store';
import { words } from '../../../text';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

const say = words.ownPrompt;

export const userTemplatesRow: SettingRow = {
  group: 'own-prompt',
  keys: [],
  define: (ports) => ({
    type: 'page',
    name: say.templates,
    desc: say.templatesDesc(ownTemplateFolder(ports.settings().agentFolder)),
    items: [
      {
        name: say.templates,
        desc: say.templatesDesc(ownTemplateFolder(ports.settings().agentFolder)),
        searchable: false,
        render: (setting, group) => {
          drawButtons(setting, ports);
          void drawStates(ports, (draw) => group.addSetting(draw));
        },
      },
    ],
  }),
  read: () => undefined,
  write: () => ({}),
};

function drawButtons(setting: Setting, ports: SettingsPorts): void {
  setting.addButton((button) =>
    button.setButtonText(say.templatesCreate).onClick(async () => {
      await ports.ownPrompt.createTemplates();
      ports.refresh();
    }),
  );
  if (ports.settings().mode === 'user') return;
  setting.addButton((button) =>
    button.setButtonText(say.useMode).onClick(async () => {
      await ports.change({ mode: 'user' });
      ports.refresh();
    }),
  );
}

async function drawStates(ports: SettingsPorts, add: (draw: (setting: Setting) => void) => void): Promise<void> {
  for (const { tier, path, isThere, isOver, told } of await ports.ownPrompt.templates()) {
    add((setting) => {
      setting.setName(say.templateTier(tier)).setDesc(told);
      setting.settingEl.toggleClass('docent-over-budget', isOver);
      if (!isThere) return;
      setting.addButton((button) =>
        button.setButtonText(say.templatesOpen).onClick(() => ports.ownPrompt.openNote(path)),
      );
    });
  }
}
