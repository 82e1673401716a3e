/** The browser entry: boots the emulator over the folder that the loopback server offers. */
import './obsidian';
import * as obsidian from './obsidian-exports';
import { installDom } from './base/dom';
import { bootEmulator } from './app/boot';
import type { App } from './app/app';
import { getProvidedModules, type PluginBody, type PluginSource } from './app/plugin-loader';
import type { Transport } from './app/request-url';
import { arrayBufferToBase64, base64ToArrayBuffer } from './base/text';
import { moment } from './base/moment';
import { FolderAdapter } from './vault/folder-adapter';
import { openSocketLine } from './vault/server-line';
import { createWebSecretStore } from './settings/secret-storage';

interface PageOptions {
  chaosSeed: number | null;
  phone: boolean;
  desktop: boolean;
  theme: 'dark' | 'light' | null;
  vaultName: string;
  readOnly: boolean;
  secrets: Record<string, string>;
  deviceValues: Record<string, string>;
}

/** A plugin with the address of its code. */
type ListedPlugin = Omit<PluginSource, 'main'> & { main: string };

interface ProxyAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  error?: string;
}

declare global {
  interface Window {
    app: App;
    workbench: { app: App; modules: Record<string, unknown> };
    /** Where the script of a plugin leaves its code. */
    workbenchBody: PluginBody | undefined;
  }
}

function createProxyTransport(token: string): Transport {
  return async ({ url, method, headers, body }) => {
    const response = await fetch('/api/proxy', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-workbench': token },
      body: JSON.stringify({ url, method, headers, body: body ? arrayBufferToBase64(body) : null }),
    });
    const answer = (await response.json()) as ProxyAnswer;
    if (answer.error !== undefined || answer.status === undefined) {
      throw new Error(answer.error ?? 'net::ERR_FAILED');
    }
    return { status: answer.status, headers: answer.headers ?? {}, body: base64ToArrayBuffer(answer.body ?? '') };
  };
}

/**
 * Loads the code of a plugin from where the server says, as a script: the browser keeps what it compiles of a script for
 * the next page, but compiles a text again each time.
 */
async function withCode(source: ListedPlugin): Promise<PluginSource> {
  const script = document.createElement('script');
  script.src = source.main;
  window.workbenchBody = undefined;
  const ended = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`The code of ${source.manifest.id} cannot be loaded.`));
  });
  // Code that is not valid leaves no function, and the browser reports why.
  let reason = 'The code of the plugin is not valid.';
  const note = ({ message }: ErrorEvent): void => void (reason = message);
  window.addEventListener('error', note);
  document.head.append(script);
  await ended;
  window.removeEventListener('error', note);
  script.remove();
  const refuse: PluginBody = () => {
    throw new SyntaxError(reason);
  };
  return { ...source, main: { body: window.workbenchBody ?? refuse } };
}

/** One after the other, since each leaves its code in the same place. */
async function withCodes(sources: readonly ListedPlugin[]): Promise<PluginSource[]> {
  const loaded: PluginSource[] = [];
  for (const source of sources) loaded.push(await withCode(source));
  return loaded;
}

async function start(): Promise<void> {
  installDom(window);
  const token = document.querySelector<HTMLMetaElement>('meta[name="workbench-token"]')?.content ?? '';
  const read = async <T>(path: string): Promise<T> => (await (await fetch(path)).json()) as T;
  const [options, plugins] = await Promise.all([
    read<PageOptions>('/api/options'),
    read<ListedPlugin[]>('/api/plugins').then(withCodes),
  ]);
  const secretStore = createWebSecretStore(window.localStorage, `${options.vaultName}-secrets`);
  secretStore.save({ ...secretStore.load(), ...options.secrets });
  const socket = `${location.origin.replace('http', 'ws')}/api/socket?token=${token}`;
  const line = openSocketLine(() => new WebSocket(socket));
  const adapter = new FolderAdapter({ line, name: options.vaultName });
  const app = await bootEmulator({
    document,
    adapter,
    plugins,
    chaosSeed: options.chaosSeed,
    phone: options.phone,
    desktop: options.desktop,
    transport: createProxyTransport(token),
    localStore: window.localStorage,
    secretStore,
    ...(options.theme ? { theme: options.theme } : {}),
    savesLayout: !options.readOnly,
    openWindow: (features) => window.open('about:blank', '_blank', features),
    asks: true,
    beforePlugins: (early) => {
      window.app = early;
      for (const [key, value] of Object.entries(options.deviceValues)) {
        if (early.loadLocalStorage(key) === null) early.saveLocalStorage(key, value);
      }
      window.workbench = { app: early, modules: { ...getProvidedModules(), obsidian } };
      (window as unknown as { moment: typeof moment }).moment = moment;
    },
  });
  document.title = `${options.vaultName} - Workbench (not affiliated with Obsidian)`;
  if (app.workspace.getMostRecentLeaf()?.view.getViewType() === 'empty' && app.workspace.lastOpenFiles.length === 0) {
    await openFirstNote(app);
  }
  const plugged = `${app.vault.configDir}/plugins/`;
  adapter.watch((path) => {
    if (path.startsWith(plugged)) app.plugins.onDataFileChanged(path);
    else void app.vault.reconcile(path);
  });
  window.addEventListener('beforeunload', () => void app.workspace.quit());
  document.body.addClass('workbench-ready');
}

/** A new vault greets with its home page, or else with its first note. */
async function openFirstNote(app: App): Promise<void> {
  const notes = app.vault.getMarkdownFiles();
  const home = notes.find(
    (note) => /^(home|welcome|start here|index|readme)$/i.test(note.basename) && note.parent?.isRoot(),
  );
  const first = home ?? notes.find((note) => note.parent?.isRoot()) ?? notes[0];
  if (first) await app.workspace.getLeaf(false).openFile(first);
}

start().catch((error: unknown) => {
  console.error(error);
  document.body.textContent = `The workbench could not start: ${error instanceof Error ? error.message : String(error)}`;
});
