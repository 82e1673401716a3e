/** The vital rules once more, for models that lose them on the way; modern ones go without (R087, K30). */
import { sentences } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { turnState } from '../facts';
import { offers, type TurnState } from '../facts/turn-state';
import { section } from '../section';

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
  full: ({ state }) => [state.tier === 3 ? brief : fully(state)],
  brief: () => [brief],
});

const brief = 'Safety before brevity; the user decides; keep going to the end.';

function fully(state: TurnState): string {
  return sentences(
    'Safety and clarity before brevity; the user decides.',
    offers(state, toolNames.readNote)
      ? `Never assume what a note holds: ${toolNames.readNote} shows it.`
      : 'Never assume what a note holds.',
    'Keep going until the request is fulfilled, the user must decide, a review is due, or a limit is met.',
  );
}
