/** The reminder nearest to the answer: the user's own, else how to edit without breaking a note (R216, R217, R263). */
import { reminder } from '../facts';
import type { Reminder } from '../facts/reminder';
import { section } from '../section';

const editRules = [
  'When you change a note:',
  '- Copy the text to be replaced exactly as the note has it, spaces and marks included.',
  '- Take in enough of it that it occurs only once in the note.',
  '- Keep each piece small: several small edits rather than one long one.',
  '- Write out all that is to stand there; the rest is never stood in for by dots or a remark.',
  '- Close what you open: code fences, comments, callouts, the properties.',
].join('\n');

const shortRules = 'Edit in small pieces, copied exactly, each found once; write out all text and close every block.';

export const reminderSection = section({
  id: 'reminder',
  tag: 'reminder',
  zone: 'turn',
  tieredPlace: 'after-message',
  // Nearest to the answer in both profiles, so that memory ends the system prompt (R198, R216).
  flatPlace: 'after-message',
  flatOrder: 130,
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
