/** `/`: THE list of chat commands, and the tools that the agent should prefer. */
import { words } from '../../text';
import { findMode } from '../library/user-notes';
import type { Tool } from '../tools/tool';
import {
  allLines,
  type ChatActions,
  type ChatCommand,
  type CommandCandidate,
  type MentionCandidate,
  type MentionSource,
} from './mention-source';

const named = words.chatView.chatCommands;

/** THE list of chat commands, in the order in which they are shown. A new command is one entry here. */
export const chatCommands: readonly ChatCommand[] = [
  { id: 'new', ...named.new, run: (actions) => actions.newChat() },
  { id: 'stop', ...named.stop, run: (actions) => actions.stop() },
  { id: 'retry', ...named.retry, run: (actions) => actions.resend() },
  { id: 'prompt', ...named.prompt, run: (actions) => actions.showPrompt() },
  { id: 'mode', ...named.mode, takesWords: true, choices: choicesOfMode(), run: chooseMode },
  { id: 'compact', ...words.status.compact, takesWords: true, run: (actions, rest = '') => actions.summarise(rest) },
  { id: 'context', ...words.status.context, run: (actions) => actions.showContext() },
  { id: 'settings', ...named.settings, run: (actions) => actions.openSettings() },
  { id: 'help', ...named.help, run: (actions) => actions.showHelp() },
  { id: 'bug', ...named.bug, run: (actions) => actions.copyDiagnostics() },
];

function choicesOfMode(): ChatCommand[] {
  const { modes, modeGuidance } = words.settings;
  return (Object.keys(modes) as (keyof typeof modes)[]).map((id) => ({
    id,
    name: modes[id],
    description: modeGuidance[id].replace(/^./, (first) => first.toUpperCase()),
    run: (actions) => chooseMode(actions, id),
  }));
}

function chooseMode(actions: Pick<ChatActions, 'choose' | 'report'>, written = ''): void {
  const mode = findMode(written);
  if (mode !== undefined) actions.choose({ mode }, words.chatView.modeNow(words.settings.modes[mode]));
  else actions.report(words.chatView.noSuchMode(written.trim(), Object.values(words.settings.modes)));
}

const madeOfCommands = new WeakMap<readonly ChatCommand[], readonly CommandCandidate[]>();

/** `/`: what the chat itself can do. */
export const commandMentions: MentionSource = {
  id: 'command',
  triggers: ['/'],
  offer: ({ commands }, typed) => ({ candidates: commandCandidates(commands), query: typed, lines: allLines }),
};

function commandCandidates(commands: readonly ChatCommand[]): readonly CommandCandidate[] {
  const known = madeOfCommands.get(commands);
  if (known !== undefined) return known;
  const candidates = commands.map((command) => ({ command, detail: command.description, keywords: command.id }));
  madeOfCommands.set(commands, candidates);
  return candidates;
}

const madeOfTools = new WeakMap<readonly Tool[], readonly MentionCandidate[]>();

/** `/`: tools that the agent should prefer for this message. */
export const toolMentions: MentionSource = {
  id: 'tool',
  triggers: ['/'],
  offer: ({ tools }, typed) => ({ candidates: toolCandidates(tools), query: typed, lines: allLines }),
};

function toolCandidates(tools: readonly Tool[]): readonly MentionCandidate[] {
  const known = madeOfTools.get(tools);
  if (known !== undefined) return known;
  const candidates = tools.map(({ name, description }): MentionCandidate => ({
    mention: { kind: 'tool', id: name, label: name },
    name: titleOf(name),
    detail: /^.*?[.](?=\s|$)/.exec(description)?.[0] ?? description,
    keywords: name,
  }));
  madeOfTools.set(tools, candidates);
  return candidates;
}

function titleOf(name: string): string {
  const spaced = name.replace(/[_-]+/g, ' ').trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
