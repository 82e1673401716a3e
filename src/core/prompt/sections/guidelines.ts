/** How to read, speak, and call tools (R080-R084). */
import { points, sentences } from '../../markup/prose';
import { readingTools, toolNames, writingTools } from '../../markup/variables';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';

export const guidelinesSection = section({
  id: 'guidelines',
  tag: 'guidelines',
  composition: true,
  zone: 'instructions',
  buildOrder: 28,
  priority: 64,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.tier >= 3,
  full: ({ state }) => [state.tier === 3 ? briefly(state) : fully(state)],
  brief: ({ state }) => [briefly(state)],
});

function fully(state: TurnState): string {
  return points(
    offers(state, ...readingTools) &&
      'Economy: ask by folder, limit, heading or lines; narrow a long result before reading on.',
    `${toneOf(state)} Markdown as Obsidian shows it. What cannot be done: a sentence or two, with another way.`,
    sentences(
      offers(state, ...writingTools) && 'Explain deletions, moves and bulk changes in a sentence beforehand.',
      'Never repeat keys or passwords from notes or settings.',
    ),
    state.toolNames.length > 0 &&
      sentences(
        'Calls: independent ones together.',
        offers(state, ...writingTools) && 'One edit per note in a round.',
        offers(state, toolNames.remember) && `${toolNames.remember} is for facts about the user alone.`,
        'A cancelled call returns only when asked for.',
      ),
    state.interactive &&
      'The message box knows / for commands and tools, @ prompts, # workspaces, [[ notes; say so when asked how.',
  );
}

function briefly(state: TurnState): string {
  return points(
    sentences(
      toneOf(state),
      offers(state, ...writingTools) && 'Explain deletions, moves and bulk changes beforehand.',
      'Repeat no keys or passwords.',
    ),
    state.toolNames.length > 0 &&
      sentences(
        'Independent calls together, as narrow as the need.',
        offers(state, ...writingTools) && 'One edit per note in a round.',
        'A cancelled call stays cancelled.',
      ),
  );
}

function toneOf({ brevity, modernModel }: TurnState): string {
  if (brevity === 'normal') return 'Full sentences, as long as the matter needs, the result first.';
  return modernModel
    ? 'Brief answers: result first, mostly under three lines beside tool use, no opening or closing phrases.'
    : 'Brief answers: at most three lines beside tool use unless the task needs more; no filler.';
}
