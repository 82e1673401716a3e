/** `@`: the prompts that the agent should follow for this message: the user's, those of servers, the built-in ones. */
import { offeredPrompts } from '../library/prompts';
import type { MentionCandidate } from './candidate';
import { allLines, type MentionContext, type MentionSource } from './mention-source';
import { summaryCandidates } from './summary-candidates';

export const promptMentions: MentionSource = {
  id: 'prompt',
  trigger: '@',
  offer: (context, typed) => ({ candidates: promptCandidates(context), query: typed, lines: allLines }),
};

export function promptCandidates({
  vault,
  agentFolder,
  prompts: registered,
  tools,
}: MentionContext): readonly MentionCandidate[] {
  const toolNames = tools.map(({ name }) => name);
  return summaryCandidates('prompt', offeredPrompts({ vault, agentFolder, registered, toolNames }));
}
