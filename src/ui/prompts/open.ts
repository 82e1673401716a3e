/** Opens what users do with prompts: their list, their commands, rewriting, and commit messages. */
import { type App, Notice, type Plugin } from 'obsidian';
import { eitherSignal } from '../../core/base/async';
import type { ChatPorts } from '../../core/chat/chat-view-state';
import { chatToolsOf } from '../../core/context/chat-tools';
import { readPromptFile } from '../../core/library/agent-folder';
import { type PromptRegistry, registerNotes } from '../../core/library/prompt-registry';
import { type OfferedPrompt, offeredPrompts, type PromptLibrary } from '../../core/library/prompts';
import { baseName } from '../../core/library/user-notes';
import { formatMention } from '../../core/mentions/mention-text';
import type { Repository, RepositoryChanges } from '../../core/ports/device';
import { describeFailure, type Outcome, succeed } from '../../core/ports/failure';
import { type ModelEvent, openAccount, type SpendingAccount } from '../../core/ports/model';
import { commitRequest } from '../../core/prompt/background-prompts';
import { findEmptyVariables, type PromptVariable, readPromptValues } from '../../core/prompt/user-text';
import type { Mention } from '../../core/session/entry';
import { runPromptOnce } from '../../core/turn/background-turn';
import { words } from '../../text';
import { type ChatView, openChatView } from '../chat/chat-view';
import { chooseModel, chooseNote, confirmAction } from '../components/dialogs';
import { closeSettings } from '../components/settings-and-menus';
import { listModels, modelChoices, usesBuiltInReader } from '../state/model-choices';
import type { EmptyPrompt, PromptNotes, PromptsPorts, ProviderChoice } from '../state/ports';
import type { EditorRewrites } from './editor-rewrite';
import type { Rewrite } from './rewrite';
import { activePassage, problemOfSelection, type SelectedPassage } from './selected-passage';
import { textOfPrompt } from './use-prompts';

export interface PromptsOutside {
  readonly chat: ChatPorts;
  readonly registry: PromptRegistry;
  readonly notes: PromptNotes;
  readonly repository: Repository;
  readonly providers: readonly ProviderChoice[];
  /** The prompts folder alone, which is read before the vault is followed. */
  readonly folder: PromptLibrary['vault'];
  /** Whether changes of the whole vault are followed, as from the first time a chat view opens. */
  isFollowed(): boolean;
  /** Starts to follow them. */
  viewOpened(): Promise<void>;
  onChange(listener: () => void): () => void;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  readonly allowAsked: PromptsPorts['allowAsked'];
  readonly replacePassage: PromptsPorts['replacePassage'];
  readonly instructions: PromptsPorts['instructions'];
}

/** What users can do with prompts: their list, their commands, the menus of editor and files, rewriting. */
export interface OpenPrompts extends PromptsPorts {
  /** Writes commit messages. */
  readonly commit: OpenCommit;
  /** Must be called when prompt notes or the settings change. */
  notesChanged(): void;
  /** Returns the selection in the active note; null when nothing is selected. */
  passage(): SelectedPassage | null;
  /** Begins a rewrite of a passage in its editor; without one, a notice says why there is none to rewrite. */
  rewrite(passage: SelectedPassage | null): Promise<void>;
  /** Returns the rewrite in the active editor; null for none. */
  rewriting(): Rewrite | null;
  ask(passage: SelectedPassage): Promise<void>;
}

