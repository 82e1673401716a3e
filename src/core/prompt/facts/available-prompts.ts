/** The user's prompts and those of servers, which a message can name (R165); the built-in ones are for people to find. */
import { whileReading } from '../../base/async';
import { offeredPrompts } from '../../library/prompts';
import type { PromptSummary } from '../../library/user-notes';
import type { Fact } from '../section';

export const availablePrompts: Fact<readonly PromptSummary[]> = {
  id: 'available-prompts',
  gather: ({ vault, agentFolder, turn, prompts }) =>
    whileReading(() =>
      offeredPrompts({ vault, agentFolder, registered: prompts.listed(), toolNames: turn.toolNames })
        .filter(({ source }) => source !== 'static')
        .map(({ id, name, description }) => ({ id, name, description })),
    ),
};
