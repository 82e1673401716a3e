/** THE list of commands. A new command is one entry here. */
import { Notice, type Plugin } from 'obsidian';
import { words } from '../text';
import type { ChatView } from './chat/chat-view';

export interface CommandPorts {
  /** Opens the pane, and returns its view. */
  openPane(): Promise<ChatView>;
  /** The view that is open, if one is. */
  findView(): ChatView | null;
  /** The text to copy. */
  diagnostics(): string;
}

interface CommandEntry {
  readonly id: string;
  readonly name: string;
  run(ports: CommandPorts): void | Promise<void>;
  /** Whether the command can be used now; always, when absent. */
  when?(ports: CommandPorts): boolean;
}

const commands: readonly CommandEntry[] = [
  {
    id: 'open-chat',
    name: words.commands.open,
    run: async (ports) => {
      const view = await ports.openPane();
      view.focusComposer();
    },
  },
  {
    id: 'new-chat',
    name: words.commands.newChat,
    run: async (ports) => {
      const view = await ports.openPane();
      await view.newChat();
    },
  },
  {
    id: 'show-prompt',
    name: words.commands.inspect,
    run: async (ports) => {
      const view = await ports.openPane();
      view.inspect();
    },
  },
  {
    id: 'stop-answer',
    name: words.commands.stop,
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.stop(),
  },
  { id: 'copy-diagnostics', name: words.commands.copyDiagnostics, run: (ports) => copyDiagnostics(ports) },
];

export function registerCommands(plugin: Plugin, ports: CommandPorts): void {
  for (const command of commands) {
    const { id, name } = command;
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        if (command.when?.(ports) === false) return false;
        if (!checking) void command.run(ports);
        return true;
      },
    });
  }
}

/** Says by a notice whether the clipboard took them. */
export async function copyDiagnostics(ports: Pick<CommandPorts, 'diagnostics'>): Promise<void> {
  try {
    await activeWindow.navigator.clipboard.writeText(ports.diagnostics());
    new Notice(words.commands.diagnosticsCopied);
  } catch {
    new Notice(words.commands.diagnosticsNotCopied);
  }
}
