/** The vital rules once more, for models that lose them on the way; modern ones go without (R087, K30). */
import { turnState } from '../facts';
import { offers, type TurnState } from '../facts/turn-state';
import { sentences } from '../lines';
import { section } from '../section';
import { toolNames } from '../tool-names';

export const finalReminderSection = section({
  id: 'final-reminder',
  tag: 'final_reminder',
  composition: true,
  zone: 'instructions',
  flatOrder: 38,
  priority: 45,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => !state.modernModel && state.tier >= 3,
  full: ({ state }) => [fully(state)],
  brief: () => ['Safety before brevity; the user decides; what a note holds is read, never assumed.'],
});

function fully(state: TurnState): string {
  return sentences(
    'Safety and clarity come before brevity, and the user decides.',
    offers(state, toolNames.readNote)
      ? `What a note holds is never assumed: ${toolNames.readNote} shows it.`
      : 'What a note holds is never assumed.',
    'Keep going until the request is fulfilled, a decision falls to the user, a review is due, or a limit is met.',
  );
}
