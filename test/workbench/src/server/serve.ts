/** The server as a command runs it: checks the arguments, finds a free port, opens the browser, and cleans up at the end. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorkbench, type Workbench, type WorkbenchOptions, type WorkbenchSettings } from './start-workbench';
import { copyVault, type VaultCopy } from './vault-copy';

const defaultPort = 5178;
const portsToTry = 20;

/** An error whose message says what the user can do; any other error is a defect. */
export class UserError extends Error {
  override name = 'UserError';
}

const flag = { type: 'boolean', default: false } as const;

/** The options of `parseArgs` that every command for the workbench takes. */
export const serveFlags = {
  vault: { type: 'string' },
  port: { type: 'string' },
  chaos: { type: 'string' },
  'in-place': flag,
  phone: flag,
  light: flag,
  desktop: flag,
  'no-open': flag,
} as const;

export const serveHelp = `  --in-place     with --vault: work on the folder itself
  --port N       listen on this port (${defaultPort}, or the next free one)
  --phone        the phone layout, without Node modules
  --light        the light theme
  --desktop      allow Node modules as the desktop app does
  --chaos SEED   randomise what Obsidian does not promise
  --no-open      do not open a browser`;

/** The values that `parseArgs` returns for `serveFlags`. */
interface FlagValues {
  vault?: string | undefined;
  port?: string | undefined;
  chaos?: string | undefined;
  'in-place': boolean;
  phone: boolean;
  light: boolean;
  desktop: boolean;
  'no-open': boolean;
}

export interface ServeArguments {
  /** Null creates a new vault with one note. */
  readonly vault: string | null;
  readonly inPlace: boolean;
  /** Null takes the first free port. */
  readonly port: number | null;
  readonly opensBrowser: boolean;
  readonly options: Pick<WorkbenchOptions, 'chaosSeed' | 'phone' | 'desktop' | 'theme'>;
}

/**
 * Checks the arguments of a command, so that mistakes are reported before anything is built.
 * @param usualVault the vault to use when the user names none
 * @throws UserError for an argument that cannot be used
 */
export async function readServeArguments(
  values: FlagValues,
  usualVault: string | null = null,
): Promise<ServeArguments> {
  const vault = await checkVault(values.vault, values['in-place'], usualVault);
  const port = values.port === undefined ? null : readNumber(values.port, '--port', 65_535);
  const chaosSeed = values.chaos === undefined ? null : readNumber(values.chaos, '--chaos', 2 ** 31 - 1);
  if (port !== null) await checkPort(port);
  const { phone, desktop } = values;
  return {
    vault,
    inPlace: values['in-place'],
    port,
    opensBrowser: !values['no-open'],
    options: { chaosSeed, phone, desktop, theme: values.light ? 'light' : 'dark' },
  };
}

type Closer = () => unknown;

export interface ServeSettings extends Pick<WorkbenchSettings, 'assets'> {
  /** Folders of plugins. Messages use the name of the first. */
  plugins: readonly string[];
  /** Called with the copy of the vault before it is served. It never gets the user's own folder, so it may write. */
  prepare?(folder: string): Promise<{ options?: Partial<WorkbenchOptions>; close?: Closer }>;
  /** Called once the server runs. The function that it returns is called at the end. */
  started?(workbench: Workbench): Promise<Closer> | Closer;
}

/**
 * Serves a vault until the process gets a signal, then removes the copy and stops everything that it started.
 * @throws UserError when it cannot start; nothing is left behind
 */
export async function serve(
  given: ServeArguments,
  { plugins, assets, prepare, started }: ServeSettings,
): Promise<void> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const manifests = await Promise.all(plugins.map(readManifest));
    const copying = (copied: number): void => console.error(`Copying the vault: ${copied} files and folders …`);
    const copy = given.inPlace ? null : await (given.vault === null ? newVault() : copyVault(given.vault, copying));
    if (copy) closers.push(() => copy.remove());
    const vault = copy?.folder ?? (given.vault as string);
    // Obsidian keeps the settings of a plugin in the folder of its files. Only that folder is needed here.
    for (const { id } of manifests) await mkdir(path.join(vault, '.obsidian/plugins', id), { recursive: true });
    // The other plugins of the copied vault are not available.
    if (copy) await writeFile(path.join(vault, '.obsidian/community-plugins.json'), '[]');
    const prepared = copy ? await prepare?.(vault) : undefined;
    if (prepared?.close) closers.push(prepared.close);
    const workbench = await listen(given.port, {
      vault,
      inPlace: true,
      plugins,
      ...(assets !== undefined && { assets }),
      liveReload: true,
      options: { ...given.options, ...prepared?.options },
    });
    closers.push(() => workbench.close());
    if (started) closers.push(await started(workbench));
    console.error(`Vault: ${workbench.vaultFolder}${copy ? ' (a copy, removed at the end)' : ''}`);
    console.log(`${manifests[0]?.name ?? 'Obsidian'} workbench: ${workbench.url}`);
    if (given.opensBrowser) openBrowser(workbench.url);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void close().finally(() => process.exit()));
}

