/**
 * Opens the interface: its views and what they may ask of the rest, its commands, menus, settings tab, and status bar.
 */
import {
  type App,
  type HoverParent,
  type HoverPopover,
  type MenuItem,
  Notice,
  Platform,
  type Plugin,
  type TAbstractFile,
  TFile,
  TFolder,
} from 'obsidian';
import type { ChatNotePorts } from '../core/chat/chat-note';
import type { ChatPorts } from '../core/chat/chat-view-state';
import { readAskingNote } from '../core/context/chat-choices';
import { chatToolsOf } from '../core/context/chat-tools';
import { type CompactionSettings, fullnessOf } from '../core/context/context-window';
import type { PromptRegistry } from '../core/library/prompt-registry';
import { skillsOfChat } from '../core/library/skills';
import { pathOfStarter, startNote } from '../core/library/starters';
import { formatMention } from '../core/mentions/mention-text';
import { linkTextOf } from '../core/mentions/note';
import { succeed } from '../core/ports/failure';
import type { SignIns } from '../core/ports/network';
import type { RequestPlan } from '../core/ports/request-plan';
import type { Mention } from '../core/session/entry';
import type { Provenance } from '../core/writing/guard/provenance';
import { taintOf } from '../core/writing/guard/taint';
import { words } from '../text';
import { chatViewType, findView, openChatView, planInUse } from './chat/chat-view';
import { openNoteActs } from './chat/note-acts';
import { type CommandPorts, copyDiagnostics, showStarted } from './commands';
import { confirmLink } from './components/dialogs';
import { InstructionFilesModal, type InstructionFilesPorts } from './components/instruction-files';
import { openCitation, openLink } from './components/open-citation';
import { closeSettings, openSearch, openSettings } from './components/settings-and-menus';
import { DiagnosticsModal, hideInterruptedWrites } from './diagnostics/diagnostics';
import { NoteMarks, type NoteProvenance } from './note-marks';
import { openCustomSystemPrompt, type OwnPrompt, type OwnPromptOptions } from './prompts/custom-system-prompt';
import { openPrompts, type OpenPrompts, type PromptsOutside } from './prompts/open';
import { selectedPassage } from './prompts/selected-passage';
import { SettingsTab } from './settings/settings-tab';
import { chatsViewType, openInspector, openUsage } from './side-views';
import type { ChatViewPorts, InterruptedWrites, ModelsPorts, SettingsPorts } from './state/ports';

type GivenToView =
  | 'chatIndex'
  | 'chats'
  | 'check'
  | 'commands'
  | 'createFolder'
  | 'images'
  | 'mentionSources'
  | 'mentionTokens'
  | 'searchIndex'
  | 'sentRequests'
  | 'usage';
type GivenToSettings = 'bindKey' | 'change' | 'damaged' | 'homeSkills' | 'servers';

export interface UiOutside extends Pick<ChatViewPorts, GivenToView>, Pick<SettingsPorts, GivenToSettings> {
  readonly chat: ChatPorts;
  /** How stored chats are read as notes. */
  readonly chatNotes: ChatNotePorts;
  readonly registry: PromptRegistry;
  readonly signIns: SignIns;
  readonly models: ModelsPorts & Pick<SettingsPorts, 'saveKey' | 'sending' | 'testConnection'>;
  readonly writing: InterruptedWrites & NonNullable<SettingsPorts['journal']>;
  /** Whose text notes are. */
  readonly untrusted: Provenance;
  /** Which files direct the agent, and which of them wait. */
  readonly instructions: InstructionFilesPorts;
  readonly systemPrompt: Omit<OwnPromptOptions, 'chat' | 'openChat' | 'change'>;
  readonly prompts: Pick<PromptsOutside, 'notes' | 'repository' | 'folder' | 'isFollowed'>;
  /** Starts what must cost nothing before a view opens: following the vault, servers, and writing. */
  firstOpened(): Promise<void>;
  /** Calls the listener when the vault, the settings, the prompts, or the servers change. */
  readonly onChange: (listener: () => void) => () => void;
  /** Calls the listener with both paths when a file or folder is moved or renamed in the app. */
  readonly onMoved: NonNullable<ChatViewPorts['onMoved']>;
  /** Returns what was moved since a time, also before this session. */
  readonly movesSince: NonNullable<ChatViewPorts['movesSince']>;
  /** Calls the listener when prompt notes or the settings change. */
  onPromptsChanged(listener: () => void): void;
  /** Returns the text of the diagnostics. */
  readonly diagnostics: () => string;
}