export function openPrompts(app: App, plugin: Plugin, outside: PromptsOutside): OpenPrompts {
  const { chat, registry, providers } = outside;
  const { vault, tokenizer } = chat;
  let reading = new AbortController();
  let rewrites: EditorRewrites | null = null;
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
        openChatView: () => openChatView(app),
        ports,
      }),
  );
  plugin.register(registry.subscribe(() => commands.refresh()));
  plugin.register(() => reading.abort());
  /** Ends with the plugin: a dialog may outlive it, and must not go on asking. */
  const life = new AbortController();
  plugin.register(() => life.abort());

  /** Fails for a note that is hidden or waits: what Docent may not read is not sent by a click either. */
  const visible = async (passage: SelectedPassage): Promise<Outcome<void>> => {
    await outside.viewOpened();
    if (vault.file(passage.path) !== undefined) return succeed(undefined);
    // Reading it says whether it is hidden, or waits to be allowed.
    const refused = await vault.read(passage.path);
    return refused.ok ? succeed(undefined) : refused;
  };
  const commit = openCommit(app, {
    chat,
    repository: outside.repository,
    askOnce: (text, purpose, account, signal) => ports.askOnce(text, purpose, account, signal),
    openSettings: () => outside.openSettings(),
    allowAsked: outside.allowAsked,
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
    instructions: outside.instructions,
    settings: () => chat.settings(),
    onChange: (listener) => outside.onChange(listener),
    readNote: (path, signal) => chat.notes.read(path, signal),
    openNote: (linkText, newTab) => outside.openNote(linkText, newTab),
    openSettings: () => outside.openSettings(),
    allowAsked: outside.allowAsked,
    confirm: (question) => confirmAction(app, question),
    replacePassage: (given) => outside.replacePassage(given),
    show: (want) =>
      void outside.viewOpened().then(async () => {
        const { PromptsModal } = await import('./prompt-list');
        new PromptsModal(app, ports, want === 'new').open();
      }),
    useForChat: async (id) => {
      const view = await openChatView(app);
      await view.choose({ selectedPrompt: id });
      closeSettings(app);
    },
    modelChoices: (used) => modelChoices(providers, chat.settings(), used),
    searchModels: (used, facts) => chooseModel(app, listModels(providers, chat.settings(), used), facts),
    model: (id) => chat.model(id),
    chooseNote: () => chooseNote(app, vault),
    askOnce: async function* (text, purpose, account, signal) {
      const model = chat.model(chat.settings().model);
      if (!model.ok) yield { type: 'failure', failure: model.failure };
      // The request already contains the passage.
      const alone = { ...chat, hostState: { ...chat.hostState, editor: () => null } };
      if (!model.ok) return;
      const either = eitherSignal(signal, life.signal);
      try {
        yield* runPromptOnce(alone, { model: model.value, text, purpose, account }, either.signal);
      } finally {
        either.release();
      }
    },
    valuesFor: (text, written, signal) => {
      const model = chat.model(chat.settings().model);
      const contextWindow = model.ok ? model.value.description.contextWindow : 0;
      const readNote: PromptsPorts['readNote'] = (path, stop) => ports.readNote(path, stop);
      const [editor, device] = [chat.hostState.editor(), chat.hostState.device()];
      return readPromptValues(text, written, { vault, editor, device, readNote, contextWindow }, signal);
    },
    hiddenNote: () => {
      const { path } = chat.hostState.editor()?.activeNote ?? {};
      return path === undefined || vault.file(path) !== undefined ? null : path;
    },
    findEmpty: (mentions, selected) => findEmptyPrompts(mentions, selected, ports),
    notesChanged: () => {
      commands.refresh();
      if (!outside.isFollowed()) return;
      reading.abort();
      reading = new AbortController();
      const readNote = (path: string, signal: AbortSignal) => chat.notes.read(path, signal);
      void registerNotes(registry, vault, chat.agentFolder(), readNote, reading.signal);
    },
    passage: () => activePassage(app),
    rewriting: () => rewrites?.current() ?? null,
    rewrite: async (passage) => {
      const problem = passage === null ? problemOfSelection(app) : '';
      const seen = passage === null ? succeed(undefined) : await visible(passage);
      if (problem !== '' || passage === null) new Notice(problem);
      else if (!seen.ok) new Notice(describeFailure(seen.failure));
      else if (usesBuiltInReader(chat.settings())) new Notice(words.prompts.rewriteNeedsModel);
      else {
        const { openEditorRewrites } = await import('./editor-rewrite');
        rewrites ??= openEditorRewrites(app, plugin, ports);
        rewrites.start(passage);
      }
    },
    ask: async (passage) => {
      const seen = await visible(passage);
      if (!seen.ok) {
        new Notice(describeFailure(seen.failure));
        return;
      }
      const view = await openChatView(app);
      await view.addToDraft(quoteOf(passage), []);
    },
  };
  return ports;
}

