/** THE list of commands. A new command is one entry here. */
import { Notice, type Plugin } from 'obsidian';
import type { Loading } from '../core/base/lazy';
import type { UserItem } from '../core/chat/transcript';
import type { StartedNote, StarterKind } from '../core/library/starters';
import { describeFailure, type Outcome } from '../core/ports/failure';
import { type Words, words } from '../text';
import type { ChatView } from './chat/chat-view';
import type { NoteMarks } from './note-marks';
import type { OpenPrompts } from './prompts/open';
import type { Rewrite } from './prompts/rewrite';
import type { SelectedPassage } from './prompts/selected-passage';
import type { MessageActs } from './state/message-acts';
import type { NoteActs, SystemPromptPorts } from './state/ports';

export interface CommandPorts {
  /** Opens the chat view and returns it. */
  openChatView(): Promise<ChatView>;
  /** Opens the list of chats as a view of its own. */
  openChatList(): Promise<void>;
  /** Shows what all chats took. */
  openUsage(): Promise<void>;
  /** Shows the requests of the open chat in a tab. */
  openInspector(): Promise<void>;
  /** Returns the open view, or null. */
  findView(): ChatView | null;
  /** Shows the diagnostics, of the open chat if there is one. */
  showDiagnostics(): Promise<void>;
  /** Makes a note to begin with, unless it exists. */
  startNote(kind: StarterKind): Promise<Outcome<StartedNote>>;
  openNote(path: string): void;
  /** Absent where nothing is written. */
  readonly noteActs?: Pick<NoteActs, 'export'>;
  readonly noteMarks: NoteMarks;
  readonly prompts: Pick<OpenPrompts, 'show' | 'passage' | 'ask' | 'rewrite' | 'rewriting' | 'commit'>;
  readonly ownPrompt: Pick<SystemPromptPorts, 'export' | 'createTemplates' | 'openOrCreate'>;
  /** Returns the text to copy. */
  diagnostics(): string;
}

interface CommandEntry {
  readonly id: keyof Words['commandNames'];
  run(ports: CommandPorts): void | Promise<void>;
  /** Whether the command can be used now; absent if it always can. */
  when?(ports: CommandPorts): boolean;
}

const commands: readonly CommandEntry[] = [
  {
    id: 'open-chat',
    run: async (ports) => {
      const view = await ports.openChatView();
      view.readyComposer();
    },
  },
  {
    id: 'new-chat',
    run: async (ports) => {
      const view = await ports.openChatView();
      await view.newChat();
    },
  },
  {
    id: 'show-chats',
    run: async (ports) => {
      const view = await ports.openChatView();
      view.showChats();
    },
  },
  { id: 'open-chat-list', run: (ports) => ports.openChatList() },
  { id: 'show-usage', run: (ports) => ports.openUsage() },
  { id: 'find-in-chat', ...inView((view) => void view.find()) },
  { id: 'previous-question', ...inView((view) => void view.goToQuestion(-1)) },
  { id: 'next-question', ...inView((view) => void view.goToQuestion(1)) },
  { id: 'go-to-end', ...inView((view) => view.goToEnd()) },
  {
    id: 'export-chat',
    when: (ports) => ports.noteActs !== undefined && (ports.findView()?.chatId ?? null) !== null,
    run: (ports) => ports.noteActs?.export(ports.findView()?.chatId ?? ''),
  },
  {
    id: 'show-prompt',
    run: async (ports) => {
      const view = await ports.openChatView();
      view.inspect();
    },
  },
  { id: 'open-inspector', run: (ports) => ports.openInspector() },
  {
    id: 'summarise',
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.summarise(),
  },
  {
    id: 'show-context',
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.showContext(),
  },
  {
    id: 'stop-answer',
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.stop(),
  },
  { id: 'edit-last-question', ...onMessage((acts, { id }) => acts.startEdit(id)) },
  { id: 'regenerate-answer', ...onMessage((acts, { id }) => acts.answerAgain(id)) },
  { id: 'fork-chat', ...onMessage((acts, { id }) => acts.fork(id)) },
  { id: 'previous-branch', ...onMessage((acts) => acts.showVersionOfLast(-1)) },
  { id: 'next-branch', ...onMessage((acts) => acts.showVersionOfLast(1)) },
  {
    id: 'apply-changes',
    when: (ports) => ports.findView()?.review?.canApply === true,
    run: (ports) => ports.findView()?.review?.apply(),
  },
  {
    id: 'reject-changes',
    when: (ports) => ports.findView()?.review?.canReject === true,
    run: (ports) => ports.findView()?.review?.rejectAll(''),
  },
  {
    id: 'undo-changes',
    when: (ports) => (ports.findView()?.review?.undoable ?? null) !== null,
    run: (ports) => ports.findView()?.review?.undoLast(),
  },
  { id: 'show-prompts', run: (ports) => ports.prompts.show() },
  { id: 'ask-about-selection', ...onPassage((ports, passage) => ports.prompts.ask(passage)) },
  { id: 'rewrite-selection', run: ({ prompts }) => prompts.rewrite(prompts.passage()) },
  { id: 'accept-rewrite', ...onRewrite((rewrite) => void rewrite.accept()) },
  { id: 'reject-rewrite', ...onRewrite((rewrite) => rewrite.reject()) },
  {
    id: 'refine-rewrite',
    ...onRewrite(({ step, isRefining }) => (isRefining.value = step === 'done')),
  },
  {
    id: 'write-commit-message',
    when: (ports) => ports.prompts.commit.isOffered(),
    run: (ports) => ports.prompts.commit.run(),
  },
  {
    id: 'keep-note',
    when: ({ noteMarks }) => noteMarks.canSetHidden(true),
    run: ({ noteMarks }) => noteMarks.setHidden(true),
  },
  {
    id: 'release-note',
    when: ({ noteMarks }) => noteMarks.canSetHidden(false),
    run: ({ noteMarks }) => noteMarks.setHidden(false),
  },
  {
    id: 'take-note',
    when: ({ noteMarks }) => noteMarks.isUntrusted(),
    run: ({ noteMarks }) => noteMarks.trust(),
  },
  {
    id: 'distrust-note',
    when: ({ noteMarks }) => noteMarks.isTrusted(),
    run: ({ noteMarks }) => noteMarks.distrust(),
  },
  { id: 'show-diagnostics', run: (ports) => ports.showDiagnostics() },
  { id: 'new-prompt', ...starting('prompt') },
  { id: 'new-workspace', ...starting('workspace') },
  { id: 'new-skill', ...starting('skill') },
  { id: 'new-subagent', ...starting('subagent') },
  { id: 'create-context-file', ...starting('context-file') },
  { id: 'create-memory', ...starting('memory') },
  {
    id: 'create-system-prompt',
    run: (ports) => ports.ownPrompt.openOrCreate('system.md'),
  },
  { id: 'create-system-extra', ...starting('system-extra') },
  { id: 'create-system-reminder', ...starting('system-reminder') },
  { id: 'create-commit-rules', ...starting('commit') },
  { id: 'create-compaction', ...starting('compaction') },
  {
    id: 'export-system-prompt-template',
    run: (ports) => ports.ownPrompt.export('template'),
  },
  {
    id: 'export-system-prompt-resolved',
    run: (ports) => ports.ownPrompt.export('resolved'),
  },
  {
    id: 'create-own-templates',
    run: (ports) => ports.ownPrompt.createTemplates(),
  },
  { id: 'copy-diagnostics', run: (ports) => copyDiagnostics(ports) },
];

