/** What to remind of next to the user's message, when it is due: the user's own text, or the rules of editing (R216, R263). */
import { readPromptFile } from '../../library/agent-folder';
import type { Fact } from '../section';

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
    const { turn } = world;
    if (!turn.reminderDue) return null;
    const canEdit = editingTools.some((name) => turn.toolNames.includes(name));
    return { own: await readPromptFile(world, 'reminder', signal), canEdit };
  },
};