function quoteOf({ path, text }: SelectedPassage): string {
  const lines = text.split('\n').map((line) => `> ${line}`);
  return `${words.prompts.askFrom(path.replace(/\.md$/i, ''))}\n\n${lines.join('\n')}\n\n`;
}

/** PromptCommands: an Obsidian command per prompt that can be used, added and removed as prompts come and go. */
export class PromptCommands {
  /** The names of the commands in Obsidian, by command id. */
  private readonly added = new Map<string, string>();
  private wanted: ReadonlyMap<string, OfferedPrompt> = new Map();

  constructor(
    private readonly plugin: Pick<Plugin, 'addCommand' | 'removeCommand'>,
    private readonly offered: () => readonly OfferedPrompt[],
    private readonly run: (prompt: OfferedPrompt) => Promise<void>,
  ) {}

  /** Updates the commands. A command keeps its id, and with it its hotkey, as long as its note keeps its path. */
  refresh(): void {
    this.wanted = new Map(this.offered().map((prompt) => [idOf(prompt), prompt]));
    for (const [id, name] of this.added) {
      if (this.wanted.get(id)?.name === name) continue;
      this.plugin.removeCommand(id);
      this.added.delete(id);
    }
    for (const [id, { name }] of this.wanted) {
      if (this.added.has(id)) continue;
      this.added.set(id, name);
      this.plugin.addCommand({ id, name: words.prompts.run(name), callback: () => void this.runNow(id) });
    }
  }

  private async runNow(id: string): Promise<void> {
    const prompt = this.wanted.get(id);
    if (prompt !== undefined) await this.run(prompt);
  }
}

/** Returns the command id. The agent folder is not part of it, since it can be moved. */
function idOf({ id, source }: OfferedPrompt): string {
  return `prompt-${source === 'config' ? baseName(id) : id}`;
}

interface RunPromptPorts {
  openChatView(): Promise<ChatView>;
  readonly ports: Pick<PromptsPorts, 'vault' | 'registry' | 'readNote' | 'valuesFor' | 'hiddenNote'>;
}

/** Runs a prompt in the chat view: sends it at once, or puts it into the draft if something is missing. */
export async function runPrompt({ id, name }: OfferedPrompt, outside: RunPromptPorts): Promise<void> {
  const { ports } = outside;
  const view = await outside.openChatView();
  await view.untilOpen();
  // The chat in which it was run: another one may be open once the prompt is read.
  const { openedChat } = view;
  const { signal } = new AbortController();
  if ((await textOfPrompt(id, ports, signal)) === null) {
    new Notice(await describeMissing(id, name, ports, signal));
    return;
  }
  const mention: Mention = { kind: 'prompt', id, label: name };
  const empty = await findEmptyPrompts([mention], null, ports);
  if (empty.length === 0) {
    await openedChat?.send(formatMention(mention, '/'), [mention]);
    return;
  }
  await view.addToDraft(`${formatMention(mention, '/')} `, [mention]);
  new Notice(words.prompts.notSentYet(empty.map(({ reasons }) => reasons).join(' ')));
}

// Prompts of a message that have no text, or whose variables have no value, worded before anything is sent.

type Ports = Pick<PromptsPorts, 'vault' | 'registry' | 'readNote' | 'valuesFor' | 'hiddenNote'>;

/**
 * Returns the prompts that can't be used or whose variables would be empty now, each with the reasons.
 * @param selected the prompt of the chat, to which nothing can be written; the chat says itself that it is missing
 */
