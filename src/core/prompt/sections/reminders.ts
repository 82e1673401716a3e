/** Reminders for the model: questions to check itself, essential rules, and words next to the message. */
import { readPromptFile } from '../../library/agent-folder';
import { sentences } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';

/** Questions for small models to check themselves; larger ones do so without them (R109, K30). */
export const sanityChecksSection = section({
  id: 'sanity-reality-check',
  tag: 'sanity_checks',
  composition: true,
  zone: 'instructions',
  buildOrder: 36,
  priority: 60,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => isOn(state),
  full: ({ state }) => [state.tier === 1 ? brief : full],
  brief: () => [brief],
});

function isOn({ sanityChecks, tier }: TurnState): boolean {
  return sanityChecks === 'on' || (sanityChecks === 'auto' && tier <= 2);
}

const brief = 'Before you answer: does each fact stand in text seen here?';
const full = `${brief} Before a change: was it asked for?`;

/** Repeats the essential rules for models that lose track of them; modern ones do without (R087, K30). */
export const finalReminderSection = section({
  id: 'final-reminder',
  tag: 'final_reminder',
  composition: true,
  zone: 'instructions',
  buildOrder: 38,
  priority: 45,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => !state.modernModel && state.tier >= 3,
  full: ({ state }) => [state.tier === 3 ? briefRules : fully(state)],
  brief: () => [briefRules],
});

const briefRules = 'Safety before brevity; the user decides; keep going to the end.';

function fully(state: TurnState): string {
  return sentences(
    'Safety and clarity before brevity; the user decides.',
    offers(state, toolNames.readNote)
      ? `Never assume what a note holds: ${toolNames.readNote} shows it.`
      : 'Never assume what a note holds.',
    'Keep going until the request is fulfilled, the user must decide, a review is due, or a limit is met.',
  );
}

/** The reminder next to the user's message, if it is due: the user's own text, or the rules of editing (R216, R263). */
interface Reminder {
  /** From `system-reminder.md`; null if there is none. */
  readonly own: string | null;
  /** Whether a tool that writes text is declared to the model. */
  readonly canEdit: boolean;
}

const editingTools = [toolNames.editNote, toolNames.createNote, toolNames.appendToNote, toolNames.setProperties];

export const reminder: Fact<Reminder | null> = {
  id: 'reminder',
  gather: async (world, signal) => {
    const { turn } = world;
    if (!turn.reminderDue) return null;
    const canEdit = editingTools.some((name) => turn.toolNames.includes(name));
    return { own: await readPromptFile(world, 'reminder', signal), canEdit };
  },
};

const editRules = [
  'When you change a note:',
  '- Copy the text to be replaced exactly as the note has it, spaces and marks included.',
  '- Take in enough of it that it occurs only once in the note.',
  '- Keep each piece small: several small edits rather than one long one.',
  '- Write out all that is to stand there; the rest is never stood in for by dots or a remark.',
  '- Close what you open: code fences, comments, callouts, the properties.',
].join('\n');

const shortRules = 'Edit in small pieces, copied exactly, each found once; write out all text and close every block.';

/** The reminder nearest to the answer: the user's own, or how to edit without breaking a note (R216, R217, R263). */
export const reminderSection = section({
  id: 'reminder',
  tag: 'reminder',
  zone: 'turn',
  place: 'after-message',
  buildOrder: 130,
  priority: 78,
  trim: 'never',
  needs: { due: reminder },
  when: ({ due }) => due !== null && (hasOwn(due) || due.canEdit),
  full: ({ due }) => (due === null ? [] : [hasOwn(due) ? due.own : editRules]),
  brief: ({ due }) => (due === null ? [] : [hasOwn(due) ? due.own : shortRules]),
});

function hasOwn(due: Reminder): due is Reminder & { readonly own: string } {
  return due.own !== null && due.own !== '';
}
