/**
 * The entry for unit tests: an emulated app over a vault in memory, inside jsdom. The emulator is loaded when the first
 * app is created, so that tests that need only a part of it start sooner.
 */
import './realm-gaps';
import type * as obsidian from 'obsidian';
import { installDom } from './base/dom';
import { createMemorySecretStore } from './settings/secret-storage';
import type { App, LocalStore } from './app/app';
import type { BootOptions } from './app/boot';
import type { PluginSource } from './app/plugin-loader';
import type { MetadataCache } from './index/metadata-cache';
import type { EmulatedAdapter } from './vault/adapter';
import { MemoryAdapter } from './vault/memory-adapter';

export { installDom } from './base/dom';
export { parseNote } from './index/parse-note';
export { EmulatedAdapter, MissingFileError, type ListedEntry } from './vault/adapter';
export { createChaos, type Chaos } from './vault/chaos';
export { MemoryAdapter } from './vault/memory-adapter';

/** The emulated app as plugin code sees it, with what tests may ask on top. */
export type TestApp = obsidian.App &
  Pick<App, EmulatedMember> & {
    /** `indexed` resolves once the index contains every note. */
    metadataCache: Pick<MetadataCache, 'indexed'>;
  };

type EmulatedMember =
  | 'chaos'
  | 'commands'
  | 'setting'
  | 'plugins'
  | 'internalPlugins'
  | 'viewRegistry'
  | 'testing'
  | 'protocolHandlers'
  | 'cliHandlers'
  | 'setTheme'
  | 'emulateMobile'
  | 'openWithDefaultApp'
  | 'close';

export interface TestAppOptions extends Partial<
  Pick<BootOptions, 'transport' | 'autoEnable' | 'desktop' | 'theme' | 'openExternally' | 'savesLayout' | 'bare'>
> {
  files?: Record<string, string>;
  chaosSeed?: number | null;
  phone?: boolean;
  /** `main` may be the plugin's class, or the text of a bundle. */
  plugins?: { manifest: obsidian.PluginManifest; main: unknown; css?: string }[];
  /** The adapter of the vault; reuse one across two apps to test a restart. A new one is created by default. */
  adapter?: EmulatedAdapter;
  localStore?: LocalStore;
  secrets?: Record<string, string>;
  /** Called with the app before any plugin is loaded. */
  beforePlugins?: (app: TestApp) => void;
}

export function createMemoryLocalStore(): LocalStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** For windows of jsdom, which lays nothing out; CodeMirror only needs the questions to have answers. */
export function fillLayoutGaps(win: Window & typeof globalThis): void {
  const range = win.Range.prototype as Partial<Range>;
  range.getClientRects ??= () => [] as unknown as DOMRectList;
  range.getBoundingClientRect ??= () => new win.DOMRect();
  const element = win.Element.prototype as Partial<Element>;
  element.scrollIntoView ??= checkScrollPlaces;
}

const scrollPlaces: readonly unknown[] = ['start', 'center', 'end', 'nearest', undefined];

/** Throws for a place that there is none of, as every browser does. */
function checkScrollPlaces(to?: boolean | ScrollIntoViewOptions): void {
  const { block, inline } = typeof to === 'object' ? to : {};
  for (const place of [block, inline])
    if (!scrollPlaces.includes(place)) throw new TypeError(`“${place}” is no place to scroll to.`);
}

const running = new Set<TestApp>();
const shown = (app: App): TestApp => app as unknown as TestApp;

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  fillLayoutGaps(window as Window & typeof globalThis);
  installDom(window);
  const { files, chaosSeed = null, phone = false, plugins = [], adapter, localStore, secrets, ...more } = options;
  const { beforePlugins, ...rest } = more;
  await import('./obsidian');
  const { bootEmulator } = await import('./app/boot');
  const app = shown(
    await bootEmulator({
      document,
      adapter: adapter ?? new MemoryAdapter(files ? { files } : {}),
      plugins: plugins as PluginSource[],
      chaosSeed,
      phone,
      localStore: localStore ?? createMemoryLocalStore(),
      secretStore: createMemorySecretStore(secrets),
      ...(beforePlugins && { beforePlugins: (early) => beforePlugins(shown(early)) }),
      ...rest,
    }),
  );
  running.add(app);
  return app;
}

/** Closes one app and clears the page. */
export async function closeTestApp(app: TestApp): Promise<void> {
  running.delete(app);
  await app.close();
  const { forgetListeners } = await import('./app/accounting');
  if (running.size === 0) forgetListeners();
  document.body.replaceChildren();
}

/** Closes the apps that a test left running; call it after each test. */
export async function closeTestApps(): Promise<void> {
  for (const app of [...running]) await closeTestApp(app);
  document.body.replaceChildren();
}
