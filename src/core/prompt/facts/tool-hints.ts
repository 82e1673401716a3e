/** The tools that the user named with `/` in this message (R170). */
import type { MentionedTool } from '../prompt-data';
import type { Fact } from '../section';

export const toolHints: Fact<readonly MentionedTool[]> = {
  id: 'tool-hints',
  gather: ({ turn, toolDescriptions }) =>
    turn.mentions
      .filter((mention) => mention.kind === 'tool')
      .map((mention) => ({ name: mention.id, description: toolDescriptions[mention.id] ?? '' })),
};
