/** The composition root: builds the adapters and hands them over as ports, when the pane or a command first needs them. */
import workerCode from 'docent:count-worker';
import ranks from 'docent:packed-ranks';
import { apiVersion, Platform, type Plugin, requestUrl } from 'obsidian';
import * as z from 'zod/v4';
import type { ChatPorts } from './core/chat/chat-view-state';
import { OpenChats } from './core/chat/open-chats';
import { chatToolsOf } from './core/context/chat-tools';
import { type EventLog, printDiagnostics } from './core/diagnostics/event-log';
import type { Hooks } from './core/hooks/hooks';
import { starterContextFile } from './core/library/context-files';
import { PromptRegistry } from './core/library/prompt-registry';
import { mentionSources } from './core/mentions';
import { chatCommands } from './core/mentions/commands';
import { allowsOutside } from './core/own-prompt/text-files';
import type { DeviceStorage } from './core/ports/device';
import { builtInPrompts } from './core/prompt/built-in';
import { type SwitchPorts, sectionsOn } from './core/prompt/composition-options';
import { NoteCache } from './core/prompt/facts/attached-notes';
import { assistant } from './core/prompt/modes';
import { type OverridePorts, readCustomBase } from './core/prompt/override';
import { templateBudgets } from './core/prompt/prompt-orchestrator';
import { sections } from './core/prompt/sections';
import { forgetPassages } from './core/search/passage-index';
import { tools } from './core/tools';
import { openComputer } from './desktop/computer';
import { openRepository } from './desktop/git-repository';
import { openRealPaths } from './desktop/real-paths';
import type { Transport } from './models/http/transport';
import { openModels } from './models/open';
import { openChecks } from './open-checks';
import { openServers } from './open-servers';
import { openTokens } from './tokens/open';
import { findView, openPane } from './ui/chat/chat-view';
import { openImages } from './ui/chat/images';
import { type CommandPorts, copyDiagnostics } from './ui/commands';
import { openSettings } from './ui/components/app-windows';
import { confirmLink } from './ui/components/dialogs';
import { DiagnosticsModal } from './ui/diagnostics/diagnostics';
import { registerMenus } from './ui/menus';
import { previewNote } from './ui/preview-note';
import { openOwnPrompt } from './ui/prompts/custom-system-prompt';
import { openPrompts } from './ui/prompts/open';
import { openOffer } from './ui/servers/open-offer';
import { SettingsTab } from './ui/settings/settings-tab';
import type { PanePorts } from './ui/state/ports';
import { openStatusBar } from './ui/status/open-status-bar';
import { drawStatusBarItem } from './ui/status/status-bar-item';
import type { Keys } from './vault/api-keys';
import { pathsOf, type VaultChange, VaultChanges } from './vault/changes';
import { imageFilesOf, SessionFiles } from './vault/chat-files';
import { clock, digest, digestOf, identifiers, pace, writerOf } from './vault/device';
import { surroundingsOf } from './vault/host-state';
import type { SettingsFile } from './vault/settings-file';
import { openVault } from './vault/stack';
import { createFolder, createNote, folderNotes, promptNotesOf, stateNotesOf, textFilesOf } from './vault/user-notes';
import { vaultRootOf } from './vault/vault-root';
import { openWriting } from './vault/writing';

// It would else try out generated code.
z.config({ jitless: true });

/** What is there from the start of the app on. */
export interface Started {
  readonly file: SettingsFile;
  readonly device: DeviceStorage;
  readonly keys: Keys;
  readonly log: EventLog;
  readonly hooks: Hooks;
}

/** What the view and the commands of the plugin need. */
export interface Docent {
  readonly pane: PanePorts;
  readonly commands: CommandPorts;
}

