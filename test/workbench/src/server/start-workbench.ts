/** The workbench server: one vault folder, the page that shows it, and the plugins to load, on a loopback port. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeFeed } from './change-feed';
import { EventStreams } from './event-streams';
import { answerMessage, answerRequest, maxFileBytes, type WorkbenchSite } from './answer-request';
import { defaultProxyLimits, type ProxyLimits } from './proxy-request';
import { checkRequest, checkToken } from './request-gate';
import { copyVault } from './vault-copy';
import { openVaultSocket, type Interception } from './vault-socket';

/** What the page asks for at `/api/options`. */
export interface WorkbenchOptions {
  chaosSeed: number | null;
  phone: boolean;
  desktop: boolean;
  theme: 'dark' | 'light';
  vaultName: string;
  readOnly: boolean;
  /** Made-up secrets that the page stores before plugins are loaded. */
  secrets: Record<string, string>;
  /** What the page stores on its device before plugins are loaded, by key, where nothing is stored yet. */
  deviceValues: Record<string, string>;
}

export interface WorkbenchSettings {
  vault: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Folders with manifest.json, main.js and perhaps styles.css. */
  plugins?: readonly string[];
  options?: Partial<WorkbenchOptions>;
  /** Work on the folder itself instead of on a copy, which is removed at the end. */
  inPlace?: boolean;
  /** The folder of the built page. In Node the default is the folder that `buildPage` uses by default. */
  assets?: string;
  /** Where the folder of the system's trash is made; the system's own for temporary files unless said. */
  temporaryFiles?: string;
  proxy?: Partial<ProxyLimits>;
  liveReload?: boolean;
}

export interface Workbench {
  url: string;
  port: number;
  token: string;
  /** The folder that is served: the copy, unless in place. */
  readonly vaultFolder: string;
  /** Where files moved to the system trash go. */
  systemTrash: string;
  /** Reloads the open pages; has no effect unless `liveReload` is on. */
  reload(): void;
  /**
   * Shows another folder from now on, in place and at the same address, to pages that load afterwards. What of the
   * options is not given is as by default.
   */
  serve(vault: string, settings?: Pick<WorkbenchSettings, 'plugins' | 'options'>): Promise<void>;
  /** Intercepts calls between pages and the vault from now on, until `serve`; null removes the interception. */
  intercept(interception: Interception | null): void;
  close(): Promise<void>;
}

const defaultOptions: WorkbenchOptions = {
  chaosSeed: null,
  phone: false,
  desktop: false,
  theme: 'dark',
  vaultName: '',
  readOnly: false,
  secrets: {},
  deviceValues: {},
};

/** Rejects with the system's error, such as EADDRINUSE, when it cannot listen; nothing is left behind then. */
export async function startWorkbench(settings: WorkbenchSettings): Promise<Workbench> {
  const copy = settings.inPlace ? null : await copyVault(settings.vault);
  const vault = await realpath(copy?.folder ?? settings.vault);
  const systemTrash = await mkdtemp(path.join(await realpath(settings.temporaryFiles ?? tmpdir()), 'workbench-trash-'));
  const token = randomBytes(24).toString('hex');
  const changes = new ChangeFeed(vault);
  const reloads = new EventStreams();
  const site: WorkbenchSite = {
    vault,
    systemTrash,
    token,
    port: 0,
    plugins: settings.plugins ?? [],
    options: { ...defaultOptions, vaultName: path.basename(path.resolve(settings.vault)), ...settings.options },
    assets: settings.assets ?? null,
    proxy: { ...defaultProxyLimits, ...settings.proxy },
    liveReload: settings.liveReload ?? false,
    reloads,
    changes,
    interception: null,
  };
  const server = createServer((request, response) => void answerRequest(site, request, response));
  const closeSockets = openVaultSocket(server, {
    admit: (request) => {
      checkRequest(request, site.port, token);
      checkToken(new URL(request.url ?? '', 'http://workbench').searchParams.get('token'), token);
    },
    answer: (method, target, body) => answerMessage(site, method, target, body),
    maxBytes: maxFileBytes,
  });
  const release = async (): Promise<void> => {
    site.changes.close();
    closeSockets();
    await closeServer(server);
    await rm(systemTrash, { recursive: true, force: true });
    await copy?.remove();
  };
  try {
    site.port = await listen(server, settings.port ?? 0);
  } catch (thrown) {
    await release();
    throw thrown;
  }
  return {
    url: `http://127.0.0.1:${site.port}/`,
    port: site.port,
    token,
    get vaultFolder() {
      return site.vault;
    },
    systemTrash,
    reload: () => reloads.send('reload'),
    intercept: (interception) => void (site.interception = interception),
    async serve(folder, { plugins = [], options } = {}) {
      site.changes.close();
      for (const name of await readdir(systemTrash)) await rm(path.join(systemTrash, name), { recursive: true });
      site.vault = await realpath(folder);
      site.changes = new ChangeFeed(site.vault);
      site.options = { ...defaultOptions, vaultName: path.basename(path.resolve(folder)), ...options };
      site.plugins = plugins;
      site.interception = null;
    },
    close: release,
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
