/** `/`: tools that the agent should prefer for this message. */
import type { Tool } from '../tools/tool';
import type { MentionCandidate } from './candidate';
import { allLines, type MentionSource } from './mention-source';

const made = new WeakMap<readonly Tool[], readonly MentionCandidate[]>();

export const toolMentions: MentionSource = {
  id: 'tool',
  trigger: '/',
  offer: ({ tools }, typed) => ({ candidates: candidatesOf(tools), query: typed, lines: allLines }),
};

function candidatesOf(tools: readonly Tool[]): readonly MentionCandidate[] {
  const known = made.get(tools);
  if (known !== undefined) return known;
  const candidates = tools.map(({ name, description }): MentionCandidate => ({
    mention: { kind: 'tool', id: name, label: name },
    name: titleOf(name),
    detail: /^.*?[.](?=\s|$)/.exec(description)?.[0] ?? description,
    keywords: name,
  }));
  made.set(tools, candidates);
  return candidates;
}

function titleOf(name: string): string {
  const spaced = name.replace(/[_-]+/g, ' ').trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