export interface Ui {
  readonly viewPorts: ChatViewPorts;
  readonly commands: CommandPorts;
  readonly systemPrompt: OwnPrompt;
}

export function openUi(plugin: Plugin, outside: UiOutside): Ui {
  const { app, manifest } = plugin;
  const { chat, chats, chatIndex, registry, models, servers, writing, untrusted, diagnostics, onChange } = outside;
  const { vault, device } = chat;
  const settings = (): ReturnType<ChatPorts['settings']> => chat.settings();
  const openNote = (linkText: string, newTab: boolean): void => void openLink(app, linkText, newTab);
  const openOwnSettings = (): void => openSettings(app, manifest.id);
  const viewOpened = async (): Promise<void> => {
    await outside.firstOpened();
    prompts.notesChanged();
  };
  const systemPrompt = openCustomSystemPrompt(app, {
    ...outside.systemPrompt,
    chat,
    change: outside.change,
    openChat: () => findView(app)?.openedChat ?? null,
  });
  const instructions: SettingsPorts['instructions'] = {
    files: outside.instructions.files,
    review: (isWhole) => new InstructionFilesModal(app, outside.instructions, isWhole).open(),
  };
  const prompts = openPrompts(app, plugin, {
    ...outside.prompts,
    ...{ instructions, chat, registry, viewOpened, onChange, openNote, openSettings: openOwnSettings },
    allowAsked: models.allowAsked,
    providers: models.choices,
    replacePassage: async (given) => {
      const { path } = given;
      const taint = provenance.has(path) ? path : null;
      return (await noteActs?.replace({ ...given, taint })) ?? succeed(false);
    },
  });
  const provenance: NoteProvenance = {
    has: (path) => taintOf({ notes: [{ path }] }, { vault, clippings: settings().clippingFolders, untrusted }) !== null,
    // The marks that this ends may be on disk only.
    keep: (path) => void untrusted.refresh().then(() => untrusted.keep(path)),
    say: (path, is) => untrusted.say(path, is),
    saidOf: (path) => untrusted.saidOf(path),
  };
  const noteMarks = new NoteMarks(app, provenance);
  plugin.register(hideInterruptedWrites);
  registerMenus(app, plugin, prompts, noteMarks);
  app.workspace.onLayoutReady(() => {
    outside.onPromptsChanged(() => prompts.notesChanged());
    prompts.notesChanged();
  });
  const isTaken = (path: string): boolean => app.vault.getAbstractFileByPath(path) !== null;
  const start: CommandPorts['startNote'] = (kind) => {
    const create: typeof outside.prompts.notes.create = (path, text) => outside.prompts.notes.create(path, text);
    return startNote(kind, { agentFolder: chat.agentFolder(), isTaken, create });
  };
  const starters: SettingsPorts['starters'] = {
    isThere: (kind) => isTaken(pathOfStarter(kind, chat.agentFolder()) ?? ''),
    start: async (kind) => {
      closeSettings(app);
      if (starters.isThere(kind)) openNote(pathOfStarter(kind, chat.agentFolder()) ?? '', false);
      else await showStarted(kind, commands);
    },
  };
  const noteActs =
    chat.writing === undefined
      ? undefined
      : openNoteActs({
          ...{ app, vault, writing: chat.writing, chats: outside.chatNotes },
          confirm: (question) => prompts.confirm(question),
          openNote: (path) => openNote(path, false),
        });
  const statusBar = openStatusBar(plugin, settings(), () => findView(app)?.showContext());
  const showPlan = (): void => {
    if (statusBar !== null) drawStatusBarItem(statusBar, planInUse(app), settings());
  };
  plugin.registerEvent(app.workspace.on('active-leaf-change', showPlan));
  const showDiagnostics = async (): Promise<void> => {
    await viewOpened();
    const view = findView(app);
    if (view === null) new DiagnosticsModal(app, viewPorts, () => null).open();
    else view.showDiagnostics();
  };
  const openExternal = (url: string): void => void window.open(url, '_blank', 'noopener');
  const { signIns } = outside;
  const signIn: SettingsPorts['signIn'] = {
    stateOf: (server) => signIns.stateOf(server),
    signOut: (server) => signIns.signOut(server),
    subscribe: (listener) => signIns.subscribe(listener),
    open: async (server) => {
      const { SignInModal } = await import('./servers/sign-in');
      new SignInModal(app, { signIns, openExternal }, server).open();
    },
  };
  const showCatalog = (name: string): void =>
    void import('./servers/catalog').then(({ CatalogModal }) => new CatalogModal(app, servers, name, signIn).open());
  const viewPorts: ChatViewPorts = {
    ...{ vault, models, device, settings, prompts, chats, chatIndex, servers, viewOpened, onChange, openNote },
    ...{ onMoved: outside.onMoved, movesSince: outside.movesSince },
    ...{ ownPrompt: systemPrompt, cutOff: writing, openSettings: openOwnSettings },
    ...(chat.unsaved === undefined ? {} : { unsaved: chat.unsaved }),
    images: outside.images,
    instructions,
    signIn,
    ...(noteActs === undefined ? {} : { noteActs }),
    mentionSources: outside.mentionSources,
    ...{ mentionTokens: outside.mentionTokens, searchIndex: outside.searchIndex },
    ...(outside.sentRequests === undefined ? {} : { sentRequests: outside.sentRequests }),
    openInspector: () => void openInspector(app),
    ...{ commands: outside.commands, usage: outside.usage, openUsage: () => void openUsage(app) },
    skills: (workspace) => skillsOfChat(vault, settings().agentFolder, workspace, chat.givenSkills?.()).skills,
    get tools() {
      return chatToolsOf(chat);
    },
    showCatalog,
    fillPrompt: async (prompt) => {
      const { askForArguments } = await import('./servers/prompt-arguments');
      return askForArguments(app, servers, prompt);
    },
    planned: showPlan,
    activeNote: () => chat.hostState.editor()?.activeNote?.path ?? null,
    noteInFront: {
      current: () => chat.hostState.editor()?.activeNote ?? null,
      subscribe: (listener) => {
        const { workspace } = app;
        // While the chat has the focus, notes are closed and opened that Obsidian does not call the open file.
        const heard = [
          workspace.on('file-open', listener),
          workspace.on('active-leaf-change', listener),
          workspace.on('layout-change', listener),
        ];
        // Renamed or hidden, it is another note to the agent.
        const release = onChange(listener);
        return () => {
          for (const each of heard) workspace.offref(each);
          release();
        };
      },
    },
    previewNote: (linkText, target, event) => previewNote(app, linkText, target, event),
    openCitation: (linkText, newTab, quoted) => void openCitation(app, linkText, newTab, quoted),
    openSearch: (query) => openSearch(app, query),
    openExternal,
    confirmLink: (decision) => confirmLink(app, decision),
    check: outside.check,
    createFolder: outside.createFolder,
    showDiagnostics: () => void showDiagnostics(),
    copyDiagnostics: () => void copyDiagnostics({ diagnostics }),
    startNote: (kind) => void starters.start(kind),
    askingNote: (path) => readAskingNote(vault, settings().agentFolder, path),
    openChatIn: (chat, place) => {
      const leaf = app.workspace.getLeaf(place);
      void leaf.setViewState({ type: chatViewType, state: { chat }, active: true });
    },
    report: (said) => said !== '' && new Notice(said),
  };
  const { bindKey, change, damaged, homeSkills } = outside;
  const { saveKey, sending, testConnection } = models;
  plugin.addSettingTab(
    new SettingsTab(app, plugin, {
      ...{
        models,
        servers,
        settings,
        change,
        damaged,
        prompts,
        starters,
        homeSkills,
        bindKey,
        ownPrompt: systemPrompt,
        journal: writing,
        provenance: untrusted,
        openUsage: () => {
          closeSettings(app);
          void openUsage(app);
        },
        instructions,
        showCatalog,
        signIn,
      },
      providers: models.choices,
      ...{ saveKey, sending, testConnection },
      searchModels: () => prompts.searchModels(settings().model, { device, models }),
    }),
  );
  const commands: CommandPorts = {
    ...(noteActs === undefined ? {} : { noteActs }),
    ...{ showDiagnostics, noteMarks, ownPrompt: systemPrompt, prompts, diagnostics },
    openChatView: () => openChatView(app),
    openChatList: async () => {
      await app.workspace.ensureSideLeaf(chatsViewType, 'left', { active: true, reveal: true });
    },
    openUsage: () => openUsage(app),
    openInspector: () => openInspector(app),
    findView: () => findView(app),
    startNote: start,
    openNote: (path) => openNote(path, false),
  };
  return { viewPorts: viewPorts, commands, systemPrompt };
}