/** @throws UserError when the folder does not contain a built plugin */
export async function readManifest(folder: string): Promise<{ id: string; name: string }> {
  const words = `There is no plugin in ${folder}: name a folder with its manifest.json and its built main.js.`;
  const [text] = await Promise.all([
    readFile(path.join(folder, 'manifest.json'), 'utf8'),
    stat(path.join(folder, 'main.js')),
  ]).catch(() => {
    throw new UserError(words);
  });
  try {
    const { id, name } = JSON.parse(text) as { id?: unknown; name?: unknown };
    if (typeof id === 'string' && /^[\w-]+$/.test(id)) return { id, name: typeof name === 'string' ? name : id };
  } catch {
    // Text that is not JSON has no id, which is reported below.
  }
  throw new UserError(`${path.join(folder, 'manifest.json')} names no plugin: give it an id and a name.`);
}

async function newVault(): Promise<VaultCopy> {
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'obsidian-workbench-'));
  const folder = path.join(parent, 'New vault');
  await mkdir(path.join(folder, '.obsidian'), { recursive: true });
  await writeFile(path.join(folder, 'Welcome.md'), 'This vault is new, and gone when the workbench ends.\n');
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}

async function checkVault(given: string | undefined, inPlace: boolean, usual: string | null): Promise<string | null> {
  if (given === undefined) {
    if (inPlace) throw new UserError('--in-place works on a folder of yours: name it with --vault PATH.');
    return usual;
  }
  const vault = path.resolve(given);
  const stats = await stat(vault).catch(() => null);
  if (!stats) throw new UserError(`There is no folder at ${vault}: name an existing vault with --vault PATH.`);
  if (!stats.isDirectory()) throw new UserError(`${vault} is a file: name the folder of a vault with --vault PATH.`);
  return vault;
}

function readNumber(text: string, name: string, maximum: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= maximum) return number;
  throw new UserError(`${name} takes a whole number from 0 to ${maximum}, not “${text}”.`);
}

/** Reports a busy port before the build, which takes seconds. */
async function checkPort(port: number): Promise<void> {
  const trial = createServer();
  await new Promise<void>((resolve, reject) => {
    trial.once('error', (thrown) => reject(explainPort(thrown, port)));
    trial.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => trial.close(resolve));
}

function explainPort(thrown: NodeJS.ErrnoException, port: number): Error {
  if (thrown.code === 'EADDRINUSE') {
    return new UserError(`Port ${port} is in use: choose another with --port N, or leave --port out.`);
  }
  if (thrown.code !== 'EACCES') return thrown;
  return new UserError(`Port ${port} needs more rights: choose one above 1023 with --port N.`);
}

async function listen(port: number | null, settings: WorkbenchSettings): Promise<Workbench> {
  const candidates = port === null ? Array.from({ length: portsToTry }, (_, index) => defaultPort + index) : [port];
  for (const candidate of candidates) {
    try {
      return await startWorkbench({ ...settings, port: candidate });
    } catch (thrown) {
      const fault = thrown as NodeJS.ErrnoException;
      if (port !== null || fault.code !== 'EADDRINUSE') throw explainPort(fault, candidate);
    }
  }
  throw new UserError(`The ports from ${defaultPort} on are in use: choose a free one with --port N.`);
}

function openBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['cmd', '/c', 'start', '""', url],
  };
  const [command, ...args] = openers[process.platform] ?? ['xdg-open', url];
  const opener = spawn(command, args, { stdio: 'ignore', detached: true });
  // If no browser can be opened, the user still has the printed address.
  opener.on('error', () => {});
  opener.unref();
}
