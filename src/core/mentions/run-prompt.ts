/** `/`: the same prompts as commands, with what is written behind the name as their arguments. */
import { promptCandidates } from './prompt';
import { allLines, type MentionSource } from './mention-source';

export const runPromptMentions: MentionSource = {
  id: 'run-prompt',
  trigger: '/',
  offer: (context, typed) => ({ candidates: promptCandidates(context), query: typed, lines: allLines }),
};
