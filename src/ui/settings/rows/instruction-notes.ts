/** The notes that add to Docent's texts or stand in their place, each made and opened from here (R040, R263). */
import { words } from '../../../text';
import type { SettingsPorts } from '../../state/ports';
import type { SettingRow } from '../setting-row';

const say = words.ownPrompt;
const overrideNote = 'system.md';

export const instructionNotesRow: SettingRow = {
  group: 'own-prompt',
  keys: [],
  define: (ports) => ({
    type: 'page',
    name: say.notes,
    desc: say.notesDesc(ports.settings().agentFolder),
    items: Object.entries(say.noteNames).map(([name, about]) => ({
      name,
      desc: `${about} ${stateOf(name, ports)}`,
      render: (setting) => {
        const isThere = ports.ownPrompt.hasNote(name);
        setting.addButton((button) =>
          button
            .setButtonText(isThere ? say.noteOpen : say.noteCreate)
            .onClick(() => void ports.ownPrompt.openOrCreate(name)),
        );
      },
    })),
  }),
  read: () => undefined,
  write: () => ({}),
};

function stateOf(name: string, ports: SettingsPorts): string {
  if (!ports.ownPrompt.hasNote(name)) return say.noteMissing;
  const { place } = ports.ownPrompt.override();
  const isRead = place.kind === 'vault' && place.path === `${ports.settings().agentFolder}/${overrideNote}`;
  return name !== overrideNote || isRead ? say.noteThere : say.noteNotUsed;
}