export function openDocent(plugin: Plugin, { file, device, keys, log, hooks }: Started): Docent {
  const { app, manifest } = plugin;
  const ownFolders = (): string[] => ['chats', 'exports'].map((name) => `${file.settings.agentFolder}/${name}`);
  const changes = new VaultChanges(app, (path) => ownFolders().some((folder) => path.startsWith(`${folder}/`)));
  const disk = openVault(app, changes, ownFolders, () => file.settings);
  const { vault, refresh, flush, isRepository } = disk;
  const chatFolder = (): string => `${file.settings.agentFolder}/chats`;
  const imageFiles = imageFilesOf(app.vault, chatFolder);
  const images = openImages({ vault, files: imageFiles, digest: digestOf });
  const transport: Transport = {
    fetch: (url, init) => window.fetch(url, init),
    requestUrl: (request) => requestUrl(request),
    memory: device,
  };
  const models = openModels(file, {
    readImage: imageFiles.read,
    transport,
    pace,
    key: (keyName, origin, ownOrigin) => keys.read(keyName, origin, ownOrigin),
  });
  const notes = new NoteCache(vault);
  const forget = (batch: readonly VaultChange[]): void => {
    const paths = pathsOf(batch);
    notes.forget(paths);
    mentionTokens.forget(paths);
    forgetPassages(vault, paths);
    void chats.heard(batch);
  };
  const tokens = openTokens({ ranks, workerCode, after: pace.after }, device);
  const mentionTokens = tokens.mentionsOf(vault, (path, signal) => notes.read(path, signal));
  const computer = openComputer({ Platform, vaultRoot: vaultRootOf(app.vault.adapter) });
  const agentFolder = (): string => file.settings.agentFolder;
  const contextFiles = (): readonly string[] => file.settings.contextFiles;
  const realPaths = openRealPaths(Platform, computer);
  const writing = openWriting({ app, changes, disk, manifest, realPaths, device, agentFolder, contextFiles });
  const override: OverridePorts & SwitchPorts = {
    computer,
    settings: () => file.settings,
    agentFolder,
    allowsOutside: (path) => allowsOutside(device, path),
  };
  const registry = new PromptRegistry();
  registry.replaceSource('static', builtInPrompts);
  const servers = openServers(plugin, { file, device, keys, log, registry, ...transport });
  const chatPorts: ChatPorts = {
    vault,
    notes,
    registry,
    get sections() {
      return sectionsOn(sections, override);
    },
    customTemplate: async (world, signal) => {
      const base = await readCustomBase(override, world, signal);
      return base.ok ? base.value : { blocked: base.failure };
    },
    promptSent: (system) => ownPrompt.promptSent(system),
    tools,
    servers,
    after: pace.after,
    images: images.attached,
    writing: writing.ports,
    tokenizer: tokens.tokenizer,
    factors: tokens.factors,
    clock,
    device,
    refresh,
    flush,
    hooks,
    surroundings: surroundingsOf(app, () => file.settings, isRepository),
    agentFolder: () => file.settings.agentFolder,
    settings: () => file.settings,
    model: models.open,
    note: (text) => log.add('turn', text),
    states: stateNotesOf(app.vault, () => `${agentFolder()}/states`, contextFiles),
  };
  const session = identifiers.next();
  const writer = writerOf(device);
  const store = new SessionFiles(app.vault.adapter, chatFolder, `${writer}-${session}`);
  const chats = new OpenChats(chatPorts, { store, clock, identifiers, digest, writer, session });
  plugin.register(() => chats.close());
  plugin.register(() => tokens.close());
  plugin.register(() => changes.stop());

  const ownPrompt = openOwnPrompt(app, {
    chat: chatPorts,
    sections,
    files: textFilesOf(app.vault),
    computer,
    device,
    digest,
    start: assistant,
    templateBudget: (tier) => templateBudgets[tier],
    change: (part) => file.change(part),
    openChat: () => findView(app)?.openedChat ?? null,
    note: (text) => log.add('prompt', text),
  });

  const promptFolder = (): string => `${file.settings.agentFolder}/prompts`;
  const prompts = openPrompts(app, plugin, {
    chat: chatPorts,
    registry,
    notes: promptNotesOf(app, flush),
    repository: openRepository({ Platform, computer, ...disk }),
    providers: models.choices,
    folder: folderNotes(app, promptFolder),
    isFollowed: () => changes.revision !== null,
    paneOpened: () => panePorts.paneOpened(),
    onChange: (listener) => panePorts.onChange(listener),
    openNote: (linkText, newTab) => panePorts.openNote(linkText, newTab),
    openSettings: () => panePorts.openSettings(),
  });
  registerMenus(app, plugin, prompts);
  app.workspace.onLayoutReady(() => {
    changes.watchFolder(promptFolder, () => prompts.notesChanged());
    prompts.notesChanged();
  });
  plugin.register(file.subscribe(() => prompts.notesChanged()));

  const diagnostics = (): string =>
    printDiagnostics({
      pluginVersion: manifest.version,
      appVersion: apiVersion,
      platform: Platform.isMobile ? 'mobile' : 'desktop',
      settings: file.settings,
      notes: vault.files().length,
      log,
      secrets: keys.valuesOf(file.settings),
    });
  const statusBar = openStatusBar(plugin, file.settings, () => findView(app)?.showContext());
  const panePorts: PanePorts = {
    vault,
    images,
    models,
    mentionSources,
    mentionTokens,
    get tools() {
      return chatToolsOf(chatPorts);
    },
    commands: chatCommands,
    device,
    settings: () => file.settings,
    ownPrompt,
    prompts,
    chats,
    servers,
    lookAtServer: (name) => void openOffer(app, servers, name),
    paneOpened: async () => {
      changes.start(forget);
      void servers.start();
      await Promise.all([refresh(), writing.start()]);
      prompts.notesChanged();
    },
    onChange: (listener) => {
      const releases = [
        changes.subscribe(listener),
        file.subscribe(listener),
        registry.subscribe(listener),
        servers.subscribe(listener),
      ];
      return () => releases.forEach((release) => release());
    },
    planned: (plan) => statusBar !== null && drawStatusBarItem(statusBar, plan, file.settings),
    activeNote: () => chatPorts.surroundings.editor()?.activeNote?.path ?? null,
    openNote: (linkText, newTab) => void app.workspace.openLinkText(linkText, '', newTab),
    previewNote: (linkText, target, event) => previewNote(app, linkText, target, event),
    openExternal: (url) => void window.open(url, '_blank', 'noopener'),
    confirmLink: (decision) => confirmLink(app, decision),
    openSettings: () => openSettings(app, manifest.id),
    check: openChecks({ chat: chatPorts, registry, models, file, log, override, writes: writing }),
    createFolder: (path) => createFolder(app.vault, path),
    cutOff: writing,
    showDiagnostics: () => void showDiagnostics(),
    copyDiagnostics: () => void copyDiagnostics({ diagnostics }),
  };
  const showDiagnostics = async (): Promise<void> => {
    await panePorts.paneOpened();
    const view = findView(app);
    if (view === null) new DiagnosticsModal(app, panePorts, () => null).open();
    else view.showDiagnostics();
  };
  plugin.addSettingTab(
    new SettingsTab(app, plugin, {
      providers: models.choices,
      models,
      journal: writing,
      servers,
      settings: () => file.settings,
      change: (part) => file.change(part),
      ownPrompt,
      prompts,
      bindKey: (keyName, address) => keys.bind(keyName, address),
      testConnection: models.testConnection,
    }),
  );
  return {
    pane: panePorts,
    commands: {
      openPane: () => openPane(app),
      findView: () => findView(app),
      showDiagnostics,
      startContextFile: () => createNote(app.vault, starterContextFile.path, starterContextFile.text),
      openNote: (path) => panePorts.openNote(path, false),
      foreign: writing.ports.foreign,
      ownPrompt,
      prompts,
      diagnostics,
    },
  };
}