const section = 'docent';

/** Registers what Docent adds to the menus of the editor and of files. */
function registerMenus(app: App, plugin: Plugin, ports: OpenPrompts, noteMarks: NoteMarks): void {
  const { workspace } = app;
  plugin.registerEvent(
    workspace.on('editor-menu', (menu, editor, info) => {
      const passage = selectedPassage(editor, info);
      if (passage === null) return;
      menu.addItem((item) =>
        item
          .setSection(section)
          .setTitle(words.commandNames['ask-about-selection'])
          .setIcon('message-circle')
          .onClick(() => void ports.ask(passage)),
      );
      menu.addItem((item) =>
        item
          .setSection(section)
          .setTitle(words.commandNames['rewrite-selection'])
          .setIcon('pencil-line')
          .onClick(() => void ports.rewrite(passage)),
      );
    }),
  );
  const offer = (files: readonly TAbstractFile[]) => (item: MenuItem) =>
    item
      .setSection(section)
      .setTitle(words.prompts.addToChat)
      .setIcon('message-circle-plus')
      .onClick(() => void addToChat(app, ports, files));
  plugin.registerEvent(
    workspace.on('file-menu', (menu, file) => {
      if (canBeAdded(file)) menu.addItem(offer([file]));
    }),
  );
  noteMarks.registerHideMenu(plugin, section);
  noteMarks.registerTrustMenu(plugin, section);
  plugin.registerEvent(
    workspace.on('files-menu', (menu, files) => {
      const added = files.filter(canBeAdded);
      if (added.length > 0) menu.addItem(offer(added));
    }),
  );
}

