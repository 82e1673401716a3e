/** THE list of chat commands, in the order in which they are shown. A new command is one entry here. */
import { words } from '../../text';
import type { ChatCommand } from './command';

const named = words.pane.chatCommands;

export const chatCommands: readonly ChatCommand[] = [
  { id: 'new', ...named.new, run: (actions) => actions.newChat() },
  { id: 'stop', ...named.stop, run: (actions) => actions.stop() },
  { id: 'retry', ...named.retry, run: (actions) => actions.resend() },
  { id: 'prompt', ...named.prompt, run: (actions) => actions.showPrompt() },
  { id: 'compact', ...words.status.compact, takesWords: true, run: (actions, rest = '') => actions.summarise(rest) },
  { id: 'context', ...words.status.context, run: (actions) => actions.showContext() },
  { id: 'settings', ...named.settings, run: (actions) => actions.openSettings() },
  { id: 'help', ...named.help, run: (actions) => actions.showHelp() },
  { id: 'bug', ...named.bug, run: (actions) => actions.copyDiagnostics() },
];
