/** Puts together what people do with prompts: their list, their commands, the menus of editor and files, rewriting. */
import { type App, Notice, type Plugin } from 'obsidian';
import type { ChatPorts } from '../../core/chat/chat-view-state';
import { chatToolsOf } from '../../core/context/chat-tools';
import { type PromptRegistry, registerNotes } from '../../core/library/prompt-registry';
import { offeredPrompts, type PromptLibrary } from '../../core/library/prompts';
import type { Repository } from '../../core/ports/device';
import { describeFailure, fail, type Outcome, succeed } from '../../core/ports/failure';
import { runPromptOnce } from '../../core/turn/background-turn';
import { words } from '../../text';
import { type OpenCommit, openCommit } from '../commit/open-commit';
import { closeSettings } from '../components/app-windows';
import { chooseNote, confirmAction } from '../components/dialogs';
import { openPane } from '../open-pane';
import { passageInFront, type SelectedPassage } from '../rewrite/selected-passage';
import { modelChoices, usesReader } from '../state/model-choices';
import type { PromptNotes, PromptsPorts, ProviderChoice } from '../state/ports';
import { PromptCommands } from './prompt-commands';
import { runPrompt } from './run-prompt';
import { textOfPrompt } from './use-prompts';

export interface PromptsOutside {
  readonly chat: ChatPorts;
  readonly registry: PromptRegistry;
  readonly notes: PromptNotes;
  /** Null on a phone. */
  readonly repository: Repository | null;
  readonly providers: readonly ProviderChoice[];
  /** The prompts' folder alone, which is looked at before the vault is followed. */
  readonly folder: PromptLibrary['vault'];
  /** Whether changes of the whole vault are followed, as since the pane was first opened. */
  isFollowed(): boolean;
  /** Begins to follow them. */
  paneOpened(): Promise<void>;
  onChange(listener: () => void): () => void;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
}

export interface OpenPrompts extends PromptsPorts {
  /** Writes messages for commits. */
  readonly commit: OpenCommit;
  /** To be called when the prompts' notes or the settings changed. */
  notesChanged(): void;
  /** What is selected in the note in front; null when nothing is. */
  passage(): SelectedPassage | null;
  rewrite(passage: SelectedPassage): Promise<void>;
  ask(passage: SelectedPassage): Promise<void>;
}

export function openPrompts(app: App, plugin: Plugin, outside: PromptsOutside): OpenPrompts {
  const { chat, registry, providers } = outside;
  const { vault, tokenizer } = chat;
  let reading = new AbortController();
  const commands = new PromptCommands(
    plugin,
    () =>
      offeredPrompts({
        vault: outside.isFollowed() ? vault : outside.folder,
        agentFolder: chat.agentFolder(),
        registered: registry.list(),
        toolNames: chatToolsOf(chat).map(({ name }) => name),
      }),
    (prompt) =>
      runPrompt(prompt, {
        openPane: () => openPane(app),
        editor: () => chat.surroundings.editor(),
        textOf: (id) => textOfPrompt(id, ports, new AbortController().signal),
      }),
  );
  plugin.register(registry.subscribe(() => commands.refresh()));
  plugin.register(() => reading.abort());

  /** What is kept from the agent is not sent by a click either. */
  const visible = async (passage: SelectedPassage): Promise<Outcome<void>> => {
    await outside.paneOpened();
    if (vault.file(passage.path) !== undefined) return succeed(undefined);
    const remedy = words.failures.pathHiddenRemedy;
    return fail({ kind: 'refused', words: words.failures.pathHidden(passage.path), remedy });
  };
  const commit = openCommit(app, {
    chat,
    repository: outside.repository,
    askOnce: (text, signal) => ports.askOnce(text, signal),
    openSettings: () => outside.openSettings(),
  });
  const ports: OpenPrompts = {
    commit,
    vault,
    get tools() {
      return chatToolsOf(chat);
    },
    tokenizer,
    registry,
    notes: outside.notes,
    settings: () => chat.settings(),
    onChange: (listener) => outside.onChange(listener),
    readNote: (path, signal) => chat.notes.read(path, signal),
    openNote: (linkText, newTab) => outside.openNote(linkText, newTab),
    openSettings: () => outside.openSettings(),
    confirm: (question) => confirmAction(app, question),
    show: (want) =>
      void outside.paneOpened().then(async () => {
        const { PromptsModal } = await import('./prompts-modal');
        new PromptsModal(app, ports, want === 'new').open();
      }),
    stand: async (id) => {
      const view = await openPane(app);
      await view.choose({ selectedPrompt: id });
      closeSettings(app);
    },
    modelChoices: (used) => modelChoices(providers, chat.settings(), used),
    model: (id) => chat.model(id),
    chooseNote: () => chooseNote(app, vault),
    askOnce: async function* (text, signal) {
      const model = chat.model(chat.settings().model);
      if (!model.ok) yield { type: 'failure', failure: model.failure };
      // The passage stands in the request already.
      const alone = { ...chat, surroundings: { ...chat.surroundings, editor: () => null } };
      if (model.ok) yield* runPromptOnce(alone, { model: model.value, text }, signal);
    },
    date: () => chat.surroundings.device().date,
    notesChanged: () => {
      commands.refresh();
      if (!outside.isFollowed()) return;
      reading.abort();
      reading = new AbortController();
      const readNote = (path: string, signal: AbortSignal) => chat.notes.read(path, signal);
      void registerNotes(registry, vault, chat.agentFolder(), readNote, reading.signal);
    },
    passage: () => passageInFront(app),
    rewrite: async (passage) => {
      const seen = await visible(passage);
      if (!seen.ok) new Notice(describeFailure(seen.failure));
      else if (usesReader(chat.settings())) new Notice(words.prompts.rewriteNeedsModel);
      else {
        const { RewriteModal } = await import('../rewrite/rewrite-modal');
        new RewriteModal(app, ports, passage).open();
      }
    },
    ask: async (passage) => {
      const seen = await visible(passage);
      if (!seen.ok) {
        new Notice(describeFailure(seen.failure));
        return;
      }
      const view = await openPane(app);
      await view.addToDraft(quoteOf(passage), []);
    },
  };
  return ports;
}

function quoteOf({ path, text }: SelectedPassage): string {
  const lines = text.split('\n').map((line) => `> ${line}`);
  return `${words.prompts.askFrom(path.replace(/\.md$/i, ''))}\n\n${lines.join('\n')}\n\n`;
}