function canBeAdded(file: TAbstractFile): boolean {
  return file instanceof TFolder ? !file.isRoot() : file instanceof TFile && file.extension === 'md';
}

/** Attaches files to the draft, as if they had been named after `[[`. */
async function addToChat(app: App, { vault }: OpenPrompts, files: readonly TAbstractFile[]): Promise<void> {
  const view = await openChatView(app);
  await view.untilOpen();
  const mentions = files.map((file): Mention =>
    file instanceof TFolder
      ? { kind: 'folder', id: file.path, label: `${file.path}/` }
      : { kind: 'note', id: file.path, label: linkTextOf(vault, file.path) },
  );
  await view.addToDraft(mentions.map((mention) => `${formatMention(mention)} `).join(''), mentions);
}

/** Adds an item to the status bar, empty until it is drawn; null on mobile, which has no status bar. */
export function openStatusBar(plugin: Plugin, settings: CompactionSettings, onClick: () => void): HTMLElement | null {
  if (Platform.isMobile) return null;
  const element = plugin.addStatusBarItem();
  drawStatusBarItem(element, null, settings);
  plugin.registerDomEvent(element, 'click', onClick);
  return element;
}

const levels = ['is-ok', 'is-warning', 'is-critical'];

/** Shows how full the context window of the open chat is; without a plan the item is hidden. */
export function drawStatusBarItem(element: HTMLElement, plan: RequestPlan | null, settings: CompactionSettings): void {
  element.toggle(plan !== null);
  if (plan === null) return;
  const { percent, level } = fullnessOf(plan.totals, settings);
  element.removeClasses(levels);
  element.addClasses(['docent-status-bar', 'mod-clickable', `is-${level}`]);
  element.setText(words.status.statusBar(percent));
}

class LinkHover implements HoverParent {
  hoverPopover: HoverPopover | null = null;
}

const linkHover = new LinkHover();

/** Asks Obsidian to preview a note when the pointer is over a link to it. */
function previewNote(app: App, linktext: string, targetEl: HTMLElement, event: MouseEvent): void {
  const { workspace } = app;
  workspace.trigger('hover-link', {
    ...{ event, hoverParent: linkHover, targetEl, linktext },
    source: chatViewType,
    sourcePath: '',
  });
}
