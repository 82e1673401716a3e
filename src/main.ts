/** The plugin that Obsidian loads: its settings, its view and its commands; everything else opens when it is needed. */
import { Notice, Plugin } from 'obsidian';
import { lazyLoad } from './core/base/lazy';
import { EventLog } from './core/diagnostics/event-log';
import { PluginEvents } from './core/hooks/context-events';
import { Hooks, type PluginApi, pluginApi } from './core/hooks/hooks';
import { PluginSkills } from './core/hooks/plugin-skills';
import { describeFailure, unexpectedFailure } from './core/ports/failure';
import type { Docent } from './open-docent';
import { words } from './text';
import { ChatView, chatViewType, openChatView } from './ui/chat/chat-view';
import { ChatsView, chatsViewType, InspectorView, inspectorViewType, UsageView, usageViewType } from './ui/side-views';
import { registerCommands } from './ui/commands';
import { ApiKeys } from './vault/api-keys';
import { clock, deviceStorageOf, timing } from './vault/device';
import { SettingsFile } from './vault/settings-file';

export default class DocentPlugin extends Plugin {
  private readonly hooks = new Hooks(timing.after);
  private readonly events = new PluginEvents((said) => this.log?.add('hooks', said));
  private readonly skills = new PluginSkills();
  private log: EventLog | null = null;
  /** Opens everything on its first call. */
  private openDocent: (() => Promise<Docent>) | null = null;
  /** For other plugins; see docs/hooks.md. */
  readonly api: PluginApi<Docent['buildSystemPrompt']> = pluginApi(
    { hooks: this.hooks, events: this.events, skills: this.skills },
    async (options, readers) => {
      const docent = await this.openDocent?.();
      return docent?.buildSystemPrompt(options, readers) ?? null;
    },
  );
  private settingsFile: SettingsFile | null = null;

  override async onload(): Promise<void> {
    const { app, hooks, events, skills } = this;
    let isUnloaded = false;
    this.register(() => (isUnloaded = true));
    const note = (text: string): void => {
      log.add('settings', text);
      new Notice(text);
    };
    const device = deviceStorageOf(app, (problem) => note(words.settings.deviceFull(problem)));
    const keys = new ApiKeys(app);
    const log = new EventLog(clock, () => keys.valuesOf(file.settings));
    this.log = log;
    const file = new SettingsFile(this, device, {
      clock,
      pause: (milliseconds) => new Promise((resolve) => void timing.after(milliseconds, resolve)),
      report: ({ problem, key }) => {
        // A read that began before the plugin was unloaded: whoever loads it next reports its own.
        if (isUnloaded) return;
        const text = words.settings.problems[problem](key);
        if (problem === 'damaged' || problem === 'invalid-hidden') {
          log.add('settings', text);
          void import('./ui/settings/damaged-settings').then((ui) => {
            if (!isUnloaded) this.register(ui.askAboutDamagedSettings(file));
          });
        } else note(text);
      },
    });
    this.settingsFile = file;
    await file.load();

    const docent = lazyLoad(async () => {
      const { openDocent } = await import('./open-docent');
      // Anything registered after the plugin was unloaded would never be released.
      return isUnloaded
        ? new Promise<never>(() => undefined)
        : openDocent(this, { file, device, keys, log, hooks, events, skills });
    });
    this.openDocent = () => docent.load();
    this.registerView(chatViewType, (leaf) => new ChatView(leaf, async () => (await docent.load()).viewPorts));
    this.registerView(chatsViewType, (leaf) => new ChatsView(leaf, async () => (await docent.load()).viewPorts));
    this.registerView(
      inspectorViewType,
      (leaf) => new InspectorView(leaf, async () => (await docent.load()).viewPorts),
    );
    this.registerView(usageViewType, (leaf) => new UsageView(leaf, async () => (await docent.load()).viewPorts));
    this.registerHoverLinkSource(chatViewType, { display: words.chatView.title, defaultMod: true });
    this.addRibbonIcon('message-circle', words.commands.ribbon, () => void openChatView(app));
    // The address that a server sends the browser to once the user has signed in there.
    this.registerObsidianProtocolHandler('docent-auth', ({ action: _action, ...parameters }) => {
      docent
        .load()
        .then((opened) => opened.finishSignIn(parameters))
        .then((said) => new Notice(said))
        .catch((thrown: unknown) => new Notice(describeFailure(unexpectedFailure(thrown))));
    });
    registerCommands(this, {
      get loaded() {
        return docent.loaded?.commands ?? null;
      },
      load: async () => (await docent.load()).commands,
    });
    app.workspace.onLayoutReady(() => {
      docent.load().catch((thrown: unknown) => new Notice(describeFailure(unexpectedFailure(thrown))));
    });
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.settingsFile?.load();
  }
}
