/** THE list of commands. A new command is one entry here. */
import { type App, Notice, type Plugin } from 'obsidian';
import type { Loading } from '../core/base/lazy';
import type { UserItem } from '../core/chat/transcript';
import type { StartedNote, StarterKind } from '../core/library/starters';
import { describeFailure, type Outcome } from '../core/ports/failure';
import { words } from '../text';
import type { ChatView } from './chat/chat-view';
import {
  canSetHidden,
  distrustNote,
  isTrusted,
  isUntrusted,
  type NoteProvenance,
  setHidden,
  trustNote,
} from './note-marks';
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
  /** Whose text notes are. */
  readonly untrusted: NoteProvenance;
  readonly prompts: Pick<OpenPrompts, 'show' | 'passage' | 'ask' | 'rewrite' | 'rewriting' | 'commit'>;
  readonly ownPrompt: Pick<SystemPromptPorts, 'export' | 'createTemplates' | 'openOrCreate'>;
  /** Returns the text to copy. */
  diagnostics(): string;
}

interface CommandEntry {
  readonly id: string;
  readonly name: string;
  run(ports: CommandPorts, app: App): void | Promise<void>;
  /** Whether the command can be used now; absent if it always can. */
  when?(ports: CommandPorts, app: App): boolean;
}

const commands: readonly CommandEntry[] = [
  {
    id: 'open-chat',
    name: words.commands.open,
    run: async (ports) => {
      const view = await ports.openChatView();
      view.readyComposer();
    },
  },
  {
    id: 'new-chat',
    name: words.commands.newChat,
    run: async (ports) => {
      const view = await ports.openChatView();
      await view.newChat();
    },
  },
  {
    id: 'show-chats',
    name: words.chats.show,
    run: async (ports) => {
      const view = await ports.openChatView();
      view.showChats();
    },
  },
  { id: 'open-chat-list', name: words.chats.openList, run: (ports) => ports.openChatList() },
  { id: 'show-usage', name: words.usage.show, run: (ports) => ports.openUsage() },
  { id: 'find-in-chat', name: words.find.command, ...inView((view) => void view.find()) },
  { id: 'previous-question', name: words.find.previousQuestion, ...inView((view) => void view.goToQuestion(-1)) },
  { id: 'next-question', name: words.find.nextQuestion, ...inView((view) => void view.goToQuestion(1)) },
  { id: 'go-to-end', name: words.find.end, ...inView((view) => view.goToEnd()) },
  {
    id: 'export-chat',
    name: words.chatNotes.exportCommand,
    when: (ports) => ports.noteActs !== undefined && (ports.findView()?.chatId ?? null) !== null,
    run: (ports) => ports.noteActs?.export(ports.findView()?.chatId ?? ''),
  },
  {
    id: 'show-prompt',
    name: words.commands.inspect,
    run: async (ports) => {
      const view = await ports.openChatView();
      view.inspect();
    },
  },
  { id: 'open-inspector', name: words.inspector.openCommand, run: (ports) => ports.openInspector() },
  {
    id: 'summarise',
    name: words.status.compact.name,
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.summarise(),
  },
  {
    id: 'show-context',
    name: words.status.context.name,
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.showContext(),
  },
  {
    id: 'stop-answer',
    name: words.commands.stop,
    when: (ports) => ports.findView() !== null,
    run: (ports) => ports.findView()?.stop(),
  },
  { id: 'edit-last-question', ...onMessage(words.branches.commands.edit, (acts, { id }) => acts.startEdit(id)) },
  { id: 'regenerate-answer', ...onMessage(words.branches.commands.again, (acts, { id }) => acts.answerAgain(id)) },
  { id: 'fork-chat', ...onMessage(words.branches.commands.fork, (acts, { id }) => acts.fork(id)) },
  { id: 'previous-branch', ...onMessage(words.branches.commands.previous, (acts) => acts.showVersionOfLast(-1)) },
  { id: 'next-branch', ...onMessage(words.branches.commands.next, (acts) => acts.showVersionOfLast(1)) },
  {
    id: 'apply-changes',
    name: words.review.commands.apply,
    when: (ports) => ports.findView()?.review?.canApply === true,
    run: (ports) => ports.findView()?.review?.apply(),
  },
  {
    id: 'reject-changes',
    name: words.review.commands.reject,
    when: (ports) => ports.findView()?.review?.canReject === true,
    run: (ports) => ports.findView()?.review?.rejectAll(''),
  },
  {
    id: 'undo-changes',
    name: words.review.commands.undo,
    when: (ports) => (ports.findView()?.review?.undoable ?? null) !== null,
    run: (ports) => ports.findView()?.review?.undoLast(),
  },
  { id: 'show-prompts', name: words.prompts.manage, run: (ports) => ports.prompts.show() },
  { id: 'ask-about-selection', name: words.prompts.ask, ...onPassage((ports, passage) => ports.prompts.ask(passage)) },
  { id: 'rewrite-selection', name: words.prompts.rewrite, run: ({ prompts }) => prompts.rewrite(prompts.passage()) },
  { id: 'accept-rewrite', ...onRewrite(words.prompts.rewriteCommands.accept, (rewrite) => void rewrite.accept()) },
  { id: 'reject-rewrite', ...onRewrite(words.prompts.rewriteCommands.reject, (rewrite) => rewrite.reject()) },
  {
    id: 'refine-rewrite',
    ...onRewrite(words.prompts.rewriteCommands.refine, ({ step, isRefining }) => (isRefining.value = step === 'done')),
  },
  {
    id: 'write-commit-message',
    name: words.commit.command,
    when: (ports) => ports.prompts.commit.isOffered(),
    run: (ports) => ports.prompts.commit.run(),
  },
  {
    id: 'keep-note',
    name: words.keeping.keep,
    when: (_ports, app) => canSetHidden(app, true),
    run: (_ports, app) => setHidden(app, true),
  },
  {
    id: 'release-note',
    name: words.keeping.release,
    when: (_ports, app) => canSetHidden(app, false),
    run: (_ports, app) => setHidden(app, false),
  },
  {
    id: 'take-note',
    name: words.keeping.own,
    when: ({ untrusted }, app) => isUntrusted(app, untrusted),
    run: ({ untrusted }, app) => trustNote(app, untrusted),
  },
  {
    id: 'distrust-note',
    name: words.keeping.others,
    when: ({ untrusted }, app) => isTrusted(app, untrusted),
    run: ({ untrusted }, app) => distrustNote(app, untrusted),
  },
  { id: 'show-diagnostics', name: words.diagnostics.show, run: (ports) => ports.showDiagnostics() },
  { id: 'new-prompt', ...starting('prompt') },
  { id: 'new-workspace', ...starting('workspace') },
  { id: 'new-skill', ...starting('skill') },
  { id: 'new-subagent', ...starting('subagent') },
  { id: 'create-context-file', ...starting('context-file') },
  { id: 'create-memory', ...starting('memory') },
  {
    id: 'create-system-prompt',
    name: words.starters.systemPrompt,
    run: (ports) => ports.ownPrompt.openOrCreate('system.md'),
  },
  { id: 'create-system-extra', ...starting('system-extra') },
  { id: 'create-system-reminder', ...starting('system-reminder') },
  { id: 'create-commit-rules', ...starting('commit') },
  { id: 'create-compaction', ...starting('compaction') },
  {
    id: 'export-system-prompt-template',
    name: words.ownPrompt.exportTemplate,
    run: (ports) => ports.ownPrompt.export('template'),
  },
  {
    id: 'export-system-prompt-resolved',
    name: words.ownPrompt.exportResolved,
    run: (ports) => ports.ownPrompt.export('resolved'),
  },
  {
    id: 'create-own-templates',
    name: words.ownPrompt.createTemplates,
    run: (ports) => ports.ownPrompt.createTemplates(),
  },
  { id: 'copy-diagnostics', name: words.commands.copyDiagnostics, run: (ports) => copyDiagnostics(ports) },
];

/** Builds a command that is available only while a chat with a message is open. */
function onMessage(name: string, act: (acts: MessageActs, last: UserItem) => unknown) {
  return {
    name,
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
function onRewrite(name: string, act: (rewrite: Rewrite) => unknown) {
  return {
    name,
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
    const { id, name } = command;
    const load = async (): Promise<void> => command.run(await loading.load(), plugin.app);
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const { loaded } = loading;
        if (command.when !== undefined && (loaded === null || !command.when(loaded, plugin.app))) return false;
        if (!checking) void (loaded === null ? load() : command.run(loaded, plugin.app));
        return true;
      },
    });
  }
}

/** Builds a command that makes a note to begin with. */
function starting(kind: StarterKind) {
  return { name: words.starters.commands[kind], run: (ports: CommandPorts) => showStarted(kind, ports) };
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
