/** Reminders for the model: questions to check itself, essential rules, and words next to the message. */
import { readPromptFile } from '../../library/agent-folder';
import { toolNames } from '../../markup/variables';
import { type TurnState, turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import type { Template } from '../world';
import finalReminder from './prose/final-reminder.eta.md';
import finalReminderBrief from './prose/final-reminder-brief.eta.md';
import editRules from './prose/reminder.eta.md';
import editRulesBrief from './prose/reminder-brief.eta.md';
import sanityChecks from './prose/sanity-checks.eta.md';
import sanityChecksBrief from './prose/sanity-checks-brief.eta.md';

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
  full: ({ state }) => [writeTemplate(state.tier === 1 ? sanityChecksBrief : sanityChecks, recordOf(state))],
  brief: ({ state }) => [writeTemplate(sanityChecksBrief, recordOf(state))],
});

function isOn({ sanityChecks, tier }: TurnState): boolean {
  return sanityChecks === 'on' || (sanityChecks === 'auto' && tier <= 2);
}

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
  full: ({ state }) => [writeTemplate(state.tier === 3 ? finalReminderBrief : finalReminder, recordOf(state))],
  brief: ({ state }) => [writeTemplate(finalReminderBrief, recordOf(state))],
});

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

/** The reminder nearest to the answer: the user's own, or how to edit without breaking a note (R216, R217, R263). */
export const reminderSection = section({
  id: 'reminder',
  tag: 'reminder',
  zone: 'turn',
  place: 'after-message',
  buildOrder: 130,
  priority: 78,
  trim: 'never',
  needs: { due: reminder, state: turnState },
  when: ({ due }) => due !== null && (hasOwn(due) || due.canEdit),
  full: ({ due, state }) => writeReminder(due, editRules, state),
  brief: ({ due, state }) => writeReminder(due, editRulesBrief, state),
});

function writeReminder(due: Reminder | null, template: Template, state: TurnState): string[] {
  if (due === null) return [];
  return [hasOwn(due) ? due.own : writeTemplate(template, recordOf(state))];
}

function hasOwn(due: Reminder): due is Reminder & { readonly own: string } {
  return due.own !== null && due.own !== '';
}
