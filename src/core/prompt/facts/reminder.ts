/** What to remind of next to the user's message, when it is due: the user's own text, or the rules of editing (R216, R263). */
import type { Fact } from '../section';
import { bodyOf } from '../user-notes';

export interface Reminder {
  /** From `system-reminder.md`; null without one. */
  readonly own: string | null;
  /** Whether the model is offered a tool that writes text. */
  readonly canEdit: boolean;
}

const editingTools = ['edit_note', 'create_note', 'append_to_note', 'set_properties'];

export const reminder: Fact<Reminder | null> = {
  id: 'reminder',
  gather: async (world, signal) => {
    const { vault, agentFolder, turn } = world;
    if (!turn.reminderDue) return null;
    const canEdit = editingTools.some((name) => turn.toolNames.includes(name));
    const path = `${agentFolder}/system-reminder.md`;
    if (vault.file(path) === undefined) return { own: null, canEdit };
    const outcome = await world.readNote(path, signal);
    return { own: outcome.ok ? bodyOf(outcome.value.text) : null, canEdit };
  },
};
