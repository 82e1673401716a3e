/** Starts an emulated Obsidian: plugins first, then files, then the layout, as the app does. */
import { installDom } from '../base/dom';
import { setPlatform } from '../base/platform';
import type { EmulatedAdapter } from '../vault/adapter';
import { createChaos } from '../vault/chaos';
import { ConfirmationModal } from '../windows/confirmation-modal';
import { installTooltips } from '../windows/tooltip';
import type { SecretStore } from '../settings/secret-storage';
import { App, type LocalStore } from './app';
import { addCoreCommands } from './core-commands';
import { registerCoreViews } from './core-views';
import { addCoreSettings } from './core-settings';
import { addPagePreview } from './page-preview';
import { addPhoneBar } from './phone-bar';
import { CommandPalette, QuickSwitcher } from './palette';
import type { PluginSource } from './plugin-loader';
import type { Transport } from './request-url';
import { addStatusBar } from './status-bar';

export interface BootOptions {
  document: Document;
  adapter: EmulatedAdapter;
  plugins: PluginSource[];
  /** Null is calm. */
  chaosSeed: number | null;
  phone: boolean;
  transport?: Transport;
  localStore: LocalStore;
  secretStore?: SecretStore;
  /** Enables every given plugin; one that is new to the vault is greeted as if just switched on. */
  autoEnable?: boolean;
  theme?: 'dark' | 'light';
  desktop?: boolean;
  savesLayout?: boolean;
  bare?: boolean;
  openWindow?: ((features: string) => Window | null) | null;
  openExternally?: (path: string) => void;
  /** A person can answer dialogs; otherwise deletions are confirmed at once. */
  asks?: boolean;
  /** Sees the app before any plugin is loaded. */
  beforePlugins?: (app: App) => void;
}

export async function bootEmulator(options: BootOptions): Promise<App> {
  const { document, plugins, phone } = options;
  installDom(document.defaultView as Window);
  setPlatform({ phone });
  const chaos = createChaos(options.chaosSeed);
  const app = new App({ ...options, chaos });
  document.body.addClass('obsidian-app', 'show-inline-title', 'show-view-header', 'show-ribbon', 'is-focused');
  app.applyPlatformClasses();
  app.setTheme((app.loadLocalStorage('theme') as 'dark' | 'light' | null) ?? options.theme ?? 'dark', false);
  installTooltips(document);
  registerCoreViews(app);
  addRibbon(app);
  addCoreCommands(app);
  addCoreSettings(app);
  addPagePreview(app);
  addStatusBar(app);
  addPhoneBar(app);
  if (options.asks) askBeforeDeleting(app);
  options.beforePlugins?.(app);
  for (const source of plugins) app.plugins.add(source);
  await app.internalPlugins.load();
  const fresh = await app.plugins.start(options.autoEnable ?? true);
  await app.vault.load();
  await app.workspace.loadLayout();
  app.workspace.finishLoading();
  for (const id of fresh) app.plugins.welcome(id);
  return app;
}

function addRibbon(app: App): void {
  const { leftRibbon } = app.workspace;
  leftRibbon.addAction('file-search-2', 'Open quick switcher', () => new QuickSwitcher(app).open());
  leftRibbon.addAction('terminal-square', 'Open command palette', () => new CommandPalette(app).open());
  leftRibbon.addAction(
    'sun-moon',
    'Toggle light/dark mode',
    () => app.setTheme(app.isDarkMode() ? 'light' : 'dark'),
    'settings',
  );
  leftRibbon.addAction('settings', 'Open settings', () => app.setting.open(), 'settings').addClass('mod-settings');
}

function askBeforeDeleting(app: App): void {
  const ask = (title: string, words: string, action: string): Promise<boolean> =>
    new Promise((resolve) => {
      const modal = new ConfirmationModal(app);
      modal.setTitle(title);
      modal.contentEl.createEl('p', { text: words });
      modal.addButton((button) =>
        button
          .setButtonText(action)
          .setDestructive()
          .onClick(() => resolve(true)),
      );
      modal.addCancelButton();
      modal.setCloseCallback(() => resolve(false));
      modal.open();
    });
  app.fileManager.confirmDeletion = (file) =>
    ask('Delete file', `Are you sure you want to delete “${file.name}”?`, 'Delete');
}
