/** The composition root: builds the adapters, hands them over as ports, and registers view, commands and settings. */
import './core/configure-schemas';
import { apiVersion, Notice, Platform, Plugin, requestUrl } from 'obsidian';
import type { ChatPorts } from './core/chat-ports';
import { chatCommands } from './core/commands';
import { EventLog } from './core/diagnostics/event-log';
import { printDiagnostics } from './core/diagnostics/print-diagnostics';
import { mentionSources } from './core/mentions';
import { OpenChats } from './core/open-chats';
import { NoteCache } from './core/prompt/note-cache';
import { sections } from './core/prompt/sections';
import { forgetPassages } from './core/search/index-for';
import { tools } from './core/tools';
import { type ModelPorts, openModel, testProvider } from './models/open-model';
import { providers } from './models/providers';
import { words } from './text';
import { estimatingTokenizer } from './tokens/estimate-tokens';
import { ChatView, chatViewType } from './ui/chat/chat-view';
import { copyDiagnostics, registerCommands } from './ui/commands';
import { confirmLink } from './ui/confirm-link';
import { findView, openPane } from './ui/open-pane';
import { openSettings } from './ui/open-settings';
import type { PanePorts } from './ui/pane-ports';
import { previewNote } from './ui/preview-note';
import { SettingsTab } from './ui/settings/settings-tab';
import { clock, digest, identifiers, pace, writerOf } from './vault/device';
import { type VaultChange, VaultChanges } from './vault/changes';
import { deviceStorageOf } from './vault/device-storage';
import { Keys } from './vault/keys';
import { openVault } from './vault/open-vault';
import { SessionFiles } from './vault/session-files';
import { surroundingsOf } from './vault/surroundings';
import { SettingsFile } from './vault/settings-file';

export default class DocentPlugin extends Plugin {
  private settingsFile: SettingsFile | null = null;

  override async onload(): Promise<void> {
    const { app, manifest } = this;
    const device = deviceStorageOf(app);
    const keys = new Keys(app, device);
    const log = new EventLog(clock, () => keys.valuesOf(file.settings));
    const file = new SettingsFile(this, device, (problem) => {
      const text = words.settings.problems[problem.problem](problem.key);
      log.add('settings', text);
      new Notice(text);
    });
    this.settingsFile = file;
    await file.load();

    const ownFolders = (): string[] => ['chats', 'exports'].map((name) => `${file.settings.agentFolder}/${name}`);
    const changes = new VaultChanges(app, (path) => ownFolders().some((folder) => path.startsWith(`${folder}/`)));
    const { vault, refresh, flush } = openVault(app, changes, ownFolders);
    const modelPorts: ModelPorts = {
      transport: {
        fetch: (url, init) => window.fetch(url, init),
        requestUrl: (request) => requestUrl(request),
        memory: device,
      },
      pace,
      key: (keyName, origin, ownOrigin) => keys.read(keyName, origin, ownOrigin),
    };
    const notes = new NoteCache(vault);
    const forget = (batch: readonly VaultChange[]): void => {
      const paths = batch.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
      notes.forget(paths);
      forgetPassages(vault, paths);
    };
    const chatPorts: ChatPorts = {
      vault,
      notes,
      sections,
      tools,
      tokenizer: estimatingTokenizer,
      clock,
      device,
      refresh,
      flush,
      surroundings: surroundingsOf(app, () => file.settings),
      agentFolder: () => file.settings.agentFolder,
      settings: () => file.settings,
      model: (id) => openModel(id, file.settings, modelPorts),
      note: (text) => log.add('turn', text),
    };
    const session = identifiers.next();
    const writer = writerOf(device);
    const store = new SessionFiles(
      app.vault.adapter,
      () => `${file.settings.agentFolder}/chats`,
      `${writer}-${session}`,
    );
    const chats = new OpenChats(chatPorts, { store, clock, identifiers, digest, writer, session });
    this.register(() => {
      chats.close();
      changes.stop();
    });

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
    const panePorts: PanePorts = {
      vault,
      mentionSources,
      tools,
      commands: chatCommands,
      device,
      settings: () => file.settings,
      openChat: (id) => chats.open(id),
      paneOpened: async () => {
        changes.start(forget);
        await refresh();
      },
      onChange: (listener) => {
        const releases = [changes.subscribe(listener), file.subscribe(listener)];
        return () => releases.forEach((release) => release());
      },
      activeNote: () => chatPorts.surroundings.editor()?.activeNote?.path ?? null,
      openNote: (linkText, newTab) => void app.workspace.openLinkText(linkText, '', newTab),
      previewNote: (linkText, target, event) => previewNote(app, linkText, target, event),
      openExternal: (url) => void window.open(url, '_blank', 'noopener'),
      confirmLink: (decision) => confirmLink(app, decision),
      openSettings: () => openSettings(app, manifest.id),
      copyDiagnostics: () => void copyDiagnostics({ diagnostics }),
    };
    this.registerView(chatViewType, (leaf) => new ChatView(leaf, panePorts));
    this.registerHoverLinkSource(chatViewType, { display: words.pane.title, defaultMod: true });
    this.addRibbonIcon('message-circle', words.commands.ribbon, () => void openPane(app));
    registerCommands(this, {
      openPane: () => openPane(app),
      findView: () => findView(app),
      diagnostics,
    });
    this.addSettingTab(
      new SettingsTab(app, this, {
        providers: providers.map((row) => ({
          id: row.id,
          label: words.models.labels[row.labelKey],
          baseUrl: row.baseUrl,
          keyName: row.keyName,
          models: row.table.models.map(({ name }) => name),
        })),
        settings: () => file.settings,
        change: (part) => file.change(part),
        bindKey: (keyName, address) => keys.bind(keyName, address),
        testConnection: (provider) => testProvider(provider, file.settings, modelPorts),
      }),
    );
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.settingsFile?.load();
  }
}