async function findEmptyPrompts(
  mentions: readonly Mention[],
  selected: string | null,
  ports: Ports,
): Promise<readonly EmptyPrompt[]> {
  const named = mentions
    .filter(({ kind }) => kind === 'prompt')
    .map(({ id, label, arguments: written = '' }) => ({ id, name: label, written }));
  const ofChat = selected === null ? [] : [{ id: selected, name: nameOf(selected, ports), written: null }];
  const signal = new AbortController().signal;
  const found = await Promise.all(
    [...named, ...ofChat].map(async ({ id, name, written }): Promise<EmptyPrompt> => {
      const text = await textOfPrompt(id, ports, signal);
      if (text === null) return { id, reasons: written === null ? '' : await describeMissing(id, name, ports, signal) };
      const empty = findEmptyVariables(text, await ports.valuesFor(text, written ?? '', signal));
      // Nothing is ever written after the name of a chat's prompt.
      const missing = written === null ? empty.filter((each) => each !== 'arguments') : empty;
      return { id, reasons: describeEmpty(name, missing, ports.hiddenNote()) };
    }),
  );
  return found.filter(({ reasons }) => reasons !== '');
}

async function describeMissing(
  id: string,
  name: string,
  { readNote }: Pick<Ports, 'readNote'>,
  signal: AbortSignal,
): Promise<string> {
  const read = await readNote(id, signal);
  const isWaiting = !read.ok && read.failure.action === 'review-instructions';
  return isWaiting ? describeFailure(read.failure) : words.prompts.notThere(name);
}

function nameOf(id: string, { registry }: Pick<Ports, 'registry'>): string {
  return registry.get(id)?.name ?? baseName(id);
}

const ofNote: readonly PromptVariable[] = ['selection', 'activeNote', 'title', 'noteText'];

/**
 * Returns a sentence per variable.
 * @param hiddenNote the open note if it is hidden, which is as if it were closed
 */
function describeEmpty(name: string, variables: readonly PromptVariable[], hiddenNote: string | null): string {
  const say = words.prompts;
  const reasonOf = (variable: PromptVariable): string =>
    hiddenNote !== null && ofNote.includes(variable) ? say.emptyHidden(hiddenNote) : say.empty[variable];
  return variables.map((variable) => say.emptyVariable(name, variable, reasonOf(variable))).join(' ');
}

// Commit messages.

/** Maximum tokens of the diff, and its maximum share of the context window. */
const maxTokens = 8_000;
const windowShare = 0.25;

export interface CommitOutside {
  readonly repository: Repository;
  readonly chat: Pick<ChatPorts, 'vault' | 'notes' | 'tokenizer' | 'settings' | 'model' | 'hostState' | 'agentFolder'>;
  readonly askOnce: PromptsPorts['askOnce'];
  openSettings(): void;
  readonly allowAsked: PromptsPorts['allowAsked'];
}

/** Opens commit messages: the repository, the user's own rules, and one model request. */
interface OpenCommit {
  /** Whether the vault is known to be a repository. */
  isOffered(): boolean;
  run(): Promise<void>;
}

export function openCommit(app: App, outside: CommitOutside): OpenCommit {
  const { repository, chat } = outside;
  return {
    isOffered: () => chat.hostState.device().repository,
    run: async () => {
      if (usesBuiltInReader(chat.settings())) {
        new Notice(words.commit.needsModel);
        return;
      }
      const { CommitModal } = await import('./commit-message');
      const account = openAccount();
      new CommitModal(app, {
        changes: (signal) => repository.changes(signal),
        ask: (changes, signal) => askFor(changes, { ...outside, account }, signal),
        openSettings: () => outside.openSettings(),
        allowAsked: outside.allowAsked,
      }).open();
    },
  };
}

/** Requests a commit message. `commit.md` is read at each use (R263). */
export async function* askFor(
  changes: RepositoryChanges,
  { chat, askOnce, account }: Pick<CommitOutside, 'chat' | 'askOnce'> & { readonly account: SpendingAccount },
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const readNote = (path: string, stop: AbortSignal) => chat.notes.read(path, stop);
  const own = await readPromptFile({ vault: chat.vault, agentFolder: chat.agentFolder(), readNote }, 'commit', signal);
  const model = chat.model(chat.settings().model);
  const window = model.ok ? model.value.description.contextWindow : 0;
  const tokens = Math.min(maxTokens, Math.floor(window * windowShare));
  yield* askOnce(commitRequest(changes, own, tokens, chat.tokenizer), 'commit', account, signal);
}
