/** The one object that holds an emulated Obsidian together. */
import type { UserEvent } from 'obsidian';
import { Keymap, Scope } from '../base/scope';
import { Platform, setPlatform } from '../base/platform';
import type { EmulatedAdapter } from '../vault/adapter';
import type { Chaos } from '../vault/chaos';
import { FileManager } from '../vault/file-manager';
import { MetadataCache } from '../index/metadata-cache';
import { Vault } from '../vault/vault';
import { setWidgetApp } from '../windows/host';
import type { HoverPopover } from '../windows/popover';
import { SecretStorage, type SecretStore } from '../settings/secret-storage';
import { SettingsModal } from '../settings/settings-modal';
import { Workspace } from '../workspace/workspace';
import { installAccounting, type Accounting } from './accounting';
import { Commands } from './commands';
import { setCurrentApp } from './current-app';
import { InternalPlugins } from './internal-plugins';
import type { CliCommand, ProtocolHandler } from './plugin';
import { Plugins } from './plugins';
import { refuseAll, type Transport } from './request-url';
import { ViewRegistry } from './view-registry';
import { hideNotices } from '../windows/notice';

/** The device's own store; `localStorage` is one. */
export interface LocalStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export class RenderContext {
  hoverPopover: HoverPopover | null = null;
}

export interface AppOptions {
  document: Document;
  adapter: EmulatedAdapter;
  chaos: Chaos;
  transport?: Transport;
  localStore: LocalStore;
  secretStore?: SecretStore;
  /** Opens a popout; null where the realm has no windows. */
  openWindow?: ((features: string) => Window | null) | null;
  /** Node modules are refused with words that fit the desktop. */
  desktop?: boolean;
  savesLayout?: boolean;
  /** Without a saved layout, nothing is open at the sides: drawing it takes a large part of an opening. */
  bare?: boolean;
  /** Outside programs; nothing happens by default. */
  openExternally?: (path: string) => void;
}

export class App {
  readonly keymap: Keymap;
  readonly scope = new Scope();
  readonly workspace: Workspace;
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  readonly fileManager: FileManager;
  lastEvent: UserEvent | null = null;
  readonly renderContext = new RenderContext();
  readonly secretStorage: SecretStorage;

  readonly appId: string;
  readonly chaos: Chaos;
  readonly commands: Commands;
  readonly setting: SettingsModal;
  readonly plugins: Plugins;
  readonly internalPlugins: InternalPlugins;
  readonly viewRegistry = new ViewRegistry();
  readonly testing: Accounting;
  readonly protocolHandlers = new Map<string, ProtocolHandler>();
  readonly cliHandlers = new Map<string, CliCommand>();
  readonly document: Document;
  readonly desktop: boolean;
  readonly openWindow: ((features: string) => Window | null) | null;
  readonly transport: Transport;
  savesLayout: boolean;
  readonly bare: boolean;
  private readonly localStore: LocalStore;
  private readonly openExternally: (path: string) => void;
  private readonly cleanups: (() => void)[] = [];

  constructor(options: AppOptions) {
    this.document = options.document;
    this.chaos = options.chaos;
    this.desktop = options.desktop ?? false;
    this.transport = options.transport ?? refuseAll;
    this.localStore = options.localStore;
    this.openWindow = options.openWindow ?? null;
    this.savesLayout = options.savesLayout ?? true;
    this.bare = options.bare ?? false;
    this.openExternally = options.openExternally ?? ((): void => {});
    const win = options.document.defaultView as Window;
    this.testing = installAccounting(win);
    this.appId = options.adapter.getName();
    this.keymap = new Keymap(this.scope);
    this.vault = new Vault(options.adapter, { chaos: options.chaos });
    this.metadataCache = new MetadataCache(this.vault);
    this.secretStorage = new SecretStorage(options.secretStore);
    this.workspace = new Workspace(this, options.document);
    this.keymap.findViewScope = () => this.workspace.activeLeaf?.view.scope ?? null;
    this.fileManager = new FileManager(this);
    setWidgetApp(this);
    setCurrentApp(this);
    this.commands = new Commands(this);
    this.setting = new SettingsModal(this);
    this.plugins = new Plugins(this);
    this.internalPlugins = new InternalPlugins(this);
    this.workspace.build();
    this.followUser(win);
    this.cleanups.push(this.keymap.listen(win));
  }

  private followUser(win: Window): void {
    const remember = (event: Event): void => void (this.lastEvent = event as UserEvent);
    const types = ['mousedown', 'mouseup', 'keydown', 'keyup', 'touchstart'] as const;
    for (const type of types) win.addEventListener(type, remember, true);
    const resize = (): void => this.workspace.onResize();
    win.addEventListener('resize', resize);
    this.cleanups.push(() => {
      for (const type of types) win.removeEventListener(type, remember, true);
      win.removeEventListener('resize', resize);
    });
  }

  private keyOf(key: string): string {
    return `${this.appId}-${key}`;
  }

  loadLocalStorage(key: string): any | null {
    const text = this.localStore.getItem(this.keyOf(key));
    if (text === null) return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return null;
    }
  }

  saveLocalStorage(key: string, data: unknown | null): void {
    if (data === null || data === undefined) this.localStore.removeItem(this.keyOf(key));
    else this.localStore.setItem(this.keyOf(key), JSON.stringify(data));
  }

  isDarkMode(): boolean {
    return this.document.body.hasClass('theme-dark');
  }

  get isMobile(): boolean {
    return Platform.isMobile;
  }

  setTheme(theme: 'dark' | 'light', remember = true): void {
    const { body } = this.document;
    body.toggleClass('theme-dark', theme === 'dark');
    body.toggleClass('theme-light', theme === 'light');
    if (remember) this.saveLocalStorage('theme', theme);
    this.workspace.trigger('css-change');
  }

  /** Rebuilds the window for the other device; what is open stays open. */
  async emulateMobile(phone: boolean): Promise<void> {
    const layout = this.workspace.getLayout();
    setPlatform({ phone });
    this.applyPlatformClasses();
    await this.workspace.changeLayout(layout);
    this.workspace.trigger('resize');
  }

  applyPlatformClasses(): void {
    const { body } = this.document;
    body.toggleClass('is-mobile', Platform.isMobile);
    body.toggleClass('is-phone', Platform.isPhone);
    body.toggleClass('is-tablet', Platform.isTablet);
    body.toggleClass('is-android', Platform.isAndroidApp);
    body.toggleClass('is-ios', Platform.isIosApp);
    body.toggleClass('mod-macos', Platform.isMacOS);
    body.toggleClass('mod-linux', Platform.isLinux);
    body.toggleClass('mod-windows', Platform.isWin);
    body.toggleClass('is-hidden-frameless', Platform.isDesktop);
    body.toggleClass('is-floating-nav', Platform.isPhone);
  }

  async openWithDefaultApp(path: string): Promise<void> {
    this.openExternally(path);
  }

  /** Ends this app: plugins unload, buffers and layout are written, the page is left empty. */
  async close(): Promise<void> {
    await this.plugins.unloadAll();
    await this.workspace.quit();
    await this.workspace.whenClosed();
    for (const leaf of this.workspace.collectLeaves()) {
      await leaf.view.close();
    }
    for (const child of this.workspace.floatingSplit.children.slice()) {
      (child as unknown as { onEmpty: (() => void) | null }).onEmpty?.();
    }
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    hideNotices();
    this.metadataCache.end();
    this.workspace.appEl.remove();
  }

  register(cleanup: () => void): void {
    this.cleanups.push(cleanup);
  }
}
