/** `@`: the user's prompts. */
import { listPrompts } from '../prompt/user-notes';
import { allLines, type MentionSource } from './mention-source';
import { summaryCandidates } from './summary-candidates';

export const promptMentions: MentionSource = {
  id: 'prompt',
  trigger: '@',
  offer: ({ vault, agentFolder }, typed) => ({
    candidates: summaryCandidates('prompt', listPrompts(vault, agentFolder)),
    query: typed,
    lines: allLines,
  }),
};