/** Builds a command that is available only while a chat with a message is open. */
function onMessage(act: (acts: MessageActs, last: UserItem) => unknown) {
  return {
    when: (ports: CommandPorts) => (ports.findView()?.messages?.lastMessage ?? null) !== null,
    run: (ports: CommandPorts) => {
      const { messages = null } = ports.findView() ?? {};
      if (messages?.lastMessage != null) void act(messages, messages.lastMessage);
    },
  };
}

/** Builds a command that is available only while a chat view is open. */
function inView(act: (view: ChatView) => void) {
  return {
    when: (ports: CommandPorts) => ports.findView() !== null,
    run: (ports: CommandPorts) => {
      const view = ports.findView();
      if (view !== null) act(view);
    },
  };
}

/** Builds a command that is available only while something is selected. */
function onPassage(act: (ports: CommandPorts, passage: SelectedPassage) => Promise<void>) {
  return {
    when: (ports: CommandPorts) => ports.prompts.passage() !== null,
    run: (ports: CommandPorts) => {
      const passage = ports.prompts.passage();
      if (passage !== null) void act(ports, passage);
    },
  };
}

/** Builds a command that is available only while the active editor shows a rewrite. */
function onRewrite(act: (rewrite: Rewrite) => unknown) {
  return {
    when: (ports: CommandPorts) => ports.prompts.rewriting() !== null,
    run: (ports: CommandPorts) => {
      const rewrite = ports.prompts.rewriting();
      if (rewrite !== null) act(rewrite);
    },
  };
}

/** Registers all commands. One with a condition is unavailable until Docent is loaded and can evaluate it. */
export function registerCommands(plugin: Plugin, loading: Loading<CommandPorts>): void {
  for (const command of commands) {
    const { id } = command;
    const load = async (): Promise<void> => command.run(await loading.load());
    plugin.addCommand({
      id,
      name: words.commandNames[id],
      checkCallback: (checking) => {
        const { loaded } = loading;
        if (command.when !== undefined && (loaded === null || !command.when(loaded))) return false;
        if (!checking) void (loaded === null ? load() : command.run(loaded));
        return true;
      },
    });
  }
}

/** Builds a command that makes a note to begin with. */
function starting(kind: StarterKind) {
  return { run: (ports: CommandPorts) => showStarted(kind, ports) };
}

/** Makes a note to begin with and opens it; a notice says if it existed already or could not be made (R197). */
export async function showStarted(
  kind: StarterKind,
  ports: Pick<CommandPorts, 'startNote' | 'openNote'>,
): Promise<void> {
  const made = await ports.startNote(kind);
  if (!made.ok) {
    new Notice(describeFailure(made.failure));
    return;
  }
  const { path, isNew } = made.value;
  if (!isNew) new Notice(words.starters.isThere(path));
  ports.openNote(path);
}

/** Copies the diagnostics, and shows a notice that says whether the clipboard accepted them. */
export async function copyDiagnostics(ports: Pick<CommandPorts, 'diagnostics'>): Promise<void> {
  try {
    await activeWindow.navigator.clipboard.writeText(ports.diagnostics());
    new Notice(words.commands.diagnosticsCopied);
  } catch {
    new Notice(words.commands.diagnosticsNotCopied);
  }
}
