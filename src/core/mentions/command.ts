/** `/`: what the chat itself can do. */
import type { ChatCommand } from '../commands/command';
import type { CommandCandidate } from './candidate';
import { allLines, type MentionSource } from './mention-source';

const made = new WeakMap<readonly ChatCommand[], readonly CommandCandidate[]>();

export const commandMentions: MentionSource = {
  id: 'command',
  trigger: '/',
  offer: ({ commands }, typed) => ({ candidates: candidatesOf(commands), query: typed, lines: allLines }),
};

function candidatesOf(commands: readonly ChatCommand[]): readonly CommandCandidate[] {
  const known = made.get(commands);
  if (known !== undefined) return known;
  const candidates = commands.map((command) => ({ command, detail: command.description, keywords: command.id }));
  made.set(commands, candidates);
  return candidates;
}
