/** `#`: the user's workspaces. */
import { listWorkspaces } from '../library/user-notes';
import { allLines, type MentionSource } from './mention-source';
import { summaryCandidates } from './summary-candidates';

export const workspaceMentions: MentionSource = {
  id: 'workspace',
  trigger: '#',
  offer: ({ vault, agentFolder }, typed) => ({
    candidates: summaryCandidates('workspace', listWorkspaces(vault, agentFolder)),
    query: typed,
    lines: allLines,
  }),
};
