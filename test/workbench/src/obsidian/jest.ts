/** The entry for unit tests: an emulated app over a vault in memory, inside jsdom. */
import './obsidian';
import type * as obsidian from 'obsidian';
import { installDom } from './base/dom';
import { bootEmulator, type BootOptions } from './app/boot';
import type { App, LocalStore } from './app/app';
import type { PluginSource } from './app/plugin-loader';
import { MemoryAdapter } from './vault/memory-adapter';
import { createMemorySecretStore } from './settings/secret-storage';

/** The emulated app as plugin code sees it, with what tests may ask on top. */
export type TestApp = obsidian.App & Pick<App, EmulatedMember>;

type EmulatedMember =
  | 'chaos'
  | 'commands'
  | 'setting'
  | 'plugins'
  | 'viewRegistry'
  | 'testing'
  | 'protocolHandlers'
  | 'cliHandlers'
  | 'setTheme'
  | 'emulateMobile'
  | 'openWithDefaultApp'
  | 'close';

export interface TestAppOptions extends Partial<
  Pick<BootOptions, 'transport' | 'autoEnable' | 'desktop' | 'theme' | 'openExternally' | 'savesLayout'>
> {
  files?: Record<string, string>;
  chaosSeed?: number | null;
  phone?: boolean;
  /** `main` may be the plugin's class, or the text of a bundle. */
  plugins?: { manifest: obsidian.PluginManifest; main: unknown; css?: string }[];
  /** Kept across two apps to try a restart; made anew by default. */
  adapter?: MemoryAdapter;
  localStore?: LocalStore;
  secrets?: Record<string, string>;
}

export function createMemoryLocalStore(): LocalStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** jsdom lays nothing out; CodeMirror only needs the questions to have answers. */
function fillLayoutGaps(win: Window & typeof globalThis): void {
  const range = win.Range.prototype as Partial<Range>;
  range.getClientRects ??= () => [] as unknown as DOMRectList;
  range.getBoundingClientRect ??= () => new win.DOMRect();
  const element = win.Element.prototype as Partial<Element>;
  element.scrollIntoView ??= () => {};
}

const running = new Set<TestApp>();

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  fillLayoutGaps(window as Window & typeof globalThis);
  installDom(window);
  const { files, chaosSeed = null, phone = false, plugins = [], adapter, localStore, secrets, ...rest } = options;
  const app = await bootEmulator({
    document,
    adapter: adapter ?? new MemoryAdapter(files ? { files } : {}),
    plugins: plugins as PluginSource[],
    chaosSeed,
    phone,
    localStore: localStore ?? createMemoryLocalStore(),
    secretStore: createMemorySecretStore(secrets),
    ...rest,
  });
  const shown = app as unknown as TestApp;
  running.add(shown);
  return shown;
}

/** Ends apps that a test left running; call it after each test. */
export async function closeTestApps(): Promise<void> {
  for (const app of running) await app.close();
  running.clear();
  document.body.replaceChildren();
}
